import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as sendRequest } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { readConfig } from '../../config.ts'
import { givenDocuments } from '../../features/solves/testing/given-solves.ts'
import { points } from '../../features/solves/testing/graphs.ts'
import { findFreePort } from '../../testing/find-free-port.ts'
import { createCommandLine, noLauncher } from '../../testing/meadow-server.ts'
import { until } from '../../testing/until.ts'
import { openDatabase } from '../database/open-database.ts'
import { createPrometheusProducer } from './prometheus-producer.ts'
import { createDiagLogger, readTelemetrySettings } from './telemetry.ts'
import { type ReceivedSpan, startCollector } from './testing/start-collector.ts'

test('[TEL-1] given variables of OpenTelemetry, when they are read, then nothing is sent unless they name a collector or an exporter', () => {
  const HERE = 'http://127.0.0.1:4318'
  const metrics = { protocol: 'http/protobuf', intervalMs: 60_000 }
  for (const [env, settings] of [
    [{}, undefined],
    [{ OTEL_SERVICE_NAME: 'meadow' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: HERE, OTEL_SDK_DISABLED: 'true' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: HERE }, { traces: true, metrics }],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, { traces: true, metrics: undefined }],
    [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: HERE }, { traces: false, metrics }],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: HERE, OTEL_METRICS_EXPORTER: 'none' },
      { traces: true, metrics: undefined },
    ],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: HERE,
        OTEL_TRACES_EXPORTER: 'none',
        OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'grpc',
        OTEL_METRIC_EXPORT_INTERVAL: '5000',
      },
      { traces: false, metrics: { protocol: 'grpc', intervalMs: 5000 } },
    ],
  ] as const)
    assert.deepEqual(readTelemetrySettings(env), settings, JSON.stringify(env))
})

test('[TEL-1] given variables of OpenTelemetry that cannot be used, when the configuration is read, then all are mistakes', () => {
  const env = {
    OTEL_TRACES_EXPORTER: 'zipkin',
    OTEL_METRICS_EXPORTER: 'prometheus',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'thrift',
    OTEL_METRIC_EXPORT_INTERVAL: 'often',
    MEADOW_PORT: 'none',
  }
  assert.throws(
    () => readConfig(env),
    (error: Error) => {
      const names = error.message.split('\n').map((line) => line.split(' ')[0])
      return Object.keys(env).every((name) => names.includes(name))
    },
  )
})

test('[TEL-5] given metrics of each kind, when they are sent, then their values are those that Prometheus would read', async () => {
  const registry = new Registry()
  const registers = [registry]
  new Counter({ name: 'made_total', help: 'Made.', labelNames: ['kind'], registers }).labels('one').inc(3)
  new Gauge({ name: 'open', help: 'Open.', registers }).set(-2.5)
  const took = new Histogram({
    name: 'took',
    help: 'Took.',
    labelNames: ['kind'],
    buckets: [1, 10],
    registers,
  })
  for (const seconds of [0.5, 1, 3, 30]) took.labels('one').observe(seconds)
  took.labels('other').observe(5)
  const { resourceMetrics, errors } = await createPrometheusProducer(registry).collect()
  assert.deepEqual(errors, [])
  const points = resourceMetrics.scopeMetrics[0]!.metrics.flatMap(({ descriptor, dataPoints }) =>
    dataPoints.map(({ attributes, value }) => [descriptor.name, { ...attributes }, value]),
  )
  const histogram = (counts: number[], sum: number) => ({
    buckets: { boundaries: [1, 10], counts },
    count: counts.reduce((a, b) => a + b),
    sum,
  })
  assert.deepEqual(points, [
    ['made_total', { kind: 'one' }, 3],
    ['open', {}, -2.5],
    ['took', { kind: 'one' }, histogram([2, 1, 1], 34.5)],
    ['took', { kind: 'other' }, histogram([0, 1, 0], 5)],
  ])
})

test('[TEL-6] given exports that fail again and again, then that is logged once a minute, without stacks and headers', () => {
  const said: unknown[] = []
  let now = 0
  const log = { warn: (facts: unknown) => void said.push(facts) }
  const { error, warn, info } = createDiagLogger(log as never, () => now)
  error(JSON.stringify({ message: 'connect ECONNREFUSED', stack: 'at a secret place', code: 'ECONNREFUSED' }))
  error('again')
  info('nothing to worry about')
  now = 59_999
  warn('again')
  now = 60_000
  warn('x'.repeat(1000))
  assert.deepEqual(said, [{ reason: 'connect ECONNREFUSED' }, { reason: 'x'.repeat(200) }])
})

describe('telemetry', { skip: noLauncher }, () => {
  /** A server that sends to a collector, with a team, its token and a document. */
  async function start(t: TestContext, env: Record<string, string>) {
    const port = await findFreePort()
    const commandLine = await createCommandLine(t, {
      MEADOW_PORT: String(port),
      MEADOW_STOP_NOTICE_SECONDS: '0',
      MEADOW_SESSION_SECRET: SESSION_SECRET,
      MEADOW_TRUSTED_PROXIES: '127.0.0.1',
      MEADOW_SOLVE_WORKERS: '2',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_METRIC_EXPORT_INTERVAL: '100',
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${COLLECTOR_KEY}`,
      ...env,
    })
    const database = await openDatabase({ dataDir: commandLine.dataDir })
    const { team, documents } = await givenDocuments(database, 100, [points()])
    await database.close()
    const { token: secret } = await commandLine.json('token', 'create', '--team', team.id, '--name', 'Test')
    const server = commandLine.start('serve')
    const url = `http://127.0.0.1:${port}`
    await until('it is ready', () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    const get = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${url}/api/v1${path}`, {
        headers: { authorization: `Bearer ${secret}`, ...headers },
      })
      return { status: response.status, text: await response.text() }
    }
    return { ...commandLine, server, port, secret, get, document: documents[0]!.id as string }
  }

  const SESSION_SECRET = 'session-secret-of-this-test-that-nobody-may-see'
  const COLLECTOR_KEY = 'key-of-the-collector'
  const TRACE = '0af7651916cd43dd8448eb211c80319c'
  const PARENT = `00-${TRACE}-b7ad6b7169203331-01`

  test('[TEL-2] [TEL-3] [TEL-4] [TEL-5] given a collector, when requests are made and a document is solved, then it has their traces and metrics, without secrets', async (t) => {
    const collector = await startCollector(t)
    const { server, port, get, run, secret, document } = await start(t, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    })
    const findSpan = (what: string, is: (span: ReceivedSpan) => boolean) =>
      until(what, async () => collector.spans.find(is))
    const childrenOf = ({ spanId }: ReceivedSpan) =>
      collector.spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name)

    assert.equal((await run('solve', document, '--wait')).code, 0)
    const solve = await findSpan('the solve', ({ name }) => name === 'solve')
    assert.equal(solve.parentSpanId || undefined, undefined)
    assert.equal(solve.attributes['meadow.document'], document)
    await until('its parts', async () =>
      ['job solve', 'transaction'].every((name) => childrenOf(solve).includes(name)),
    )
    assert.equal(solve.resource['service.name'], 'meadow-serve')
    assert.equal(solve.resource['deployment.environment.name'], 'test')

    const query = 'a query that nobody may see'
    assert.equal(
      (await get(`/documents?q=${encodeURIComponent(query)}`, { traceparent: PARENT })).status,
      200,
    )
    const read = await findSpan('the request', ({ traceId, kind }) => traceId === TRACE && kind === SERVER)
    assert.equal(read.name, 'GET /api/v1/documents')
    assert.equal(read.attributes['http.response.status_code'], 200)
    await until('its statements', async () => childrenOf(read).includes('SELECT token'))
    const line = await until('its log line', async () => {
      await server.wrote('stderr', TRACE)
      return true
    })
    assert.equal(line, true)

    assert.equal((await get(`/documents/${document}/export?format=.3dm`)).status, 200)
    const exported = await findSpan('the export', ({ name }) => name.endsWith('/export'))
    await until('its job', async () => {
      const job = collector.spans.find(({ name }) => name === 'job export')
      return job?.traceId === exported.traceId && Number(job.attributes['process.pid']) > 0
    })

    if (process.platform === 'linux') {
      const other = TRACE.replace('0af', '1bf')
      const headers = { traceparent: PARENT.replace(TRACE, other) }
      // Any address of the loopback network but the trusted one.
      const request = sendRequest({
        port,
        host: '127.0.0.1',
        localAddress: '127.0.0.2',
        path: '/docs',
        headers,
      })
      const [response] = await once(request.end(), 'response')
      response.resume()
      const linked = await findSpan('the link', ({ links }) => links[0]?.traceId === other)
      assert.notEqual(linked.traceId, other)
    }

    await until('the metrics', async () =>
      collector.metrics
        .get('meadow_http_request_duration_seconds')
        ?.histogram?.dataPoints.some(({ attributes }) =>
          attributes.some(({ value }) => value.stringValue === '/api/v1/documents'),
        ),
    )
    assert.equal(collector.metrics.get('meadow_ready')?.gauge?.dataPoints[0]?.asDouble, 1)
    assert.ok(collector.headers.every((headers) => headers['x-key'] === COLLECTOR_KEY))
    server.kill('SIGTERM')
    const { code, stderr } = await server.finished
    assert.equal(code, 0, stderr)
    const all = collector.received.join('\n')
    for (const text of [
      secret,
      SESSION_SECRET,
      COLLECTOR_KEY,
      query,
      encodeURIComponent(query),
      'Document 0',
    ])
      assert.ok(!all.includes(text), `${text} was sent`)
  })

  test('[TEL-6] given a collector that is away, when the server runs, then it says so without secrets, responds, and stops', async (t) => {
    const { server, get } = await start(t, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`,
      // Otherwise the library tries again for some seconds before it fails.
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
    })
    assert.equal((await get('/team')).status, 200)
    await server.wrote('stderr', 'traces or metrics could not be sent')
    server.kill('SIGTERM')
    const { code, stderr } = await server.finished
    assert.equal(code, 0)
    assert.ok(!stderr.includes(COLLECTOR_KEY))
  })
})

/** Of OTLP. */
const SERVER = 2
