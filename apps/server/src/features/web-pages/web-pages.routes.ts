import { randomBytes } from 'node:crypto'
import { APP_PAGES, EMBED_META, EMBED_PAGE, EMBED_PLAYER_PAGE, PLAYER_PAGE } from '@meadow/contract/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_HEADERS } from '../../http/responses/security-headers.ts'
import { type StaticFile, sendStaticFile } from '../../http/responses/static-file.ts'
import { FOR_ANYONE } from '../../http/route-access.ts'
import { PAGE_FILES, type WebBuild } from './web-build.ts'

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Meadow</title></head><body>
<h1>The web app is not built</h1>
<p>The API works. To build the web app, run <code>npm ci</code> (without <code>--omit=dev</code>) or
<code>npm run prepare</code> in the folder of Meadow, and start the server again.</p>
<p>The reference of the API is at <code>/docs</code>.</p>
</body></html>
`

/** The path of the build's files that have hashes in their names. */
const ASSETS = '/assets/'

/** The pages of the web app and the files that they load. `build` is undefined when the web app was not built. */
export function mountPages(app: FastifyInstance, build: WebBuild | undefined): void {
  const files = build?.files ?? new Map<string, StaticFile>()
  for (const [path, file] of files) {
    if (PAGE_FILES.has(path) || path.startsWith(ASSETS)) continue
    app.get(path, FOR_ANYONE, (request, reply) => sendStaticFile(file, request, reply))
  }
  app.get(`${ASSETS}*`, FOR_ANYONE, (request, reply) => {
    const file = files.get(ASSETS + (request.params as { '*': string })['*'])
    return file ? sendStaticFile(file, request, reply) : reply.callNotFound()
  })
  for (const path of [...APP_PAGES, EMBED_PAGE, EMBED_PLAYER_PAGE]) {
    const html = path === PLAYER_PAGE || path === EMBED_PLAYER_PAGE ? build?.player : build?.html
    const framing = path === EMBED_PAGE || path === EMBED_PLAYER_PAGE ? EMBED_POLICY : CLOSED_POLICY
    app.get(path, FOR_ANYONE, (_request, reply) => sendPage(html, reply, html ? 200 : 503, framing))
  }
}

/** Responds to browsers with the app, which shows that the page does not exist; false for other clients. */
export const createUnknownPage =
  (build: WebBuild | undefined) =>
  (request: FastifyRequest, reply: FastifyReply): boolean => {
    if (!build || !wantsPage(request)) return false
    sendPage(build.html, reply, 404)
    return true
  }

/** Whether the request is a navigation of a browser rather than a request of a script. */
const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false)

function sendPage(
  html: string | undefined,
  reply: FastifyReply,
  status: number,
  framing: FramePolicy = CLOSED_POLICY,
): FastifyReply {
  const page = createPage(html ?? NOT_BUILT, framing)
  return reply.code(status).headers(page.headers).type('text/html; charset=utf-8').send(page.html)
}

interface Page {
  html: string
  headers: Record<string, string>
}

/** Who may show a page in a frame. */
interface FramePolicy {
  ancestors: string
  headers: Record<string, string>
  /** Inserted into the page. */
  meta: string
}

/** Nobody: in a frame under another site's control, users could be made to click what they do not see. */
const CLOSED_POLICY: FramePolicy = {
  ancestors: "'none'",
  headers: { 'x-frame-options': 'DENY' },
  meta: '',
}

/**
 * Anyone, pages on a disk included. The app learns of it from the page rather than from its address, which can be
 * written in several ways: in a frame it must not offer edits, and not use the session.
 */
const EMBED_POLICY: FramePolicy = {
  ancestors: '* file:',
  headers: {},
  meta: `<meta name="${EMBED_META}">`,
}

/**
 * The page with a new nonce, with which the component library marks the styles that it creates while the app runs.
 * Styles that scripts set on elements are always allowed; those in attributes are used by the graph.
 */
function createPage(html: string, framing: FramePolicy): Page {
  const nonce = randomBytes(16).toString('base64')
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': `'self' 'nonce-${nonce}'`,
    'style-src-attr': "'unsafe-inline'",
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'worker-src': "'self'",
    'manifest-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': framing.ancestors,
  }
  return {
    html: html.replace(
      /<head>/i,
      (head) =>
        `${head}<meta property="csp-nonce" nonce="${nonce}"><meta name="robots" content="noindex">${framing.meta}`,
    ),
    headers: {
      ...PAGE_HEADERS,
      'content-security-policy': Object.entries(policy)
        .map(([name, value]) => `${name} ${value}`)
        .join('; '),
      // Who has the link of a public document may open it: it is not published by that.
      'x-robots-tag': 'noindex',
      ...framing.headers,
      // `no-store` would disable the back/forward cache.
      'cache-control': 'no-cache',
    },
  }
}
