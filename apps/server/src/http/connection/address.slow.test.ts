import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createCapturedLog } from '../../testing/captured-log.ts'
import { startServer } from '../../testing/start-server.ts'

/** The warnings of a server about proxies, after it has answered requests with these headers. */
async function warningsOf(
  t: TestContext,
  env: Record<string, string>,
  requests: readonly Record<string, string>[] = [],
): Promise<string[]> {
  const { log, lines } = createCapturedLog()
  const { request } = await startServer(t, env, log)
  for (const headers of requests) {
    for (const path of ['/app/v1/sign-in', '/api/v1/team', '/docs']) await request(path, { headers })
  }
  return lines
    .filter(({ level, msg }) => level === 'warn' && msg.includes('MEADOW_TRUSTED_PROXIES'))
    .map(({ msg }) => msg)
}

test('[HTTP-22] given an address that is not where the server listens, and no trusted proxy, when it starts, then it warns; otherwise it does not', async (t) => {
  const cases: [Record<string, string>, boolean][] = [
    [{ MEADOW_BASE_URL: 'https://meadow.example.org' }, true],
    [{ MEADOW_BASE_URL: 'https://127.0.0.1' }, true],
    [{ MEADOW_BASE_URL: 'http://meadow.example.org/meadow' }, true],
    [{ MEADOW_BASE_URL: 'https://meadow.example.org', MEADOW_TRUSTED_PROXIES: '127.0.0.1' }, false],
    [{ MEADOW_BASE_URL: 'http://localhost' }, false],
    [{ MEADOW_BASE_URL: 'http://meadow.example.org', MEADOW_HOST: '0.0.0.0' }, false],
    [{}, false],
  ]
  for (const [env, isWarned] of cases) {
    const warnings = await warningsOf(t, env)
    assert.equal(warnings.length, isWarned ? 1 : 0, JSON.stringify(env))
    if (isWarned) assert.match(warnings[0]!, /Set it to the address of the proxy, .+lock out all of them/)
  }
})

test('[HTTP-22] given requests with forwarding headers, when their sender is not trusted, then that is logged once, with the variable to set', async (t) => {
  const forwarded = [{ 'x-forwarded-for': '203.0.113.9' }, { forwarded: 'for=203.0.113.9' }]
  for (const headers of forwarded) {
    const warnings = await warningsOf(t, {}, [{}, headers, ...forwarded])
    assert.equal(warnings.length, 1)
    const name = 'forwarded' in headers ? 'Forwarded' : 'X-Forwarded-For'
    assert.match(
      warnings[0]!,
      new RegExp(`^A request from 127\\.0\\.0\\.1 carries ${name}, .+ add it to MEADOW_TRUSTED_PROXIES;`),
    )
  }
  assert.equal((await warningsOf(t, { MEADOW_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }, forwarded)).length, 1)
  for (const proxies of ['127.0.0.1', '10.0.0.0/8, 127.0.0.0/8', '::1, ::ffff:127.0.0.1']) {
    assert.deepEqual(await warningsOf(t, { MEADOW_TRUSTED_PROXIES: proxies }, forwarded), [], proxies)
  }
  assert.deepEqual(await warningsOf(t, {}, [{}]), [])
})
