import { checkpoint } from '@meadow/geometry/budget/budget'
import { kindOf, type Value } from '@meadow/geometry/values/value'
import { distance } from '@meadow/geometry/values/vector'
import { isXyz } from '../../expressions/operators.ts'
import { defineKind } from '../declaration/define-kind.ts'
import { getValueKey } from './sets.ts'

/** The first member that equals the value, otherwise the closest of numbers or of points (rule I-7). */
export const FIND_SIMILAR = defineKind({
  guid: 'b4d4235f-14ff-4d4e-a29a-b358dcd2baf4',
  description:
    'The member of a set that equals a value, or the closest one to a number or a point, and its index.',
  solve: ([data, set], context) => {
    if (set.every((member) => member === null)) {
      context.error('The set has no members')
      return []
    }
    const key = getValueKey(data)
    const equal = set.findIndex((member) => member !== null && getValueKey(member) === key)
    const index = equal >= 0 ? equal : findClosest(data, set)
    if (index === undefined) {
      context.limit(
        'How alike values are is known only of equal ones, and of one number or point closest to another',
      )
      return []
    }
    return [set[index] ?? null, index]
  },
})

/** The index of the only closest member; undefined if several are as close, or one has no distance. */
function findClosest(data: Value, set: readonly (Value | null)[]): number | undefined {
  let closest: number | undefined
  let least = Infinity
  for (const [i, member] of set.entries()) {
    checkpoint()
    if (member === null) continue
    const gap = getGap(data, member)
    if (Number.isNaN(gap)) return undefined
    if (gap === least) closest = undefined
    else if (gap < least) [closest, least] = [i, gap]
  }
  return closest
}

/** Returns the distance of two values; NaN where it is not known. */
function getGap(a: Value, b: Value): number {
  if (isNumber(a) && isNumber(b)) return Math.abs(toNumber(a) - toNumber(b))
  return isXyz(a) && isXyz(b) && a.type === b.type ? distance(a, b) : Number.NaN
}

function isNumber(value: Value): boolean {
  return kindOf(value) === 'number' || kindOf(value) === 'integer'
}

function toNumber(value: Value): number {
  return Number(typeof value === 'object' && value.type === 'integer' ? value.value : value)
}
