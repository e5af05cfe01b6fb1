import { capPlanarHoles } from '../../geometry/breps/cap-holes.ts'
import { joinBreps } from '../../geometry/breps/join-breps.ts'
import { isClosed } from '../../values/describe-geometry.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list, present } from '../ports.ts'

export const BREP_JOINING: readonly Kind[] = [
  defineKind({
    guid: '1addcc85-b04e-46e6-bd4a-6f6c93bf7efd',
    description:
      'Breps joined where their open edges lie on each other, and which of the results are closed.',
    inputs: { breps: list.brep },
    outputs: { breps: list.brep, closed: list.boolean },
    solve: ({ breps }, context) => {
      const known = present(breps)
      context.reserve(known.reduce((sum, { faces }) => sum + faces.length, 0))
      const joined = joinBreps(known, context.tolerance)
      return { breps: joined, closed: joined.map(isClosed) }
    },
  }),
  defineKind({
    guid: 'b648d933-ddea-4e75-834c-8f6f3793e311',
    description: 'A brep whose flat openings are closed with flat faces.',
    inputs: { brep: item.brep },
    outputs: { brep: item.brep },
    solve: ({ brep }, context) => {
      context.reserve(brep.faces.length)
      const { brep: capped, left } = capPlanarHoles(brep, context.tolerance)
      if (left > 0) context.warn('Some openings are not planar')
      return { brep: capped }
    },
  }),
]
