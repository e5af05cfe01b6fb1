import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { pathOf } from '../connection/address.ts'

/**
 * The page loads nothing from other hosts and runs no inline scripts. Without `upgrade-insecure-requests`, which would
 * leave the page blank where there is no HTTPS, such as in an internal network.
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

/** Mounts `/openapi.json` and the reference page `/docs`. `publicPath` is the path of the public address. */
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
      // The plugin's own redirect from there leaves out the public path.
      onRequest: (request, reply, next) => {
        if (pathOf(request.url) === '/docs/static/index.html') reply.redirect(`${publicPath}/docs/`)
        else next()
      },
    },
  })
}
