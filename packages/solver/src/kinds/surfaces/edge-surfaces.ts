import { toBrep } from '@meadow/geometry/breps/to-brep'
import { getEnd, getStart } from '@meadow/geometry/curves/evaluate'
import { getLength } from '@meadow/geometry/curves/length'
import { listPieces } from '@meadow/geometry/curves/pieces'
import { reverseCurve } from '@meadow/geometry/curves/split'
import { findCoonsPatch, findLoop } from '@meadow/geometry/surfaces/coons'
import { createCornerSurface, createRuledSurface } from '@meadow/geometry/surfaces/ruled'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import { distance } from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'

export const EDGE_SURFACES: readonly Kind[] = [
  defineKind({
    guid: '36132830-e2ef-4476-8ea1-6a43922344f0',
    description: 'The Coons patch between two, three or four edge curves.',
    solve: ([a, b, c, d], context) => {
      const curves = [a, b, c, d].filter((curve) => curve !== undefined)
      if (curves.some((curve) => getLength(curve) <= context.tolerance)) {
        context.limit('Surfaces between curves without length are not supported')
        return []
      }
      const surface = findPatch(curves, context.tolerance)
      if (!surface) {
        context.limit(UNSUPPORTED)
        return []
      }
      context.approximate("The surface can have another direction and other parameters than Rhino's")
      return [toBrep(surface)]
    },
  }),
]

const UNSUPPORTED =
  'Edges that form no loop, that have kinks or weights, or three of which one is bent are not supported'

/** The patch between two curves, or inside a loop of three straight or of four curves. */
function findPatch(curves: readonly Curve[], tolerance: number): NurbsSurface | undefined {
  if (curves.some((curve) => listPieces(curve).length > 1)) return undefined
  const [a, b] = curves as [Curve, Curve]
  if (curves.length === 2) return createRuledSurface(a, runsAlong(a, b) ? b : reverseCurve(b))
  const loop = findLoop(curves, tolerance)
  if (!loop) return undefined
  if (loop.length === 4) return findCoonsPatch(loop)
  if (!loop.every((curve) => listPieces(curve)[0]?.shape.type === 'line')) return undefined
  const [first, second, third] = loop.map(getStart) as [Xyz, Xyz, Xyz]
  return createCornerSurface(first, second, third, third)
}

/** Whether the starts and the ends of two curves are closer than the start of one and the end of the other. */
function runsAlong(a: Curve, b: Curve): boolean {
  const [startA, endA, startB, endB] = [getStart(a), getEnd(a), getStart(b), getEnd(b)]
  return distance(startA, startB) + distance(endA, endB) <= distance(startA, endB) + distance(endA, startB)
}
