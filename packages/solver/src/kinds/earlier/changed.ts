import { BRANCH_BYTES } from '@meadow/geometry/budget/budget'
import { findRotation } from '@meadow/geometry/transform/create'
import { pointAt } from '@meadow/geometry/values/planes'
import { toPoint } from '@meadow/geometry/values/points'
import { type Domain, domain, type Value } from '@meadow/geometry/values/value'
import { subtract } from '@meadow/geometry/values/vector'
import { graft } from '../../tree/structure.ts'
import { countValues, mapValues } from '../../tree/tree.ts'
import { relate } from '../curves/analysis.ts'
import { defineKind, type Kind, type Ports } from '../declaration/define-kind.ts'
import { item, list, nullable, optional, present } from '../declaration/ports.ts'
import { remap } from '../maths/domains.ts'
import { compute } from '../maths/functions.ts'
import { areWithin } from '../sets/resolve-index.ts'
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
    guid: '6e2ba21a-2252-42f4-8d3f-f5e0f49cc4ef',
    description: 'The item of a list at an index.',
    solve: ([values, index], context) => (areWithin([index], values, context) ? [values[index] ?? null] : []),
  }),
  defineKind({
    guid: '6568e019-f59c-4984-84d6-96bd5bfbe9e7',
    description: 'Removes the items of a list at some indices.',
    solve: ([values, indices], context) => {
      const removed = new Set(present(indices))
      return areWithin(removed, values, context) ? [values.filter((_, i) => !removed.has(i))] : []
    },
  }),
  defineKind({
    guid: 'e6e344aa-f45b-43d5-a2d9-9cf8e8e608dc',
    description: 'Repeats an item.',
    solve: ([values, count], context) => {
      if (count < 0 || (values.length > 1 && count > 1)) {
        context.limit('In which order several items are repeated is not published')
        return []
      }
      context.reserve(values.length * count)
      return [Array.from({ length: count }, () => values).flat()]
    },
  }),
  separate(
    '1d55b516-ceec-4bf1-8864-08c895ab2a70',
    'The items of a list with true flags, and the others.',
    true,
  ),
  separate(
    'fbcf0d42-c9a5-4ca5-8d5b-567fb54abc43',
    'The items of a list with false flags, and the others.',
    false,
  ),
  defineKind({
    guid: '10a8674b-f4bb-4fdf-a56e-94dc606ecf33',
    description: 'Puts each item into its own branch; nulls, if they are unwanted, into none.',
    solve: ([data, strips], context) => {
      context.reserve(countValues(data), BRANCH_BYTES)
      const { branches } = graft(data)
      return [{ branches: strips ? branches.filter(({ values }) => values[0] !== null) : branches }]
    },
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
      if (from.start === from.end) {
        context.limit('Where numbers of a source without extent go is not published')
        return []
      }
      return [values.map((value) => (value === null ? null : remap(from, target, value)))]
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

/** Deals items by their flags into two lists: first those with one truth value. */
function separate(guid: string, description: string, first: boolean): Kind {
  return defineKind({
    guid,
    description,
    inputs: [list.any, list.boolean],
    outputs: [list.any, list.any],
    solve: ([values, flags], context) => {
      if (values.length !== flags.length || flags.includes(null)) {
        context.limit('Only as many flags as items are supported')
        return []
      }
      const pick = (wanted: boolean) => values.filter((_, i) => flags[i] === wanted)
      return [pick(first), pick(!first)]
    },
  })
}

/** The classes of functions with the names of their variables, which are fixed. */
const FUNCTIONS: readonly (readonly [guid: string, variables: string])[] = [
  ['0b7d1129-7b88-4322-aad3-56fd1036a8f6', 'x'],
  ['00ec9ecd-4e1d-45ba-a8fc-dff716dbd9e4', 'xy'],
  ['2f77b45b-034d-4053-8872-f38d87cbc676', 'xyz'],
  ['07efd5e1-d7f4-4205-ab99-83e68175564e', 'abcd'],
  ['322f0e6e-d434-4d07-9f8d-f214bb248cb1', 'abcdx'],
  ['4783b96f-6197-4058-a688-b4ba04c00962', 'abcdxy'],
  ['e9628b21-49d6-4e56-900e-49f4bd4adc85', 'abcdxyz'],
  ['f2a97ac6-4f11-4c81-834d-50ecd782675c', 'abcdwxyz'],
]

export const FUNCTION_VERSIONS: readonly Kind[] = FUNCTIONS.map(([guid, letters]) => {
  const names = [...letters]
  const inputs: Ports = [item.text, ...names.map(() => nullable(optional(item.any)))]
  return defineKind({
    guid,
    description: `Evaluates an expression of ${names.join(', ')}.`,
    inputs,
    outputs: [item.any],
    solve: (values, context) => {
      // The solver passes values as the inputs declare.
      const [expression, ...variables] = values as readonly [string, ...(Value | null | undefined)[]]
      return [compute(expression, names, variables, context)]
    },
  })
})

function findRange(numbers: readonly number[]): Domain {
  return numbers.reduce(
    ({ start, end }, number) => domain(Math.min(start, number), Math.max(end, number)),
    domain(Infinity, -Infinity),
  )
}
