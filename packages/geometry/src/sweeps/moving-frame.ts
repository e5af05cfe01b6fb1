import { findTangent, getPoint } from '../curves/evaluate.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { addScaled, cross, dot, findUnit, scale, subtract, Z_AXIS } from '../values/vector.ts'

/** A point of a curve with two directions perpendicular to the curve and to each other. */
export interface Frame {
  readonly point: Xyz
  readonly xAxis: Xyz
  readonly yAxis: Xyz
}

/**
 * Rotation-minimizing frames along a curve. `towards` is close to the first x axis. On a closed curve
 * (`isRound`) an even rotation is added so that the last frame equals the first.
 * Source: the double reflection method, Wang et al., Computation of Rotation Minimizing Frames, 2008.
 */
export function listFrames(
  curve: Curve,
  parameters: readonly number[],
  towards: Xyz,
  isRound = false,
): Frame[] {
  const steps = parameters.map((t, i) => ({
    point: getPoint(curve, t),
    tangent: findTangent(curve, t, i === parameters.length - 1 ? 'below' : 'above') ?? Z_AXIS,
  }))
  const [first] = steps
  if (!first) return []
  let xAxis = square(towards, first.tangent)
  const axes = [xAxis]
  for (const [i, { point, tangent }] of steps.slice(1).entries()) {
    const before = steps[i] as typeof first
    const move = subtract(point, before.point)
    const reflectedX = reflect(xAxis, move)
    const reflectedTangent = reflect(before.tangent, move)
    xAxis = square(reflect(reflectedX, subtract(tangent, reflectedTangent)), tangent)
    axes.push(xAxis)
  }
  const excess = isRound ? findAngle(axes[0] as Xyz, axes.at(-1) as Xyz, first.tangent) : 0
  const [from, to] = [parameters[0] as number, parameters.at(-1) as number]
  return steps.map(({ point, tangent }, i) => {
    const ratio = to === from ? 0 : ((parameters[i] as number) - from) / (to - from)
    const turned = rotateAround(axes[i] as Xyz, tangent, -excess * ratio)
    return { point, xAxis: turned, yAxis: cross(tangent, turned) }
  })
}

/** Reflects a direction in the plane perpendicular to a vector. */
function reflect(direction: Xyz, across: Xyz): Xyz {
  const size = dot(across, across)
  return size === 0 ? direction : addScaled(direction, across, (-2 * dot(direction, across)) / size)
}

/** The normalised component of a direction perpendicular to the tangent. */
function square(direction: Xyz, tangent: Xyz): Xyz {
  const rest = addScaled(direction, tangent, -dot(direction, tangent))
  return findUnit(rest) ?? findUnit(cross(tangent, { x: tangent.y, y: tangent.z, z: tangent.x })) ?? direction
}

function findAngle(from: Xyz, to: Xyz, axis: Xyz): number {
  return Math.atan2(dot(cross(from, to), axis), dot(from, to))
}

function rotateAround(direction: Xyz, axis: Xyz, angle: number): Xyz {
  return addScaled(scale(direction, Math.cos(angle)), cross(axis, direction), Math.sin(angle))
}
