import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DATABASES } from '../../testing/databases.ts'
import { startFaultProxy } from '../../testing/fault-proxy.ts'
import { findFreePort } from '../../testing/find-free-port.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { startServer } from '../../testing/start-server.ts'
import { until } from '../../testing/until.ts'

const statusOf = (url: string) => fetch(url).then((response) => response.status)

test('[RDY-3] given a port for monitoring, then it alone serves /metrics, and it serves the health checks and nothing else', async (t) => {
  const { service, address, get } = await startServer(t, { MEADOW_METRICS_PORT: '0' })
  const monitoring = service.monitoringAddress!
  assert.equal((await get('/team')).status, 200)
  assert.deepEqual(
    await Promise.all(
      [
        ...['/healthz', '/readyz', '/metrics', '/api/v1/team', '/'].map((path) => monitoring + path),
        ...['/healthz', '/readyz', '/metrics'].map((path) => address + path),
      ].map(statusOf),
    ),
    [200, 200, 200, 404, 404, 200, 200, 404],
  )
  const metrics = await (await fetch(`${monitoring}/metrics`)).text()
  assert.match(metrics, /^meadow_http_request_duration_seconds_count\{.*team.*\} 1$/m)
  assert.match(metrics, /^meadow_info\{kind="serve",version="[\d.]+"\} 1$/m)
})

test('[RDY-3] given a port for monitoring that is in use, when the server starts, then it says which variable names it', async (t) => {
  const { service } = await startServer(t, { MEADOW_METRICS_PORT: '0' })
  const { port } = new URL(service.monitoringAddress!)
  await assert.rejects(
    startServer(t, { MEADOW_METRICS_PORT: port }),
    new RegExp(`^Error: Port ${port} is in use\\. Set MEADOW_METRICS_PORT`),
  )
})

test('[RDY-6] given a token for monitoring, when /metrics is read at either port, then it is needed, and nothing else needs it', async (t) => {
  const token = 'a token of monitoring'.replaceAll(' ', '-')
  const env = { MEADOW_METRICS_TOKEN: token, MEADOW_SOLVE_WORKERS: '0' }
  const one = await startServer(t, env)
  const other = await startServer(t, { ...env, MEADOW_METRICS_PORT: '0', MEADOW_METRICS_HOST: '127.0.0.2' })
  const monitoring = other.service.monitoringAddress!
  assert.equal(new URL(monitoring).hostname, '127.0.0.2')
  for (const address of [one.address, monitoring]) {
    const read = (authorization?: string) =>
      fetch(`${address}/metrics`, { headers: authorization === undefined ? {} : { authorization } })
    for (const wrong of [
      undefined,
      'Bearer',
      `Bearer ${token}x`,
      `Bearer ${token} x`,
      `Basic ${token}`,
      token,
    ]) {
      const response = await read(wrong)
      assert.deepEqual(
        [response.status, response.headers.get('www-authenticate')],
        [401, 'Bearer'],
        `${address} with ${wrong}`,
      )
      assert.match(await response.text(), /MEADOW_METRICS_TOKEN/)
    }
    assert.equal((await read(`Bearer ${token}`)).status, 200)
    for (const path of ['/healthz', '/readyz']) assert.equal(await statusOf(address + path), 200)
  }
  for (const path of ['/metrics', '/readyz', '/nothing']) {
    const { headers } = await fetch(monitoring + path)
    assert.deepEqual(
      ['x-content-type-options', 'cache-control'].map((name) => headers.get(name)),
      ['nosniff', path === '/nothing' || path === '/metrics' ? 'private, no-cache' : 'no-store'],
      path,
    )
  }
})

test('[RDY-3] given a process that only solves, when it has a port for monitoring, then that serves its health and metrics', {
  skip: noLauncher,
}, async (t) => {
  const port = await findFreePort()
  const { start, json } = await createCommandLine(t, { MEADOW_METRICS_PORT: String(port) })
  await json('team', 'create', 'Acme')
  const solver = start('work', '--workers', '1')
  const url = `http://127.0.0.1:${port}`
  await until('it is ready', () =>
    statusOf(`${url}/readyz`).then(
      (status) => status === 200,
      () => false,
    ),
  )
  const metrics = await (await fetch(`${url}/metrics`)).text()
  for (const line of ['meadow_solve_workers 1', 'meadow_solves_queued 0', 'meadow_ready 1'])
    assert.ok(metrics.split('\n').includes(line), line)
  solver.kill('SIGTERM')
  assert.equal((await solver.finished).code, 0)
})

const postgres = DATABASES[1]!

test(
  '[RDY-4] given PostgreSQL that hangs, when /metrics is read, then it responds, and says that the database is away',
  postgres.options,
  async (t) => {
    const { databaseUrl } = await postgres.createLocation(t)
    const proxy = await startFaultProxy(t, databaseUrl!)
    const { request } = await startServer(t, { DATABASE_URL: proxy.url, MEADOW_SOLVE_WORKERS: '0' })
    const read = async (name: string) => {
      const { text, status } = await request('/metrics')
      assert.equal(status, 200)
      return new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]
    }
    assert.deepEqual([await read('meadow_database_up'), await read('meadow_solves_queued')], ['1', '0'])
    assert.ok(Number(await read('meadow_database_statement_duration_seconds_count')) > 0)
    proxy.freeze()
    await until('it says so', async () => (await read('meadow_database_up')) === '0')
    assert.equal(await read('meadow_ready'), '0')
    assert.equal(await read('meadow_solves_queued'), undefined)
    assert.ok(Number(await read('meadow_database_outages_total')) >= 1)
    await proxy.resume()
    await until('it is back', async () => (await read('meadow_ready')) === '1')
  },
)
