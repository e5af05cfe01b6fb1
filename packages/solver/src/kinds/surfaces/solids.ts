import {
  type BooleanResult,
  intersectSolids,
  subtractSolids,
  trimBySolids,
  uniteSolids,
} from '@meadow/geometry/solids/booleans'
import type { Brep } from '@meadow/geometry/values/brep'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

export const SOLID_BOOLEANS: readonly Kind[] = [
  defineKind({
    guid: 'fab11c30-2d9c-4d15-ab3c-2289f1ae5c21',
    description: 'Subtracts solids with flat faces from others.',
    solve: ([solids, cutters], context) => {
      const [from, what] = [present(solids), present(cutters)]
      reserveFaces([...from, ...what], context)
      return [report(subtractSolids(from, what, context.tolerance), [...from, ...what], context)]
    },
  }),
  defineKind({
    guid: '10434a15-da85-4281-bb64-a2b3a995b9c6',
    description: 'Unites solids with flat faces: one result for each connected body.',
    solve: ([solids], context) => {
      const known = present(solids)
      reserveFaces(known, context)
      return [report(uniteSolids(known, context.tolerance), known, context)]
    },
  }),
  defineKind({
    guid: '5723c845-cafc-442d-a667-8c76532845e6',
    description: 'What solids with flat faces have in common with those of a second list.',
    solve: ([solids, others], context) => {
      const [first, second] = [present(solids), present(others)]
      reserveFaces([...first, ...second], context)
      return [report(intersectSolids(first, second, context.tolerance), [], context)]
    },
  }),
  defineKind({
    guid: 'f0b70e8e-7337-4ce4-a7bb-317fc971f918',
    description: 'Cuts what is inside solids with flat faces out of the flat faces of a shape.',
    solve: ([shape, cutters], context) => {
      const known = present(cutters)
      reserveFaces([shape, ...known], context)
      return [report(trimBySolids(shape, known, context.tolerance), [shape], context)]
    },
  }),
]

const FACE_BYTES = 2000

function reserveFaces(breps: readonly Brep[], context: KindContext): void {
  context.reserve(
    breps.reduce((sum, { faces }) => sum + faces.length, 0),
    FACE_BYTES,
  )
}

/**
 * Returns the results, or reports a limit if there are no results. Inputs (`given`) that are handed on are as in Rhino.
 */
function report(result: BooleanResult, given: readonly Brep[], context: KindContext): readonly Brep[] {
  if ('problem' in result) {
    context.limit(`Only closed solids with flat faces and straight edges are combined: ${result.problem}`)
    return []
  }
  if (!result.breps.every((brep) => given.includes(brep))) {
    context.approximate('Results and their faces can be in another order than in Rhino')
  }
  return result.breps
}
