import type { FastifyInstance } from 'fastify'
import { AUTH_PATH, OIDC_PROVIDER } from './auth.ts'
import type { Oidc } from './oidc.ts'

/** The one address that is not declared: the provider sends browsers to it, and better-auth answers. */
export function mountOidc(app: FastifyInstance, oidc: Oidc): void {
  app.get(`${AUTH_PATH}/callback/${OIDC_PROVIDER}`, async (request, reply) => {
    const answer = await oidc.finish(request.raw)
    reply.code(answer.status).header('cache-control', 'no-store')
    const to = answer.headers.get('location')
    if (to !== null) reply.header('location', to)
    const cookies = answer.headers.getSetCookie()
    if (cookies.length > 0) reply.header('set-cookie', cookies)
    return reply.send()
  })
}
