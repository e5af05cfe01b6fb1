import type { NurbsCurve } from './curves.ts'
import type { NurbsSurface } from './nurbs-surface.ts'
import { type Curve, type Domain, domain } from './value.ts'
import { distance } from './vector.ts'

/**
 * The domain of a curve, as RhinoCommon sets it: the length of a line, circle or arc, the number of segments of
 * a polyline, the inner knots of a NURBS curve.
 */
export function getCurveDomain(curve: Curve): Domain {
  if (curve.type === 'nurbsCurve') return getKnotDomain(curve.knots, curve.degree)
  return curve.domain ?? getUsualDomain(curve)
}

function getUsualDomain(curve: Exclude<Curve, NurbsCurve>): Domain {
  switch (curve.type) {
    case 'line':
      return domain(0, distance(curve.from, curve.to))
    case 'polyline':
      return domain(0, curve.vertices.length - 1)
    case 'rectangle':
      return domain(0, 4)
    case 'circle':
      return domain(0, 2 * Math.PI * curve.radius)
    case 'arc':
      return domain(0, (curve.endAngle - curve.startAngle) * curve.radius)
    case 'polyCurve':
      return domain(
        0,
        curve.segments.reduce((sum, segment) => sum + getSize(getCurveDomain(segment)), 0),
      )
  }
}

function getSize({ start, end }: Domain): number {
  return end - start
}

export function getSurfaceDomains(surface: NurbsSurface): { u: Domain; v: Domain } {
  return {
    u: getKnotDomain(surface.knotsU, surface.degreeU),
    v: getKnotDomain(surface.knotsV, surface.degreeV),
  }
}

function getKnotDomain(knots: readonly number[], degree: number): Domain {
  return domain(knots[degree - 1] ?? 0, knots[knots.length - degree] ?? 1)
}
