import type { DiagLogger } from '@opentelemetry/api'
import type { Registry } from 'prom-client'
import type { Log } from '../log.ts'
import { VERSION } from '../version.ts'

/** What is sent to a collector of OpenTelemetry. The library itself reads the other variables (`OTEL_…`). */
export interface TelemetrySettings {
  traces: boolean
  /** How metrics are sent; undefined when none are. */
  metrics: { protocol: OtlpProtocol; intervalMs: number } | undefined
}

const PROTOCOLS = ['http/protobuf', 'http/json', 'grpc'] as const
export type OtlpProtocol = (typeof PROTOCOLS)[number]

export interface Telemetry {
  /** Sends the remaining spans and metrics, for a few seconds at most. */
  stop(): Promise<void>
}

type Environment = Record<string, string | undefined>

/**
 * Returns the settings of the standard variables; undefined unless one of them names a collector or an exporter. Adds a
 * sentence to `mistakes` for what the library would ignore.
 */
export function readTelemetrySettings(
  env: Environment,
  mistakes: string[] = [],
): TelemetrySettings | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  const traces = isSent(env, 'TRACES', mistakes)
  const metrics = isSent(env, 'METRICS', mistakes)
  if (!traces && !metrics) return undefined
  const protocol = readProtocol(env, 'METRICS', mistakes)
  if (traces) readProtocol(env, 'TRACES', mistakes)
  const intervalMs = Number(env.OTEL_METRIC_EXPORT_INTERVAL || DEFAULT_INTERVAL_MS)
  if (!Number.isInteger(intervalMs) || intervalMs < 1)
    mistakes.push('OTEL_METRIC_EXPORT_INTERVAL must be a number of milliseconds.')
  return { traces, metrics: metrics ? { protocol, intervalMs } : undefined }
}

/** The interval between exports of metrics that the standard prescribes. */
const DEFAULT_INTERVAL_MS = 60_000

type Signal = 'TRACES' | 'METRICS'

function isSent(env: Environment, signal: Signal, mistakes: string[]): boolean {
  const name = `OTEL_${signal}_EXPORTER`
  const exporter = env[name] || undefined
  if (exporter === 'none') return false
  if (exporter !== undefined && exporter !== 'otlp')
    mistakes.push(`${name} must be otlp or none. /metrics serves Prometheus without it.`)
  const endpoint = env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] || env.OTEL_EXPORTER_OTLP_ENDPOINT
  return exporter !== undefined || Boolean(endpoint)
}

function readProtocol(env: Environment, signal: Signal, mistakes: string[]): OtlpProtocol {
  const own = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`
  const name = env[own] ? own : 'OTEL_EXPORTER_OTLP_PROTOCOL'
  const text = env[name] || 'http/protobuf'
  const protocol = PROTOCOLS.find((one) => one === text)
  if (!protocol) {
    const mistake = `${name} must be one of ${PROTOCOLS.join(', ')}.`
    if (!mistakes.includes(mistake)) mistakes.push(mistake)
  }
  return protocol ?? 'http/protobuf'
}

/** How long one export of metrics may take. */
const MAX_EXPORT_MS = 30_000
/** How long the last spans and metrics may take when the process stops. */
const MAX_STOP_MS = 3000

/**
 * Sends traces and the metrics of `registry` from now on. The library is loaded here and nowhere else: without
 * configuration it takes neither time nor memory.
 */
export async function startTelemetry(
  { traces, metrics }: TelemetrySettings,
  registry: Pick<Registry, 'getMetricsAsJSON'>,
  kind: 'serve' | 'work',
  log: Pick<Log, 'warn'>,
): Promise<Telemetry> {
  const [{ DiagLogLevel, diag }, { startNodeSdk }, { defaultResource, resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-node'),
      import('@opentelemetry/resources'),
    ])
  const names = { 'service.name': `meadow-${kind}`, 'service.version': VERSION }
  const sdk = startNodeSdk({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
    baseResource: defaultResource().merge(resourceFromAttributes(names)),
    logLevel: 'none',
    ...(!traces && { spanProcessors: [] }),
    metricReaders: metrics ? [await createMetricReader(metrics, registry)] : [],
    // The log goes to standard error alone.
    logRecordProcessors: [],
  })
  diag.setLogger(createDiagLogger(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  return {
    async stop() {
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, MAX_STOP_MS)
      await Promise.race([sdk.shutdown().catch(() => {}), late])
      clearTimeout(timer)
    },
  }
}

async function createMetricReader(
  { protocol, intervalMs }: NonNullable<TelemetrySettings['metrics']>,
  registry: Pick<Registry, 'getMetricsAsJSON'>,
) {
  const [{ PeriodicExportingMetricReader }, { createPrometheusProducer }, { OTLPMetricExporter }] =
    await Promise.all([
      import('@opentelemetry/sdk-metrics'),
      import('./prometheus-producer.ts'),
      importExporter(protocol),
    ])
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    metricProducers: [createPrometheusProducer(registry)],
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(intervalMs, MAX_EXPORT_MS),
  })
}

function importExporter(protocol: OtlpProtocol) {
  switch (protocol) {
    case 'grpc':
      return import('@opentelemetry/exporter-metrics-otlp-grpc')
    case 'http/json':
      return import('@opentelemetry/exporter-metrics-otlp-http')
    case 'http/protobuf':
      return import('@opentelemetry/exporter-metrics-otlp-proto')
  }
}

/** Failed exports are logged at most this often: while a collector is away, every export fails. */
const REPEAT_AFTER_MS = 60_000

/** Logs what the library has to say, without its details, which may hold the headers of a request. */
export function createDiagLogger(
  log: Pick<Log, 'warn'>,
  now: () => number = performance.now.bind(performance),
): DiagLogger {
  let saidAt = Number.NEGATIVE_INFINITY
  const say = (message: string) => {
    if (now() - saidAt < REPEAT_AFTER_MS) return
    saidAt = now()
    log.warn({ reason: readReason(message) }, 'traces or metrics could not be sent')
  }
  const ignore = () => {}
  return { error: say, warn: say, info: ignore, debug: ignore, verbose: ignore }
}

const MAX_REASON = 200

/** Returns the reason in a message of the library, which describes an error as JSON with its stack. */
function readReason(message: string): string {
  try {
    const { message: reason, code } = JSON.parse(message) as { message?: string; code?: string | number }
    return (reason || String(code)).slice(0, MAX_REASON)
  } catch {
    return message.slice(0, MAX_REASON)
  }
}
