import { listSegments, splitCurve } from '../curves/split.ts'
import { findVertices } from '../curves/vertices.ts'
import { type Line, line } from '../values/curves.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'

/**
 * The segments of a curve: the sides of a polyline, the segments of a polycurve (with `deeply` also their
 * sides), a NURBS curve split at knots of full multiplicity. Any other curve is its only segment.
 * Source: what Grasshopper's Explode returns, as pyhopper (github.com/ezzahiranass/pyhopper) describes it.
 */
export function explodeCurve(curve: Curve, deeply: boolean): Curve[] {
  switch (curve.type) {
    case 'polyline':
    case 'rectangle':
      return listSides(findVertices(curve) ?? [])
    case 'polyCurve':
      return listSegments(curve).flatMap((segment) =>
        deeply && (segment.type === 'polyline' || segment.type === 'rectangle')
          ? explodeCurve(segment, true)
          : [segment],
      )
    case 'nurbsCurve': {
      if (curve.degree === 1) return listSides(curve.points)
      const { knots, degree } = curve
      return splitCurve(
        curve,
        knots.filter((knot, i) => knots[i + degree - 1] === knot),
      )
    }
    default:
      return [curve]
  }
}

function listSides(vertices: readonly Xyz[]): Line[] {
  return vertices.slice(1).map((vertex, i) => line(vertices[i] as Xyz, vertex))
}
