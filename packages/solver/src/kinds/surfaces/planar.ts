import { createPlanarBreps } from '../../geometry/breps/planar-breps.ts'
import { createCornerSurface } from '../../geometry/surfaces/ruled.ts'
import { areEqual } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list, optional, present } from '../ports.ts'

export const PLANAR_SURFACES: readonly Kind[] = [
  defineKind({
    guid: 'd51e9b65-aa4e-4fd6-976c-cef35d421d05',
    description: 'Flat surfaces inside of closed curves; curves inside of others cut holes.',
    inputs: { edges: list.curve },
    outputs: { surfaces: list.surface },
    solve: ({ edges }, context) => {
      const curves = present(edges)
      context.reserve(curves.length)
      if (curves.length === 0) return {}
      const { breps, open, bent } = createPlanarBreps(curves, context.tolerance)
      if (open > 0) context.warn('Boundary curves have to be closed')
      if (bent > 0) context.warn('Boundary curves have to be planar')
      return { surfaces: breps }
    },
  }),
  defineKind({
    guid: 'c77a8b3b-c569-4d81-9b59-1c27299a1c45',
    description: 'A surface over three or four corners.',
    inputs: { a: item.point, b: item.point, c: item.point, d: optional(item.point) },
    outputs: { surface: item.surface },
    solve: ({ a, b, c, d = c }, context) => {
      const corners = [a, b, c, d].map(({ x, y, z }) => ({ x, y, z })) as [
        typeof a,
        typeof b,
        typeof c,
        typeof d,
      ]
      const apart = corners.filter(
        (corner, i) => !corners.slice(0, i).some((other) => areEqual(corner, other, context.tolerance)),
      )
      if (apart.length < 3) {
        context.error('Corners lie in the same place')
        return {}
      }
      return { surface: createCornerSurface(...corners) }
    },
  }),
]
