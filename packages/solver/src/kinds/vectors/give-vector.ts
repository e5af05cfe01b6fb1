import { toVector, type Vector, type Xyz } from '../../values/points.ts'
import { findUnit, length } from '../../values/vector.ts'
import type { KindContext } from '../define-kind.ts'

/** Of length one. A vector without length stays as it is, as RhinoCommon's `Unitize` leaves it. */
export function unitise(direction: Xyz, context: KindContext): Vector {
  const unit = findUnit(direction)
  if (!unit) context.warn('A vector without length has no direction')
  return toVector(unit ?? direction)
}

/** A vector, of length one if so asked, and the length of what is given. */
export function giveWithLength(direction: Xyz, isUnit: boolean, context: KindContext) {
  const given = isUnit ? unitise(direction, context) : toVector(direction)
  return { vector: given, length: length(given) }
}
