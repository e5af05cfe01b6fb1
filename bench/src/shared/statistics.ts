/** The percentile of a fraction from 0 to 1, by the nearest rank: always one of the values. */
export function percentile(values: readonly number[], fraction: number): number {
  if (values.length === 0) throw new Error('There is no percentile of nothing.')
  const sorted = values.toSorted((a, b) => a - b)
  const rank = Math.ceil(fraction * sorted.length)
  return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1]!
}

/** The middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('There is no median of nothing.')
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[upper]! : (sorted[upper - 1]! + sorted[upper]!) / 2
}
