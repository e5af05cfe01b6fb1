import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../http/http-error.ts'
import type { Metrics } from '../../http/metrics.ts'
import type { FindFault } from './readiness.ts'

export interface HealthParts {
  findFault: FindFault
  /** Aborts when the process begins to stop. */
  stopping: AbortSignal
  /** Undefined: `/metrics` is served elsewhere. */
  metrics?: Pick<Metrics, 'registry'> | undefined
}

/** `/healthz`: the process runs. `/readyz`: it can do its work and is not stopping. `/metrics`: for Prometheus. */
export function mountHealth(app: FastifyInstance, { findFault, stopping, metrics }: HealthParts): void {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (stopping.aborted) throw new HttpError('stopping', { headers: { 'retry-after': '5' } })
    const fault = await findFault()
    if (fault === undefined) return { status: 'ready' }
    return reply.code(503).header('retry-after', '5').send({ error: fault })
  })
  if (!metrics) return
  const { registry } = metrics
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
