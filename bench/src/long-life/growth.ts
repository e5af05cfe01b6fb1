import { median } from '../harness/statistics.ts'
import { KEPT, type Sample } from './samples.ts'

/** How a measure went, over all samples but the first ones. */
export interface Trend {
  name: string
  /** The medians of the first, second and last third of the samples. */
  thirds: readonly [number, number, number]
  /** The growth for each 1,000 operations: the median of the slopes between any two samples. */
  slope: number
  /** The growth for each operation that is expected, as what is kept has to grow; 0 where nothing is. */
  expected: number
  isGrowing: boolean
}

/** A measure may differ from third to third by this part of it, and by this much. */
interface Allowance {
  share: number
  least: number
}

const COUNTS: Allowance = { share: 0.1, least: 3 }
const SIZES: Allowance = { share: 0.1, least: 2 ** 20 }
const MEMORY: Allowance = { share: 0.08, least: 4 * 2 ** 20 }

const allowanceOf = (name: string): Allowance =>
  name.includes('bytes') ? (/resident|heap|external/.test(name) ? MEMORY : SIZES) : COUNTS

export interface Sampled {
  /** The number of operations that were done before. */
  operations: number
  sample: Sample
}

/**
 * Says for each measure whether it grows without bound: from third to third of the samples, by more than what such a
 * measure varies by and what it is expected to grow by, and in the last third no less than half as fast as before.
 */
export function judge(samples: readonly Sampled[]): Trend[] {
  const names = Object.keys(samples[0]!.sample)
  return names.map((name) => {
    const expected = KEPT[name.replace('rows of ', '')] ?? 0
    const points = samples.map(({ operations, sample }) => [operations, sample[name]!] as const)
    const rest = points.map(([operations, value]) => value - operations * expected)
    const thirds = inThirds(points.map(([, value]) => value))
    const [first, second, last] = inThirds(rest)
    const { share, least } = allowanceOf(name)
    const allowed = Math.max(least, share * thirds[0])
    const isGrowing = last - first > allowed && second > first && last - second > (second - first) / 2
    return { name, thirds, slope: 1000 * slopeOf(points), expected, isGrowing }
  })
}

function inThirds(values: readonly number[]): [number, number, number] {
  const length = Math.floor(values.length / 3)
  return [
    median(values.slice(0, length)),
    median(values.slice(length, values.length - length)),
    median(values.slice(values.length - length)),
  ]
}

/** The estimate of Theil and Sen, which single outliers do not change. */
function slopeOf(points: readonly (readonly [number, number])[]): number {
  const slopes = points.flatMap(([x, y], index) =>
    points.slice(index + 1).map(([otherX, otherY]) => (otherY - y) / (otherX - x)),
  )
  return median(slopes)
}
