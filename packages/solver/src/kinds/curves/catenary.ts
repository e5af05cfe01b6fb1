import { line, polyline } from '@meadow/geometry/values/curves'
import { toXyz, type Xyz } from '@meadow/geometry/values/points'
import { addScaled, distance, dot, findUnit, length, scale, subtract } from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'

export const CHAINS: readonly Kind[] = [
  defineKind({
    guid: '275671d4-3e87-40bd-8aff-8e6a5fdbb892',
    description:
      'A chain that hangs between two points, as a polyline of 50 points; a line where it is too short.',
    solve: ([a, b, size, gravity], context) => {
      const up = findUnit(scale(gravity, -1))
      if (!up || distance(a, b) <= context.tolerance) {
        context.error(up ? 'Both ends are at the same place' : 'The direction of gravity has no length')
        return []
      }
      if (!(size > distance(a, b))) {
        context.warn('The chain is too short')
        return [line(toXyz(a), toXyz(b))]
      }
      const rise = dot(subtract(b, a), up)
      const level = subtract(subtract(b, a), scale(up, rise))
      if (length(level) <= context.tolerance) {
        context.error('The ends are above each other')
        return []
      }
      const along = findUnit(level) as Xyz
      const heights = hangChain(length(level), rise, size)
      const points = heights.map((height, i) => {
        return addScaled(addScaled(a, along, (length(level) * i) / (heights.length - 1)), up, height)
      })
      return [polyline([toXyz(a), ...points.slice(1, -1), toXyz(b)])]
    },
  }),
]

/** How many points a chain has. */
const CHAIN_POINTS = 50
const HALVINGS = 200

/**
 * The heights of a hanging chain at equal distances as seen from above, from 0 on.
 * Source: the catenary; results of Grasshopper's Catenary in pyhopper (github.com/ezzahiranass/pyhopper).
 */
function hangChain(reach: number, rise: number, size: number): number[] {
  const slack = Math.sqrt(size * size - rise * rise) / reach
  let [low, high] = [0, 1]
  while (Math.sinh(high) / high < slack) high *= 2
  for (let i = 0; i < HALVINGS && low < high; i++) {
    const middle = (low + high) / 2
    if (Math.sinh(middle) / middle < slack) low = middle
    else high = middle
  }
  const bend = reach / (low + high)
  const lowest = reach / 2 - bend * Math.asinh(rise / (2 * bend * Math.sinh(reach / (2 * bend))))
  return Array.from({ length: CHAIN_POINTS }, (_, i) => {
    const at = (reach * i) / (CHAIN_POINTS - 1)
    return 2 * bend * Math.sinh((at - 2 * lowest) / (2 * bend)) * Math.sinh(at / (2 * bend))
  })
}
