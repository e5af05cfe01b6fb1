import Fastify from 'fastify'
import { describeListenFailure } from '../../http/connection/listen-failure.ts'
import { HttpError, sendError, toErrorResponse } from '../../http/http-error.ts'
import { createSecurityHeaders, type SecurityHeaderOptions } from '../../http/responses/security-headers.ts'
import { requireAccess } from '../../http/route-access.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import { type HealthParts, mountHealth } from './health.routes.ts'

/** `/healthz`, `/readyz` and `/metrics` at a port of their own, which only monitoring has to reach. */
export interface Monitoring extends AsyncDisposable {
  /** The address at which it listens, without a closing slash. */
  readonly address: string
}

interface MonitoringConfig extends SecurityHeaderOptions {
  metricsHost: string
  metricsPort: number | undefined
  metricsToken: string | undefined
}

/**
 * Listens on `metricsPort` of `metricsHost`; undefined where no port is configured. Throws a sentence when it cannot
 * listen there. The answers are those of {@link mountHealth}; every other path is 404.
 */
export async function openMonitoring(
  config: MonitoringConfig,
  parts: HealthParts & Required<Pick<HealthParts, 'metrics'>>,
): Promise<Monitoring | undefined> {
  const { metricsHost: host, metricsPort: port, metricsToken } = config
  if (port === undefined) return undefined
  const responseHeaders = { 'cache-control': 'no-store', ...createSecurityHeaders(config) }
  const app = Fastify({ logger: false, forceCloseConnections: true })
  requireAccess(app)
  app.addHook('onRequest', async (_request, reply) => void reply.headers(responseHeaders))
  app.setNotFoundHandler(() => {
    throw new HttpError('page_not_found')
  })
  app.setErrorHandler((error, _request, reply) => {
    sendError({ response: reply.raw, responseHeaders }, toErrorResponse(error))
    return reply.hijack()
  })
  mountHealth(app, { ...parts, metricsToken })
  const address = await app
    .listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
    .catch((cause) => {
      const variables = { host: 'MEADOW_METRICS_HOST', port: 'MEADOW_METRICS_PORT' }
      const sentence = describeListenFailure(cause, { host, port, variables })
      throw new Error(sentence ?? `Cannot listen on port ${port} (${variables.port}): ${reasonOf(cause)}.`, {
        cause,
      })
    })
  return { address, [Symbol.asyncDispose]: () => app.close() }
}
