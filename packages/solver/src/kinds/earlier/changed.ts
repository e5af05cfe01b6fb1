import { findRotation } from '@meadow/geometry/transform/create'
import { pointAt } from '@meadow/geometry/values/planes'
import { toPoint } from '@meadow/geometry/values/points'
import { type Domain, domain } from '@meadow/geometry/values/value'
import { subtract } from '@meadow/geometry/values/vector'
import { mapValues } from '../../tree/tree.ts'
import { relate } from '../curves/analysis.ts'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'
import { findNormalised, interpolateDomain } from '../maths/domains.ts'
import { findMoved } from '../transforms/transform-outputs.ts'
import { clean } from '../trees/structures.ts'

/** Earlier versions whose ports differ from those of the present ones, and classes that have none. */
export const CHANGED_KINDS: readonly Kind[] = [
  defineKind({
    guid: '8a5aae11-8775-4ee5-b4fc-db3a1bd89c2f',
    description: 'A point from its three coordinates along the axes of a plane.',
    solve: ([x, y, z, system]) => [pointAt(system, x, y, z)],
  }),
  defineKind({
    guid: 'e6859d1e-2b3d-4704-93ea-32714acae176',
    description: 'Tests which items of a tree are null.',
    ignoresValues: true,
    solve: ([data]) => [mapValues(data, (value) => value === null)],
  }),
  defineKind({
    guid: '70ce4230-da08-4fce-b29d-63dc42a88585',
    description: 'Removes nulls from a tree, and invalid items if they are unwanted too.',
    solve: ([data, removesInvalid], context) => {
      const cleaned = clean(data, true, removesInvalid, false)
      if (cleaned.branches.some(({ values }) => values.length === 0)) {
        context.limit('Whether empty branches are removed is not published')
      }
      return [cleaned]
    },
  }),
  defineKind({
    guid: 'afff17ed-5975-460b-9883-525ae0677088',
    description: 'The centre and the radius of an arc or circle.',
    solve: ([{ plane, radius }]) => [toPoint(plane.origin), radius],
  }),
  defineKind({
    guid: 'c076845a-1a09-4a95-bdcb-cb31c0936c99',
    description:
      'Tests whether a point is on a closed curve (0), inside it (1) or outside it (2), seen perpendicular to its plane.',
    solve: ([point, curve], context) => {
      const found = relate(point, curve, context.tolerance)
      if (found) return [[2, 0, 1][found.relationship], found.location]
      context.error('The curve must be closed and lie in a plane')
      return []
    },
  }),
  defineKind({
    guid: '0bb7682f-333c-4bb7-b6fe-91ed2c886100',
    description: 'The arithmetic, the geometric and the harmonic mean of numbers above 0.',
    solve: ([numbers], context) => {
      const known = present(numbers)
      if (known.length === 0 || known.some((number) => !(number > 0))) {
        context.limit('Means are supported of numbers above 0')
        return []
      }
      const mean = (of: (number: number) => number) =>
        known.reduce((sum, number) => sum + of(number), 0) / known.length
      return [mean((number) => number), Math.exp(mean(Math.log)), 1 / mean((number) => 1 / number)]
    },
  }),
  defineKind({
    guid: '9624aeeb-f2a1-49da-b1c7-8789db217177',
    description: 'Maps numbers from one domain, or from their own range, to another domain.',
    solve: ([values, source, target], context) => {
      context.reserve(values.length)
      const from = source ?? findRange(present(values))
      if (source === undefined && from.start === from.end) {
        context.limit('Where numbers without a range go is not published')
        return []
      }
      const map = (value: number) => interpolateDomain(target, findNormalised(from, value))
      return [values.map((value) => (value === null ? null : map(value)))]
    },
  }),
  defineKind({
    guid: 'bef50d22-e6b3-45fd-b7be-1c501502186b',
    description: 'Rotates geometry around the line through two points.',
    solve: ([geometry, angle, start, end], context) => {
      const rotation = findRotation(start, subtract(end, start), angle)
      if (rotation) return [findMoved(geometry, rotation, context)]
      context.error('The axis of rotation has no length')
      return []
    },
  }),
]

function findRange(numbers: readonly number[]): Domain {
  return numbers.reduce(
    ({ start, end }, number) => domain(Math.min(start, number), Math.max(end, number)),
    domain(Infinity, -Infinity),
  )
}
