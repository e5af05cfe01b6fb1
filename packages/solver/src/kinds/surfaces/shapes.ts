import { createBrepOfSurface } from '@meadow/geometry/breps/surface-brep'
import { checkpoint, POINT_BYTES } from '@meadow/geometry/budget/budget'
import { findKinks } from '@meadow/geometry/curves/discontinuities'
import { toNurbs } from '@meadow/geometry/curves/to-nurbs'
import { isUntrimmed } from '@meadow/geometry/meshing/face-polygon'
import { type ArcSurface, findSpanAngle } from '@meadow/geometry/surfaces/arcs'
import { clampNurbs } from '@meadow/geometry/surfaces/compatible'
import { listGreville } from '@meadow/geometry/surfaces/coons'
import { findNormalAt, findSurfacePlane } from '@meadow/geometry/surfaces/evaluate-surface'
import { getSurface } from '@meadow/geometry/surfaces/get-surface'
import { createSphere } from '@meadow/geometry/surfaces/revolve'
import { applyTransform } from '@meadow/geometry/transform/apply-transform'
import { countPoints } from '@meadow/geometry/transform/count-points'
import { createTranslation } from '@meadow/geometry/transform/create'
import { isCurve } from '@meadow/geometry/values/curves'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import { xyPlane } from '@meadow/geometry/values/planes'
import { toPoint, type Xyz } from '@meadow/geometry/values/points'
import type { Curve, Surface } from '@meadow/geometry/values/value'
import { add, addScaled, cross, distance, dot, length, scale, subtract } from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

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
    guid: 'e7ffb3af-2d77-4804-a260-755308bf8285',
    description:
      'The sphere that is nearest to points, by the squares of the differences of squared distances.',
    solve: ([points], context) => {
      const locations = present(points)
      context.reserve(locations.length)
      if (locations.length < 3) {
        context.error('Three points are needed')
        return []
      }
      const fitted = fitSphere(locations)
      if (!fitted) {
        context.limit('The sphere of points that are in a plane is not published')
        return []
      }
      const { centre, radius } = fitted
      const isExact = locations.every((at) => Math.abs(distance(at, centre) - radius) <= context.tolerance)
      if (!isExact) context.approximate('Rhino may fit a sphere otherwise to points that are not on one')
      return [toPoint(centre), radius, createSphere(xyPlane(centre), radius)]
    },
  }),
  defineKind({
    guid: '38a5638b-6d01-4417-bf11-976d925f8a71',
    description: 'The surface that a curve covers when it is moved along another one, from its own place.',
    solve: ([base, path], context) => {
      if (!isCurve(base) || findKinks(base).length > 0 || findKinks(path).length > 0) {
        context.limit('Only smooth curves are extruded along smooth curves')
        return []
      }
      context.approximate("The surface can have another direction and other parameters than Rhino's")
      const surface = createSumSurface(base, path, (count) => context.reserve(count, POINT_BYTES))
      return [createBrepOfSurface(surface)]
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
  defineKind({
    guid: 'e7e43403-f913-4d83-8aff-5b1c7a7f9fbc',
    description: 'Moves each control point of a surface along the normal at its parameters.',
    solve: ([surface, away], context) => {
      const { surface: whole, isReversed } = getSurface(surface)
      if (whole.weights || (surface.type === 'brep' && !surface.faces.every(isUntrimmed))) {
        context.limit(
          'How Rhino moves the control points of trimmed surfaces, and of those with weights, is not published',
        )
        return []
      }
      context.reserve(countPoints(surface), POINT_BYTES)
      return [moveControlPoints(whole, isReversed ? -away : away)]
    },
  }),
]

/** Source: results of Grasshopper's Offset Surface Loose in pyhopper (github.com/ezzahiranass/pyhopper). */
function moveControlPoints(surface: NurbsSurface, by: number): NurbsSurface {
  const us = listGreville(surface.knotsU, surface.degreeU)
  const vs = listGreville(surface.knotsV, surface.degreeV)
  const move = (point: Xyz, u: number, v: number): Xyz => {
    checkpoint()
    const normal = findNormalAt(surface, u, v)
    return normal ? addScaled(point, normal, by) : point
  }
  return {
    ...surface,
    points: surface.points.map((row, i) => row.map((point, j) => move(point, us[i]!, vs[j]!))),
  }
}

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

/**
 * The sphere with the least sum of (|p − c|² − r²)², whose centre solves linear equations; undefined for points in a plane.
 * Source: Coope, Circle fitting by linear and nonlinear least squares, 1993.
 */
function fitSphere(points: readonly Xyz[]): { centre: Xyz; radius: number } | undefined {
  const mean = scale(points.reduce(add), 1 / points.length)
  const offsets = points.map((point) => subtract(point, mean))
  const sum = (one: 'x' | 'y' | 'z', other: 'x' | 'y' | 'z') =>
    offsets.reduce((total, offset) => total + offset[one] * offset[other], 0)
  const columns = (['x', 'y', 'z'] as const).map((axis) => ({
    x: sum('x', axis),
    y: sum('y', axis),
    z: sum('z', axis),
  })) as [Xyz, Xyz, Xyz]
  const [a, b, c] = columns
  const volume = dot(cross(a, b), c)
  if (!(Math.abs(volume) > 1e-12 * length(a) * length(b) * length(c))) return undefined
  const right = scale(
    offsets.reduce((total, offset) => add(total, scale(offset, dot(offset, offset))), { x: 0, y: 0, z: 0 }),
    0.5,
  )
  const away = {
    x: dot(cross(b, c), right) / volume,
    y: dot(cross(c, a), right) / volume,
    z: dot(cross(a, b), right) / volume,
  }
  const square = offsets.reduce((total, offset) => total + dot(offset, offset), 0) / offsets.length
  return { centre: add(mean, away), radius: Math.sqrt(square + dot(away, away)) }
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
