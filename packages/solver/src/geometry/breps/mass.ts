import { type Point, toPoint, type Xyz } from '../../values/points.ts'
import { add, ORIGIN, scale } from '../../values/vector.ts'

/** A length, area or volume with its first moment, so that several add up. */
export interface Mass {
  readonly size: number
  /** The sum of places, each counted by the size that lies there. */
  readonly moment: Xyz
}

const NO_MASS: Mass = { size: 0, moment: ORIGIN }

export function addMasses(masses: Iterable<Mass>): Mass {
  let sum = NO_MASS
  for (const mass of masses) sum = { size: sum.size + mass.size, moment: add(sum.moment, mass.moment) }
  return sum
}

/** Undefined for what has no size. */
export function findCentroid({ size, moment }: Mass): Point | undefined {
  return size === 0 || !Number.isFinite(size) ? undefined : toPoint(scale(moment, 1 / size))
}
