import type { BrepFace, BrepTrim } from './brep.ts'
import { getCurveDomain, getSurfaceDomains } from './curve-domain.ts'
import type { NurbsSurface } from './nurbs-surface.ts'
import type { Xyz } from './points.ts'
import { type Domain, domain, type Value } from './value.ts'

const UNIT = domain(0, 1)

/** Sets the domain of a curve or surface to 0 to 1; any other value is returned unchanged. */
export function reparameterise(value: Value): Value {
  if (typeof value !== 'object') return value
  switch (value.type) {
    case 'nurbsCurve':
      return { ...value, knots: rescale(value.knots, getCurveDomain(value)) }
    case 'line':
    case 'polyline':
    case 'circle':
    case 'arc':
    case 'rectangle':
    case 'polyCurve':
      return { ...value, domain: UNIT }
    case 'nurbsSurface':
      return reparameteriseSurface(value)
    case 'brep':
      return value.faces.length === 1 ? { ...value, faces: value.faces.map(reparameteriseFace) } : value
    default:
      return value
  }
}

function reparameteriseSurface(surface: NurbsSurface): NurbsSurface {
  const { u, v } = getSurfaceDomains(surface)
  return { ...surface, knotsU: rescale(surface.knotsU, u), knotsV: rescale(surface.knotsV, v) }
}

/** Trims are scaled with the parameters of the surface. */
function reparameteriseFace(face: BrepFace): BrepFace {
  const { u, v } = getSurfaceDomains(face.surface)
  const move = ({ x, y }: Xyz): Xyz => ({ x: toUnit(x, u), y: toUnit(y, v), z: 0 })
  const moveTrim = (trim: BrepTrim): BrepTrim => ({
    ...trim,
    curve:
      trim.curve.type === 'polyline'
        ? { ...trim.curve, vertices: trim.curve.vertices.map(move) }
        : { ...trim.curve, points: trim.curve.points.map(move) },
  })
  return {
    ...face,
    surface: reparameteriseSurface(face.surface),
    loops: face.loops.map((loop) => loop.map(moveTrim)),
  }
}

function rescale(knots: readonly number[], range: Domain): number[] {
  return knots.map((knot) => toUnit(knot, range))
}

function toUnit(value: number, { start, end }: Domain): number {
  return end === start ? 0 : (value - start) / (end - start)
}
