import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCapturedLog } from '../testing/captured-log.ts'
import { startServer } from '../testing/start-server.ts'
import { listExposures } from './exposure.ts'

const CLOSED = {
  baseUrl: undefined,
  host: '127.0.0.1',
  port: 4000,
  trustedProxies: [],
  metricsPort: undefined,
  metricsToken: undefined,
  misspellings: [],
}
const PUBLIC = {
  ...CLOSED,
  host: '0.0.0.0',
  baseUrl: 'https://meadow.example.org',
  trustedProxies: ['10.0.0.1'],
}

test('[HTTP-42] given settings, then each that exposes the service is found with a remedy, and no other', () => {
  const cases: [Partial<typeof PUBLIC> | object, string[]][] = [
    [CLOSED, []],
    [{ ...CLOSED, baseUrl: 'http://localhost:4000' }, []],
    [{ ...PUBLIC, metricsToken: 'a token of monitoring' }, []],
    [{ ...PUBLIC, metricsPort: 9400 }, []],
    [PUBLIC, ['metrics']],
    [{ ...PUBLIC, trustedProxies: [] }, ['proxy', 'metrics']],
    [{ ...CLOSED, host: '0.0.0.0' }, ['base URL', 'metrics']],
    [{ ...CLOSED, host: '::', metricsPort: 9400 }, ['base URL']],
    // Loopback, but a proxy leads there.
    [{ ...CLOSED, baseUrl: 'https://meadow.example.org' }, ['proxy', 'metrics']],
    [{ ...PUBLIC, metricsPort: 1, baseUrl: 'http://meadow.example.org' }, ['encryption']],
    [{ ...PUBLIC, metricsPort: 1, baseUrl: 'http://203.0.113.5' }, ['encryption']],
    [{ ...PUBLIC, metricsPort: 1, baseUrl: 'http://[2001:db8::5]' }, ['encryption']],
    [{ ...PUBLIC, metricsPort: 1, baseUrl: 'http://192.168.3.4' }, []],
    [{ ...PUBLIC, metricsPort: 1, baseUrl: 'http://[fd00::5]' }, []],
    [{ ...PUBLIC, metricsPort: 1, baseUrl: 'http://meadow' }, []],
    [{ ...PUBLIC, metricsPort: 1, baseUrl: 'http://meadow.office.internal' }, []],
    [{ ...CLOSED, misspellings: [{ name: 'MEADOW_PROT', meant: 'MEADOW_PORT' }] }, ['variables']],
  ]
  for (const [config, expected] of cases) {
    const found = listExposures(config as typeof PUBLIC)
    assert.deepEqual(
      found.map(({ what }) => what),
      expected,
      JSON.stringify(config),
    )
    for (const { says, remedy } of found) for (const text of [says, remedy]) assert.match(text, /^[A-Z].+\.$/)
  }
})

test('[HTTP-42] given exposing settings, when the server starts, then each is a warning; with none, there is none', async (t) => {
  const warningsOf = async (env: Record<string, string>) => {
    const { log, lines } = createCapturedLog()
    await startServer(t, { MEADOW_SOLVE_WORKERS: '0', ...env }, log)
    return lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg)
  }
  assert.deepEqual(await warningsOf({}), [])
  const [proxy, encryption, metrics, ...others] = await warningsOf({
    MEADOW_BASE_URL: 'http://meadow.example.org',
  })
  assert.match(proxy!, /MEADOW_TRUSTED_PROXIES is not set\. Set it/)
  assert.match(encryption!, /without https: .+ Put a proxy with a certificate in front/)
  assert.match(metrics!, /can read \/metrics.+ MEADOW_METRICS_TOKEN\.$/)
  assert.deepEqual(others, [])
})
