import Fastify from 'fastify'
import { sendError, toErrorResponse } from '../../http/http-error.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import { type HealthParts, mountHealth } from './health.routes.ts'

/** `/healthz`, `/readyz` and `/metrics` at a port of their own, which only monitoring has to reach. */
export interface Monitoring extends AsyncDisposable {
  /** Where it listens, without a closing slash. */
  readonly address: string
}

/**
 * Listens on `metricsPort`; undefined where none is configured. Throws a sentence when it cannot listen there. The answers are those of
 * {@link mountHealth}; every other path is 404.
 */
export async function openMonitoring(
  { host, metricsPort: port }: { host: string; metricsPort: number | undefined },
  parts: HealthParts & Required<Pick<HealthParts, 'metrics'>>,
): Promise<Monitoring | undefined> {
  if (port === undefined) return undefined
  const app = Fastify({ logger: false, forceCloseConnections: true })
  app.setErrorHandler((error, _request, reply) => sendError(reply, toErrorResponse(error)))
  mountHealth(app, parts)
  const address = await app
    .listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
    .catch((cause) => {
      throw new Error(`Cannot listen on port ${port} (MEADOW_METRICS_PORT): ${reasonOf(cause)}.`, { cause })
    })
  return { address, [Symbol.asyncDispose]: () => app.close() }
}
