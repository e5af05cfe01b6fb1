import { type HrTime, ValueType } from '@opentelemetry/api'
import { emptyResource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { Registry } from 'prom-client'

type Metric = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number]
type Value = Metric['values'][number] & { metricName?: string }
type Labels = Value['labels']

/**
 * Gives OpenTelemetry the metrics of `/metrics`, with the same names, labels and values, so that both report the same.
 * Source: the Prometheus bridge of OpenTelemetry's Go library, which does this in the same way.
 */
export function createPrometheusProducer(registry: Pick<Registry, 'getMetricsAsJSON'>): MetricProducer {
  const startedAt = Date.now() - performance.now()
  return {
    async collect() {
      const metrics = await registry.getMetricsAsJSON()
      const times = { startTime: toHrTime(startedAt), endTime: toHrTime(Date.now()) }
      const scope = { name: 'meadow' }
      return {
        // The resource of the reader counts, so this one is empty.
        resourceMetrics: {
          resource: emptyResource(),
          scopeMetrics: [{ scope, metrics: metrics.flatMap((metric) => toMetricData(metric, times)) }],
        },
        errors: [],
      }
    },
  }
}

/** Converts milliseconds to seconds and nanoseconds. */
const toHrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]

type Times = Pick<DataPoint<unknown>, 'startTime' | 'endTime'>

/** Converts a metric. The result is empty for a summary, which this service does not have. */
function toMetricData({ name, help, type, values }: Metric, times: Times): MetricData[] {
  const shared = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const points = () => values.map(({ value, labels }) => ({ ...times, attributes: { ...labels }, value }))
  // prom-client's types have an enumeration that does not exist at run time.
  switch (String(type)) {
    case 'counter':
      return [{ ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }]
    case 'gauge':
      return [{ ...shared, dataPointType: DataPointType.GAUGE, dataPoints: points() }]
    case 'histogram':
      return [{ ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints: toHistograms(values, times) }]
    default:
      return []
  }
}

/**
 * Converts histograms: buckets of Prometheus count everything up to their bound, those of OpenTelemetry what lies
 * between two bounds.
 */
function toHistograms(values: readonly Value[], times: Times): DataPoint<Histogram>[] {
  const series = new Map<
    string,
    { attributes: Labels; bounds: [bound: number, count: number][]; sum: number }
  >()
  for (const { metricName = '', labels, value } of values) {
    const { le, ...attributes } = labels as Labels & { le?: number | string }
    const key = JSON.stringify(Object.entries(attributes).sort())
    const one = series.get(key) ?? { attributes, bounds: [], sum: 0 }
    series.set(key, one)
    if (le !== undefined) one.bounds.push([le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), value])
    else if (metricName.endsWith('_sum')) one.sum = value
  }
  return [...series.values()].map(({ attributes, bounds, sum }) => {
    bounds.sort(([a], [b]) => a - b)
    const counts = bounds.map(([, count], index) => count - (bounds[index - 1]?.[1] ?? 0))
    const boundaries = bounds.map(([bound]) => bound).filter(Number.isFinite)
    return {
      ...times,
      attributes: { ...attributes },
      value: { buckets: { boundaries, counts }, count: bounds.at(-1)?.[1] ?? 0, sum },
    }
  })
}
