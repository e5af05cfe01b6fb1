import type { MemberRole } from '@meadow/contract'
import { createSuiteScope } from './at-end.ts'
import type { TestDatabase } from './databases.ts'
import { startWebApp, type WebApp } from './start-web-app.ts'

/**
 * Returns a function that gives a test a team of its own on one server for all tests of a suite, whose processes, which
 * read files and solve, take longer to start than most tests. To be called in the body of the suite.
 */
export function shareWebApp(kind: TestDatabase, env?: Record<string, string>): () => Promise<WebApp> {
  const scope = createSuiteScope()
  let shared: Promise<WebApp> | undefined
  return async () => {
    shared ??= startWebApp(scope, kind, env)
    const app = await shared
    const team = await app.fixtures.team('Acme')
    const { secret } = await app.fixtures.token(team)
    return {
      ...app,
      team,
      secret,
      get: (path, init) => app.get(path, { token: secret, ...init }),
      signIn: (name: string, role?: MemberRole, of = team) => app.signIn(name, role, of),
    }
  }
}
