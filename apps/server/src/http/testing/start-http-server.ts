import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { createLog, createRequestLog, type Log } from '../../platform/log.ts'
import { createMetrics } from '../metrics.ts'
import { ReadyAnswers } from '../ready-answers.ts'
import { createHttpServer, type HttpServerOptions } from '../server.ts'

/** A real server with what is true of every answer, and with the pages that `mount` adds. */
export async function startHttpServer(
  t: TestContext,
  mount: (app: FastifyInstance) => void,
  { log = createLog('silent'), ...options }: HttpServerOptions & { log?: Log } = {},
): Promise<{ app: FastifyInstance; address: string }> {
  const metrics = createMetrics()
  const readyAnswers = new ReadyAnswers(0, () => undefined, {
    metrics,
    log: createRequestLog(log),
    tokenUse: { note: () => {} },
  })
  const app = createHttpServer(log, metrics, readyAnswers, options)
  mount(app)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => app.close())
  return { app, address }
}
