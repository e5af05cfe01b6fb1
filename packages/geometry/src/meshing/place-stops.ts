/** A part of a curve or of an isocurve, and how many straight pieces it needs. */
export interface Stretch {
  readonly from: number
  readonly to: number
  /** The number of pieces; below one if it can be part of a piece together with its neighbours. */
  readonly need: number
  /** Whether the next stretch goes on without a kink. */
  readonly isSmooth: boolean
}

/** The starts of straight pieces over consecutive stretches: about `most` at the most, and one for each kink. */
export function placeStops(stretches: readonly Stretch[], most: number): number[] {
  const total = stretches.reduce((sum, { need }) => sum + need, 0)
  const factor = Math.min(1, most / total)
  const stops: number[] = []
  let sum = Infinity
  for (const { from, to, need, isSmooth } of stretches) {
    const own = need * factor
    if (own > 1) {
      const count = Math.ceil(own - 1e-9)
      for (let i = 0; i < count; i++) stops.push(from + ((to - from) * i) / count)
      sum = Infinity
    } else if (sum + own > 1) {
      stops.push(from)
      sum = own
    } else sum += own
    if (!isSmooth) sum = Infinity
  }
  return stops
}
