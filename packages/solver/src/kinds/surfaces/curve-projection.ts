import { joinCurves } from '@meadow/geometry/curve-editing/join'
import { getEnd, getStart } from '@meadow/geometry/curves/evaluate'
import { trimWithRegions } from '@meadow/geometry/regions/trim'
import { findSurfacePlane } from '@meadow/geometry/surfaces/evaluate-surface'
import { applyTransform } from '@meadow/geometry/transform/apply-transform'
import { findProjectionAlong } from '@meadow/geometry/transform/create'
import type { Brep, BrepFace } from '@meadow/geometry/values/brep'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import { areEqual, findUnit } from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'

export const CURVE_PROJECTION: readonly Kind[] = [
  defineKind({
    guid: 'd7ee52ff-89b8-4d1a-8662-3e0dd391d0af',
    description: 'Projects a curve along a direction, both ways, onto a brep with flat faces.',
    solve: ([curve, brep, direction], context) => {
      if (!findUnit(direction)) {
        context.error('The direction has no length')
        return []
      }
      context.reserve(brep.faces.length)
      const found = brep.faces.map((face) => projectOnFace(curve, brep, face, direction, context.tolerance))
      const onFaces = found.filter((parts) => parts !== undefined && parts.length > 0) as Curve[][]
      if (found.includes(undefined) || meet(onFaces, context.tolerance)) {
        context.limit('Projections onto bent faces, and across the edge of two faces, are not supported')
        return []
      }
      const parts = onFaces.flat()
      if (parts.length > 1) context.approximate('The curves may be in another order than in Rhino')
      return [parts]
    },
  }),
]

/** The parts of a curve that are projected into a face; undefined for a bent one, and where that is unclear. */
function projectOnFace(
  curve: Curve,
  brep: Brep,
  face: BrepFace,
  direction: Xyz,
  tolerance: number,
): readonly Curve[] | undefined {
  const plane = findSurfacePlane(face.surface, tolerance)
  if (!plane) return undefined
  const projection = findProjectionAlong(plane, direction)
  const flat = projection && (applyTransform(curve, projection) as Curve | undefined)
  if (!flat) return []
  const outlines = face.loops.map((loop) => {
    const edges = loop.flatMap(({ edge }) => brep.edges[edge ?? -1]?.curve ?? [])
    const [outline, ...others] = joinCurves(edges, tolerance, false)
    return others.length === 0 ? outline : undefined
  })
  const [outer, ...holes] = outlines
  if (!outer || holes.includes(undefined)) return undefined
  const inside = trimWithRegions(flat, [outer], plane, tolerance)?.inside
  if (!inside || holes.length === 0) return inside
  const left = inside.map((part) => trimWithRegions(part, holes as Curve[], plane, tolerance)?.outside)
  return left.includes(undefined) ? undefined : (left as Curve[][]).flat()
}

/** Whether curves on different faces have an end in common, so that Rhino may have joined them. */
function meet(onFaces: readonly (readonly Curve[])[], tolerance: number): boolean {
  const ends = onFaces.map((parts) => parts.flatMap((part) => [getStart(part), getEnd(part)]))
  return ends.some((own, i) =>
    ends
      .slice(i + 1)
      .some((others) => own.some((one) => others.some((other) => areEqual(one, other, tolerance)))),
  )
}
