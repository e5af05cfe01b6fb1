import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../http/metrics.ts'
import { refuse } from '../../http/refusal.ts'
import type { Database } from '../../platform/database/database.ts'

/** `/healthz`: the process runs. `/readyz`: it can answer, and goes on to. `/metrics`: what it counted, for Prometheus. */
export function mountHealth(app: FastifyInstance, metrics: Metrics, database: Database): void {
  app.get('/healthz', () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (app.stopping.aborted) throw refuse('stopping', { headers: { 'retry-after': '5' } })
    const answers = await canRead(database)
    return reply
      .code(answers ? 200 : 503)
      .send(answers ? { status: 'ready' } : { error: 'The database does not answer.' })
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
}

async function canRead(database: Database): Promise<boolean> {
  try {
    await database.read.selectFrom('team').select('id').limit(1).execute()
    return true
  } catch {
    return false
  }
}
