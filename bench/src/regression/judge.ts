import { median } from '../harness/statistics.ts'

/** The cost of one request of a case in one launch, in the unit of the counter. */
export interface Pair {
  base: number
  own: number
}

/** How the cost of a case changed. */
export interface Judgement {
  /** The median over the launches. `own` is the same for the working tree. */
  base: number
  own: number
  /** The mean change, as a fraction: 0.1 is 10 % slower. */
  change: number
  /** The change that noise alone exceeds once in a hundred runs, as a fraction. */
  noise: number
  verdict: 'slower' | 'faster' | 'same'
}

/** The largest change that is not reported, however small the noise is. */
const TOLERATED = 0.02

/**
 * The one-sided 99 % quantiles of Student's t by degrees of freedom, from 1. Beyond the last one, `QUANTILE_OF_MANY` is
 * used.
 */
const QUANTILES = [31.82, 6.96, 4.54, 3.75, 3.36, 3.14, 3, 2.9, 2.82, 2.76]
const QUANTILE_OF_MANY = 2.7

/**
 * Judges the launches of a case, of which there are at least two. Launches differ more than the rounds of one launch,
 * since code is compiled and placed in memory in another way each time. So the noise is estimated from the spread of
 * the launches.
 */
export function judge(launches: readonly Pair[]): Judgement {
  const changes = launches.map(({ base, own }) => Math.log(own / base))
  const mean = average(changes)
  const variance = changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / (changes.length - 1)
  const quantile = QUANTILES[changes.length - 2] ?? QUANTILE_OF_MANY
  const noise = quantile * Math.sqrt(variance / changes.length)
  const isBeyond = Math.abs(mean) > noise + Math.log(1 + TOLERATED)
  return {
    base: median(launches.map(({ base }) => base)),
    own: median(launches.map(({ own }) => own)),
    change: Math.exp(mean) - 1,
    noise: Math.exp(noise) - 1,
    verdict: !isBeyond ? 'same' : mean > 0 ? 'slower' : 'faster',
  }
}

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
