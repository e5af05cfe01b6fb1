import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../http/http-error.ts'
import type { Metrics } from '../../http/metrics.ts'
import { FOR_ANYONE } from '../../http/route-access.ts'
import type { FindFault } from './readiness.ts'

export interface HealthParts {
  findFault: FindFault
  /** Finds what the operator should know though the process is ready: sentences. */
  findWarnings(): Promise<string[]>
  /** Aborts when the process begins to stop. */
  stopping: AbortSignal
  /** Undefined when `/metrics` is served elsewhere. */
  metrics?: Pick<Metrics, 'registry'> | undefined
  /** The token that `/metrics` asks for; undefined when it asks for none. */
  metricsToken?: string | undefined
}

/** `/healthz`: the process runs. `/readyz`: it can do its work and is not stopping. `/metrics`: for Prometheus. */
export function mountHealth(
  app: FastifyInstance,
  { findFault, findWarnings, stopping, metrics, metricsToken }: HealthParts,
): void {
  app.get('/healthz', FOR_ANYONE, () => ({ status: 'ok' }))
  app.get('/readyz', FOR_ANYONE, async (_request, reply) => {
    if (stopping.aborted) throw new HttpError('stopping', { headers: { 'retry-after': '5' } })
    const fault = await findFault()
    if (fault !== undefined) return reply.code(503).header('retry-after', '5').send({ error: fault })
    const warnings = await findWarnings().catch(() => [])
    return { status: 'ready', ...(warnings.length > 0 && { warnings }) }
  })
  if (!metrics) return
  const { registry } = metrics
  app.get('/metrics', FOR_ANYONE, async ({ headers }, reply) => {
    if (metricsToken !== undefined && !isBearer(headers.authorization, metricsToken))
      throw new HttpError('metrics_token_needed', { headers: { 'www-authenticate': 'Bearer' } })
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** Takes the same time however much of the token is right. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
