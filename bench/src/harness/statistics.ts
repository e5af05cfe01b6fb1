/** Returns the percentile of a fraction from 0 to 1, by the nearest rank: always one of the values. */
export function percentile(values: readonly number[], fraction: number): number {
  if (values.length === 0) throw new Error('There is no percentile of nothing.')
  const sorted = values.toSorted((a, b) => a - b)
  const rank = Math.ceil(fraction * sorted.length)
  return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1]!
}

/** Returns the middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('There is no median of nothing.')
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[upper]! : (sorted[upper - 1]! + sorted[upper]!) / 2
}

/** The median and the highest percentile that a few hundred values show, in milliseconds. */
export interface Spread {
  p50Ms: number
  p99Ms: number
}

export const spread = (times: readonly number[]): Spread => ({
  p50Ms: median(times),
  p99Ms: percentile(times, 0.99),
})

/** The duration of work, in milliseconds of the clock and of this process's processor time. */
export interface Time {
  ms: number
  cpuMs: number
}

/** Returns the processor time of this process so far, including garbage collection and the system, in milliseconds. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export function time(work: () => unknown): Time {
  const [cpuBefore, startedAt] = [ownCpuMs(), performance.now()]
  work()
  const ms = performance.now() - startedAt
  return { ms, cpuMs: ownCpuMs() - cpuBefore }
}

export async function timeAsync(work: () => Promise<unknown>): Promise<Time> {
  const [cpuBefore, startedAt] = [ownCpuMs(), performance.now()]
  await work()
  const ms = performance.now() - startedAt
  return { ms, cpuMs: ownCpuMs() - cpuBefore }
}
