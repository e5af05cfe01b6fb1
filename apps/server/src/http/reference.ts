import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { pathOf } from './address.ts'

/**
 * Nothing comes from another host, and nothing in the page runs that is not a file of ours. No
 * `upgrade-insecure-requests`: it leaves the page blank where there is no HTTPS, as inside an office.
 */
const CONTENT_SECURITY_POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

/** `/openapi.json`, and `/docs`, a reference page that needs no other host. `publicPath` is what clients put before. */
export async function mountReference(
  app: FastifyInstance,
  description: object,
  publicPath: string,
): Promise<void> {
  const json = JSON.stringify(description)
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(json))
  await app.register(swagger, { mode: 'static', specification: { document: description as never } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: publicPath,
    staticCSP: CONTENT_SECURITY_POLICY,
    uiConfig: { deepLinking: true, docExpansion: 'list', tryItOutEnabled: true, validatorUrl: null },
    theme: { title: 'Meadow API' },
    uiHooks: {
      // The plugin's own redirect from there knows nothing of a path before it.
      onRequest: (request, reply, next) => {
        if (pathOf(request.url) === '/docs/static/index.html') reply.redirect(`${publicPath}/docs/`)
        else next()
      },
    },
  })
}
