import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** `/openapi.json`, and `/docs`, a reference page that needs no other host. */
export async function mountReference(app: FastifyInstance, description: object): Promise<void> {
  const json = JSON.stringify(description)
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(json))
  app.get('/', (_request, reply) => reply.redirect('/docs'))
  await app.register(swagger, { mode: 'static', specification: { document: description as never } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { deepLinking: true, docExpansion: 'list', tryItOutEnabled: true, validatorUrl: null },
    theme: { title: 'Meadow API' },
  })
}
