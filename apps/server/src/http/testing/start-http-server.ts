import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { readConfig } from '../../config.ts'
import { createLog, type Log } from '../../platform/log.ts'
import { type AdmissionLimits, createAdmission, createLimits, TeamActivity } from '../admission.ts'
import { createMetrics, type Metrics } from '../metrics.ts'
import { RequestLog } from '../request-log.ts'
import { createSecurityHeaders } from '../responses/security-headers.ts'
import { type ApiHandler, createHttpServer, type HttpServerOptions } from '../server.ts'

/** A real server with what is true of every response, and with the pages that `mount` adds. */
export async function startHttpServer(
  t: TestContext,
  mount: (app: FastifyInstance) => void,
  {
    log = createLog('silent'),
    admissionLimits = readConfig({}).admission,
    activity = new TeamActivity(),
    maxWorkMs,
    handleApi = () => assert.fail('There is no API here.'),
    ...options
  }: HttpServerOptions & {
    log?: Log
    admissionLimits?: AdmissionLimits
    activity?: Pick<TeamActivity, 'note' | 'isAlone'>
    maxWorkMs?: number
    handleApi?: ApiHandler
  } = {},
): Promise<{ app: FastifyInstance; address: string; metrics: Metrics }> {
  const metrics = createMetrics()
  const admission = createAdmission(createLimits(admissionLimits, metrics, activity), maxWorkMs)
  const app = createHttpServer(
    {
      log,
      requestLog: new RequestLog(log, metrics),
      admission,
      repeatedRequests: { respond: () => false },
      securityHeaders: createSecurityHeaders({ baseUrl: undefined, hsts: 'host' }),
      handleApi,
    },
    options,
  )
  mount(app)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => app.close())
  return { app, address, metrics }
}
