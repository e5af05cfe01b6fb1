import { reserveValues } from '../budget/budget.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { distance as measureDistance } from '../values/vector.ts'
import { getPoint } from './evaluate.ts'
import { getLength, getParameterAtLength } from './length.ts'
import { isClosed } from './split.ts'

/**
 * The parameters that divide a curve into parts of equal length, including both ends of an open curve and the
 * seam of a closed one once. Empty for a curve without length.
 */
export function divideByCount(curve: Curve, count: number): number[] {
  const whole = getLength(curve)
  if (!(whole > 0) || count < 1) return []
  const { start, end } = getCurveDomain(curve)
  reserveValues(count)
  const parameters = [start]
  for (let i = 1; i < count; i++) {
    parameters.push(getParameterAtLength(curve, (whole * i) / count))
  }
  return isClosed(curve) ? parameters : [...parameters, end]
}

/** The parameters at multiples of a length from the start, beginning with the start. */
export function divideByLength(curve: Curve, step: number): number[] {
  const whole = getLength(curve)
  const { start, end } = getCurveDomain(curve)
  const parameters = [start]
  const slack = 1e-9 * whole
  for (let i = 1; i * step < whole - slack; i++) {
    reserveValues(1)
    parameters.push(getParameterAtLength(curve, i * step))
  }
  const reachesEnd = Math.abs(Math.round(whole / step) * step - whole) <= slack
  return reachesEnd && !isClosed(curve) ? [...parameters, end] : parameters
}

/** Bisections until a parameter has full precision. */
const MAX_HALVINGS = 60

/**
 * The parameters, beginning with the start, each at the first point whose distance from the previous point is
 * `distance`. The curve is searched in steps of 1/32 of the distance.
 */
export function divideByChord(curve: Curve, distance: number): number[] {
  const whole = getLength(curve)
  const parameters = [getCurveDomain(curve).start]
  let point = getPoint(curve, parameters[0] as number)
  let along = 0
  // The arc length is never shorter than the chord.
  let step = distance
  while (along < whole) {
    reserveValues(1)
    const next = Math.min(along + step, whole)
    if (measureGap(curve, point, getParameterAtLength(curve, next)) < distance * (1 - 1e-12)) {
      along = next
      step = distance / 32
      continue
    }
    const t = approach(
      curve,
      point,
      distance,
      getParameterAtLength(curve, along),
      getParameterAtLength(curve, next),
    )
    parameters.push(t)
    point = getPoint(curve, t)
    along = getLength(curve, t)
    step = distance
  }
  return parameters
}

/** Bisection between a parameter that is closer than the distance and one that is not. */
function approach(curve: Curve, point: Xyz, distance: number, from: number, to: number): number {
  let [low, high] = [from, to]
  if (measureGap(curve, point, high) <= distance * (1 + 1e-12)) return high
  for (let round = 0; round < MAX_HALVINGS; round++) {
    const middle = (low + high) / 2
    if (measureGap(curve, point, middle) < distance) low = middle
    else high = middle
  }
  return high
}

function measureGap(curve: Curve, from: Xyz, t: number): number {
  return measureDistance(from, getPoint(curve, t))
}
