import { getCurveDomain } from '../../values/curve-domain.ts'
import { findPlaneFromNormal, plane } from '../../values/planes.ts'
import type { Plane, Xyz } from '../../values/points.ts'
import type { Curve } from '../../values/value.ts'
import {
  addScaled,
  cross,
  dot,
  findUnit,
  length,
  subtract,
  X_AXIS,
  Y_AXIS,
  Z_AXIS,
} from '../../values/vector.ts'
import { findCurvature, findTangent, getPoint } from './evaluate.ts'

/** Places between two frames at which the way of turning is followed. */
const STEPS = 16

/**
 * Planes square to a curve that turn around it no more than they have to, at parameters in rising order. The x axis
 * of the first points to where the curve bends, of a straight one up.
 * Source: Wang et al., Computation of Rotation Minimizing Frames (2008), double reflection; how the first one lies
 * as pyhopper (github.com/ezzahiranass/pyhopper) read it off Grasshopper.
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
      const [nextPlace, nextTangent] = [getPoint(curve, t), findFrameTangent(curve, t)]
      if (tangent && axis && nextTangent) axis = carry(axis, tangent, nextTangent, subtract(nextPlace, point))
      point = nextPlace
      tangent = nextTangent ?? tangent
    }
    frames.push(createFrame(point, tangent, axis))
  }
  return frames
}

/** The plane square to a curve, its x axis as openNURBS chooses it for the direction. */
export function findFreeFrame(curve: Curve, t: number): Plane | undefined {
  const tangent = findFrameTangent(curve, t)
  return tangent && findPlaneFromNormal(getPoint(curve, t), tangent)
}

/** Along the curve, y towards where it bends. */
export function findCurvatureFrame(curve: Curve, t: number): Plane | undefined {
  const tangent = findTangent(curve, t)
  const bend = findCurvature(curve, t)
  const yAxis =
    tangent && ((bend && findUnit(bend)) ?? findPlaneFromNormal(getPoint(curve, t), tangent)?.xAxis)
  return tangent && yAxis && plane(getPoint(curve, t), tangent, yAxis, cross(tangent, yAxis))
}

/** At a vertex the direction in which the curve arrives. */
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
  return tangent && axis && plane(point, axis, cross(tangent, axis), tangent)
}
