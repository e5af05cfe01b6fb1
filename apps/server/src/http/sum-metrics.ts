import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'

/** The figures of a process, as plain data. */
export type MetricFigures = MetricObjectWithValues<MetricValue<string>>[]

/** What `/metrics` and OpenTelemetry show. */
export type ExposedMetrics = Pick<Registry, 'contentType' | 'metrics' | 'getMetricsAsJSON'>

/** The metrics of this process, each summed with those of the same name and labels of others. */
export function sumWithOthers(
  registry: Registry,
  readOthers: () => Promise<MetricFigures[]>,
): ExposedMetrics {
  const sum = async () => {
    const [own, others] = await Promise.all([registry.getMetricsAsJSON(), readOthers()])
    return others.length === 0 ? registry : sumFigures([own.map(takeFirstOfOmitted), ...others])
  }
  return {
    contentType: registry.contentType,
    metrics: async () => (await sum()).metrics(),
    getMetricsAsJSON: async () => (await sum()).getMetricsAsJSON(),
  }
}

/** Durations of the event loop are averages, minimums or maximums instead of sums. */
export const sumFigures = (figures: MetricFigures[]): Registry => AggregatorRegistry.aggregate(figures)

/** prom-client leaves out what has no sum, such as the start time: that of the main process is kept. */
const takeFirstOfOmitted = (metric: MetricFigures[number]): MetricFigures[number] =>
  String(metric.aggregator) === 'omit' ? { ...metric, aggregator: 'first' } : metric
