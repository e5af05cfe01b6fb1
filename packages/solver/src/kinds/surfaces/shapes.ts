import { createBrepOfSurface } from '@meadow/geometry/breps/surface-brep'
import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { findKinks } from '@meadow/geometry/curves/discontinuities'
import { toNurbs } from '@meadow/geometry/curves/to-nurbs'
import { type ArcSurface, findSpanAngle } from '@meadow/geometry/surfaces/arcs'
import { clampNurbs } from '@meadow/geometry/surfaces/compatible'
import { findSurfacePlane } from '@meadow/geometry/surfaces/evaluate-surface'
import { getSurface } from '@meadow/geometry/surfaces/get-surface'
import { createSphere } from '@meadow/geometry/surfaces/revolve'
import { applyTransform } from '@meadow/geometry/transform/apply-transform'
import { countPoints } from '@meadow/geometry/transform/count-points'
import { createTranslation } from '@meadow/geometry/transform/create'
import { xyPlane } from '@meadow/geometry/values/planes'
import { toPoint, type Xyz } from '@meadow/geometry/values/points'
import type { Curve, Surface } from '@meadow/geometry/values/value'
import { add, cross, distance, dot, length, scale, subtract } from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'

export const OTHER_SURFACES: readonly Kind[] = [
  defineKind({
    guid: '5e33c760-adcd-4235-b1dd-05cf72eb7a38',
    description: 'The surface that a curve covers when it is moved along another one.',
    solve: ([a, b], context) => {
      if (findKinks(a).length > 0 || findKinks(b).length > 0) {
        context.limit('How Rhino splits the sum of curves with kinks is not published')
        return []
      }
      const surface = createSumSurface(a, b, (count) => context.reserve(count, POINT_BYTES))
      return [createBrepOfSurface(surface)]
    },
  }),
  defineKind({
    guid: 'b083c06d-9a71-4f40-b354-1d80bba1e858',
    description: 'The sphere through four points, or around a circle through them.',
    solve: ([a, b, c, d], context) => {
      const [p, q, r] = [b, c, d].map((point) => subtract(point, a)) as [Xyz, Xyz, Xyz]
      const normal = cross(p, q)
      const volume = dot(normal, r)
      const isFlat = Math.abs(volume) <= 1e-9 * length(p) * length(q) * length(r)
      const centre = isFlat ? findFlatCentre(a, p, q) : add(a, findCentre(p, q, r, volume))
      if (!centre) {
        context.error('The points are on one line')
        return []
      }
      const radius = distance(centre, a)
      if (isFlat && Math.abs(distance(centre, d) - radius) > context.tolerance) {
        context.limit('The sphere of four points in a plane that are not on a circle is not published')
        return []
      }
      return [toPoint(centre), radius, createSphere(xyPlane(centre), radius)]
    },
  }),
  defineKind({
    guid: 'b25c5762-f90e-4839-9fc5-74b74ab42b1e',
    description: 'Moves a flat surface along its normal.',
    solve: ([surface, away, retrims], context) => {
      const plane = findSurfacePlane(getSurface(surface).surface, context.tolerance)
      // A brep may be trimmed.
      const losesTrim = surface.type === 'brep' && !retrims
      if (away === 0 && !losesTrim) return [surface]
      if (!plane || losesTrim) {
        context.limit(
          'How Rhino offsets bent surfaces, and trimmed ones without their trim, is not published',
        )
        return []
      }
      const isReversed = surface.type === 'brep' && surface.faces[0]?.isReversed
      context.reserve(countPoints(surface), POINT_BYTES)
      const step = createTranslation(scale(plane.zAxis, isReversed ? -away : away))
      return [applyTransform(surface, step) as Surface | undefined]
    },
  }),
]

/**
 * Each control point of one curve moved by each of the other, less the start of that one; the weights are multiplied.
 * Source: results of Grasshopper's Sum Surface in pyhopper (github.com/ezzahiranass/pyhopper).
 */
function createSumSurface(a: Curve, b: Curve, reserve: (count: number) => void): ArcSurface {
  const [across, up] = [a, b].map((curve) => clampNurbs(toNurbs(curve))) as [
    ReturnType<typeof clampNurbs>,
    ReturnType<typeof clampNurbs>,
  ]
  const [u, v] = [findSpanAngle(a, across), findSpanAngle(b, up)]
  reserve(across.points.length * up.points.length)
  const start = up.points[0] as Xyz
  const hasWeights = across.weights || up.weights
  const weightAt = (i: number, j: number) => (across.weights?.[i] ?? 1) * (up.weights?.[j] ?? 1)
  return {
    type: 'nurbsSurface',
    degreeU: across.degree,
    degreeV: up.degree,
    points: across.points.map((point) => up.points.map((other) => add(point, subtract(other, start)))),
    ...(hasWeights && { weights: across.points.map((_, i) => up.points.map((__, j) => weightAt(i, j))) }),
    knotsU: across.knots,
    knotsV: up.knots,
    ...((u || v) && { arcs: { ...(u && { u }), ...(v && { v }) } }),
  }
}

/** The centre of the sphere through the origin and three points, whose triple product is `volume`. */
function findCentre(p: Xyz, q: Xyz, r: Xyz, volume: number): Xyz {
  const sum = add(
    add(scale(cross(q, r), dot(p, p)), scale(cross(r, p), dot(q, q))),
    scale(cross(p, q), dot(r, r)),
  )
  return scale(sum, 1 / (2 * volume))
}

/** The centre of the circle through a point and two offsets from it; undefined for points on a line. */
function findFlatCentre(a: Xyz, p: Xyz, q: Xyz): Xyz | undefined {
  const normal = cross(p, q)
  const square = dot(normal, normal)
  if (square <= 1e-12 * dot(p, p) * dot(q, q)) return undefined
  const sum = add(scale(cross(normal, p), dot(q, q)), scale(cross(q, normal), dot(p, p)))
  return add(a, scale(sum, 1 / (2 * square)))
}
