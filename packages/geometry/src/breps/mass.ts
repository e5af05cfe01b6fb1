import { type Point, toPoint, type Xyz } from '../values/points.ts'
import { add, ORIGIN, scale } from '../values/vector.ts'

/** A length, area or volume with its first moment, so that several can be added. */
export interface Mass {
  readonly size: number
  /** The integral of the point over the length, area or volume. */
  readonly moment: Xyz
}

const NO_MASS: Mass = { size: 0, moment: ORIGIN }

export function addMasses(masses: Iterable<Mass>): Mass {
  let sum = NO_MASS
  for (const mass of masses) sum = { size: sum.size + mass.size, moment: add(sum.moment, mass.moment) }
  return sum
}

/** Returns the centroid; undefined for a size of zero. */
export function findCentroid({ size, moment }: Mass): Point | undefined {
  return size === 0 || !Number.isFinite(size) ? undefined : toPoint(scale(moment, 1 / size))
}
