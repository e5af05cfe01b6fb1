import type { TestContext } from 'node:test'
import { startSolutions } from '../../../../apps/server/src/features/solutions/testing/start-solutions.ts'
import { atEnd } from '../../../../apps/server/src/testing/at-end.ts'
import { type HttpOptions, serveMcpOverHttp } from '../http.ts'

/** What the server could not tell its callers. A test fails for it, unless it looks for it. */
export const reported: unknown[] = []

/** MCP over HTTP for a service, until the test ends. */
export async function startHttp(t: TestContext, baseUrl: string, options: Partial<HttpOptions> = {}) {
  const http = await serveMcpOverHttp({
    baseUrl,
    port: 0,
    report: (error) => reported.push(error),
    ...options,
  })
  atEnd(t, () => http.close())
  return http
}

/** A real service with a team, whose solves the test runs itself, and MCP over HTTP for it. */
export async function startMcp(t: TestContext) {
  const service = await startSolutions(t)
  const { url } = await startHttp(t, service.address)
  return { ...service, url }
}
