import { findKinks } from '../curves/discontinuities.ts'
import { reverseCurve, splitCurve } from '../curves/split.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { type NurbsCurve, type Polyline, polyline } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { pointAt, toLocal } from '../values/planes.ts'
import { type Plane, toXyz, type Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import type { LooseTrim } from './brep-builder.ts'

/** A planar face for the brep builder. */
export interface PlanarFace {
  readonly surface: NurbsSurface
  readonly loops: readonly (readonly LooseTrim[])[]
}

/**
 * The part of a plane inside the first closed curve and outside the others, which run counter-clockwise and
 * clockwise around the normal. The surface is the bounding rectangle of the first curve along the axes of the
 * plane; its parameters are the coordinates in the plane.
 */
export function createPlanarFace(plane: Plane, outlines: readonly Curve[]): PlanarFace {
  return createFaceOfEdges(plane, outlines.map(cutAtKinks))
}

/** As `createPlanarFace`, of curves that are given as their edges. */
export function createFaceOfEdges(plane: Plane, outlines: readonly (readonly Curve[])[]): PlanarFace {
  const loops = outlines.map((outline) =>
    outline.map((edge) => ({ curve: toPlane(plane, edge), edge, isReversed: false })),
  )
  const locations = (loops[0] ?? []).flatMap(({ curve }) =>
    curve.type === 'polyline' ? curve.vertices : curve.points,
  )
  const range = (axis: 'x' | 'y') => {
    const values = locations.map((point) => point[axis])
    return values.reduce(
      ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
      [Infinity, -Infinity],
    ) as [number, number]
  }
  const [knotsU, knotsV] = [range('x'), range('y')]
  const points = knotsU.map((u) => knotsV.map((v) => toXyz(pointAt(plane, u, v))))
  return { surface: { type: 'nurbsSurface', degreeU: 1, degreeV: 1, points, knotsU, knotsV }, loops }
}

/** Splits a curve at its kinks. A closed curve with a smooth seam starts at its first kink. */
export function cutAtKinks(curve: Curve): Curve[] {
  const parts = splitCurve(curve, findKinks(curve))
  return parts.length === 1 && parts[0] ? [simplify(parts[0])] : parts.map(simplify)
}

/** A polyline of one segment as a line. */
export function simplify(curve: Curve): Curve {
  const [from, to, ...others] = curve.type === 'polyline' ? curve.vertices : []
  return from && to && others.length === 0 ? { type: 'line', from, to, domain: getCurveDomain(curve) } : curve
}

/** Converts a curve to the coordinates of its plane, exactly: control points are affine invariant. */
function toPlane(plane: Plane, curve: Curve): Polyline | NurbsCurve {
  const move = (point: Xyz): Xyz => ({ ...toLocal(plane, point), z: 0 })
  if (curve.type === 'line') return polyline([move(curve.from), move(curve.to)])
  const nurbs = toNurbs(curve)
  return { ...nurbs, points: nurbs.points.map(move) }
}

/** The outline in the required orientation. */
export function orient(outline: Curve, isCounterClockwise: boolean, shouldBe: boolean): Curve {
  return isCounterClockwise === shouldBe ? outline : reverseCurve(outline)
}
