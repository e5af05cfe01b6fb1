import { APP_PAGES } from '@meadow/contract/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { negotiateFile } from '../../http/responses/encodings.ts'
import { matchesTag } from '../../http/responses/entity-tag.ts'
import { createPage, FILE_HEADERS } from './page-headers.ts'
import type { WebBuild } from './read-build.ts'
import type { StaticFile } from './static-file.ts'

const YEAR_S = 365 * 24 * 3600

const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Meadow</title></head><body>
<h1>The web app is not built</h1>
<p>The API works. To build the web app, run <code>npm ci</code> or <code>node tools/build-web.ts</code> in the folder of
Meadow, and start the server again.</p>
<p>The reference of the API is at <code>/docs</code>.</p>
</body></html>
`

/** The pages of the web app and the files that they load. `build` is undefined where there is none. */
export function mountPages(app: FastifyInstance, build: WebBuild | undefined): void {
  for (const [path, file] of build?.files ?? []) {
    if (path === '/index.html') continue
    app.get(path, (request, reply) => sendFile(file, request, reply))
  }
  for (const path of APP_PAGES) {
    app.get(path, (_request, reply) => sendPage(build, reply, build ? 200 : 503))
  }
}

/** The app tells people that there is nothing where they went. */
export const createUnknownPage =
  (build: WebBuild | undefined) =>
  (request: FastifyRequest, reply: FastifyReply): boolean => {
    if (!build || !wantsPage(request)) return false
    sendPage(build, reply, 404)
    return true
  }

/** A browser that goes to an address, not a script that asks for something. */
const wantsPage = ({ method, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (headers.accept?.includes('text/html') ?? false)

function sendPage(build: WebBuild | undefined, reply: FastifyReply, status: number): FastifyReply {
  const { html, headers } = createPage(build?.html ?? NOT_BUILT)
  return reply.code(status).headers(headers).type('text/html; charset=utf-8').send(html)
}

async function sendFile(
  file: StaticFile,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const accepted = request.headers['accept-encoding'] as string | undefined
  const encoding = file.isCompressible ? negotiateFile(accepted) : undefined
  const tag = file.tagIn(encoding)
  reply
    .headers(FILE_HEADERS)
    .header('etag', tag)
    .header('vary', 'Accept-Encoding')
    .header('cache-control', file.isImmutable ? `public, max-age=${YEAR_S}, immutable` : 'public, no-cache')
  if (matchesTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(file.type).send(await file.bytesIn(encoding))
}
