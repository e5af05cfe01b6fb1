import { getCurveDomain } from '../values/curve-domain.ts'
import { findPlaneAcross, findPlaneFromAxes, findPlaneFromNormal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { addScaled, dot, findUnit, length, subtract, X_AXIS, Y_AXIS, Z_AXIS } from '../values/vector.ts'
import { findCurvature, findTangent, getPoint } from './evaluate.ts'

/** Steps between two frames for propagating the rotation. */
const STEPS = 16

/**
 * Rotation-minimizing planes perpendicular to a curve, at ascending parameters. The x axis of the first one
 * points towards the centre of curvature, upwards for a straight curve.
 * Source: Wang et al., Computation of Rotation Minimizing Frames (2008), double reflection; the first frame as
 * pyhopper (github.com/ezzahiranass/pyhopper) observed it in Grasshopper.
 */
export function listPerpFrames(curve: Curve, parameters: readonly number[]): (Plane | undefined)[] {
  const [first] = parameters
  if (first === undefined) return []
  let point = getPoint(curve, first)
  let tangent = findFrameTangent(curve, first)
  let axis = tangent && findFirstAxis(tangent, findCurvature(curve, first))
  const frames: (Plane | undefined)[] = [createFrame(point, tangent, axis)]
  for (let i = 1; i < parameters.length; i++) {
    const [from, to] = [parameters[i - 1] as number, parameters[i] as number]
    for (let step = 1; step <= STEPS; step++) {
      const t = step === STEPS ? to : from + ((to - from) * step) / STEPS
      const [nextPoint, nextTangent] = [getPoint(curve, t), findFrameTangent(curve, t)]
      if (tangent && axis && nextTangent) axis = carry(axis, tangent, nextTangent, subtract(nextPoint, point))
      point = nextPoint
      tangent = nextTangent ?? tangent
    }
    frames.push(createFrame(point, tangent, axis))
  }
  return frames
}

/** The plane perpendicular to a curve, with the x axis that openNURBS chooses for the direction. */
export function findFreeFrame(curve: Curve, t: number): Plane | undefined {
  const tangent = findFrameTangent(curve, t)
  return tangent && findPlaneFromNormal(getPoint(curve, t), tangent)
}

/** Returns the plane with x along the curve and y towards the centre of curvature. */
export function findCurvatureFrame(curve: Curve, t: number): Plane | undefined {
  const tangent = findTangent(curve, t)
  const bend = findCurvature(curve, t)
  if (!tangent) return undefined
  const point = getPoint(curve, t)
  const square = findPlaneFromNormal(point, tangent)?.xAxis
  return (
    (bend && findPlaneFromAxes(point, tangent, bend)) ?? (square && findPlaneFromAxes(point, tangent, square))
  )
}

/** Returns the tangent, which at a vertex is the incoming direction. */
function findFrameTangent(curve: Curve, t: number): Xyz | undefined {
  return findTangent(curve, t, t > getCurveDomain(curve).start ? 'below' : 'above')
}

function findFirstAxis(tangent: Xyz, bend: Xyz | undefined): Xyz | undefined {
  const candidates = bend && length(bend) > 1e-9 ? [bend] : [Z_AXIS, X_AXIS, Y_AXIS]
  for (const candidate of candidates) {
    const square = reject(candidate, tangent)
    if (length(square) > 1e-9) return findUnit(square)
  }
  return undefined
}

function carry(axis: Xyz, tangent: Xyz, nextTangent: Xyz, chord: Xyz): Xyz {
  const turned = reflect(axis, chord)
  const second = subtract(nextTangent, reflect(tangent, chord))
  const carried = length(second) <= 1e-9 ? turned : reflect(turned, second)
  return findUnit(reject(carried, nextTangent)) ?? axis
}

function reflect(a: Xyz, across: Xyz): Xyz {
  const square = dot(across, across)
  return square === 0 ? a : addScaled(a, across, (-2 * dot(across, a)) / square)
}

function reject(a: Xyz, direction: Xyz): Xyz {
  return addScaled(a, direction, -dot(a, direction))
}

function createFrame(point: Xyz, tangent: Xyz | undefined, axis: Xyz | undefined): Plane | undefined {
  return tangent && axis && findPlaneAcross(point, tangent, axis)
}
