import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../http/http-error.ts'
import type { Metrics } from '../../http/metrics.ts'
import { createReadiness, type ReadinessParts } from './readiness.ts'

/** `/healthz`: the process runs. `/readyz`: it can serve requests and is not stopping. `/metrics`: for Prometheus. */
export function mountHealth(app: FastifyInstance, metrics: Metrics, parts: ReadinessParts): void {
  const findFault = createReadiness(parts)
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (app.stopping.aborted) throw new HttpError('stopping', { headers: { 'retry-after': '5' } })
    const fault = await findFault()
    if (fault === undefined) return { status: 'ready' }
    return reply.code(503).header('retry-after', '5').send({ error: fault })
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}
