import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { OpenApi } from '@meadow/contract/openapi'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { escapeHtml } from '../../../platform/escape-html.ts'
import { publicAddress, publicPath } from '../../connection/public-address.ts'
import { PAGE_HEADERS } from '../../responses/security-headers.ts'
import { createStaticFile, type StaticFile, sendStaticFile } from '../../responses/static-file.ts'
import { FOR_ANYONE } from '../../route-access.ts'
import { findClientFiles, mountClientFiles } from './client-files.ts'
import { mountMarkdownPages } from './markdown-pages.ts'
import { createPage } from './page.ts'
import { ADDRESS_PLACEHOLDER } from './samples.ts'

/**
 * The page loads nothing from other hosts and runs no inline scripts. The policy lacks `upgrade-insecure-requests`,
 * which would leave the page blank where there is no HTTPS, such as in an internal network.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Clients reach a server under few addresses; a page is made for each of these. */
const MAX_PAGES = 16

/** Mounts `/openapi.json`, `/llms.txt`, `/downloads/`, and the reference page `/docs` with the files that it loads. */
export async function mountReference(
  app: FastifyInstance,
  description: OpenApi,
  baseUrl: string | undefined,
): Promise<void> {
  const [style, script] = await Promise.all([
    mountHashed(app, 'reference.css', 'text/css; charset=utf-8'),
    mountHashed(app, 'reference.js', 'text/javascript; charset=utf-8'),
  ])
  const json = createStaticFile(Buffer.from(JSON.stringify(description)), 'application/json; charset=utf-8')
  app.get('/openapi.json', FOR_ANYONE, (request, reply) => sendStaticFile(json, request, reply))

  const clients = await findClientFiles()
  mountMarkdownPages(app, { baseUrl, clients })
  mountClientFiles(app, clients, {
    baseUrl,
    style: publicPath(baseUrl) + style,
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
  })

  // The page is made at the first request, since that takes much longer than starting the server.
  let html: string | undefined
  const pages = new LRUCache<string, StaticFile>({ max: MAX_PAGES })
  const getPage = (address: string): StaticFile => {
    const known = pages.get(address)
    if (known) return known
    html ??= createPage(description, { publicPath: publicPath(baseUrl), style, script })
    const text = html.replaceAll(ADDRESS_PLACEHOLDER, () => escapeHtml(address))
    const page = createStaticFile(Buffer.from(text), 'text/html; charset=utf-8')
    pages.set(address, page)
    return page
  }
  for (const path of ['/docs', '/docs/']) {
    app.get(path, FOR_ANYONE, (request, reply) => {
      reply.headers(PAGE_HEADERS).header('content-security-policy', CONTENT_SECURITY_POLICY)
      return sendStaticFile(getPage(publicAddress(baseUrl, request.raw)), request, reply)
    })
  }
}

/** Mounts a file of this folder under a name with a hash of its bytes, and returns the path. */
async function mountHashed(app: FastifyInstance, name: string, type: string): Promise<string> {
  const bytes = await readFile(new URL(name, import.meta.url))
  const path = `/docs/${name.replace('.', `-${hash('sha256', bytes, 'base64url').slice(0, 12)}.`)}`
  const file = createStaticFile(bytes, type, true)
  app.get(path, FOR_ANYONE, (request, reply) => sendStaticFile(file, request, reply))
  return path
}
