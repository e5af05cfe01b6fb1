import { checkpoint } from '../../budget/budget.ts'
import { getCurveDomain } from '../../values/curve-domain.ts'
import type { Arc, Line, NurbsCurve } from '../../values/curves.ts'
import type { Xyz } from '../../values/points.ts'
import type { Curve } from '../../values/value.ts'
import { distance, dot } from '../../values/vector.ts'
import { findCrossings } from '../curve-intersection/intersect-curves.ts'
import { findClosestPoint } from '../curves/closest-point.ts'
import { getEnd, getPoint, getStart } from '../curves/evaluate.ts'

/** A line, arc or NURBS curve. */
export type Shape = Line | Arc | NurbsCurve

export interface Meet {
  readonly a: number
  readonly b: number
}

/**
 * The parameters at which two shapes meet within the tolerance; for parts that lie on each other both of their ends.
 * Undefined where it is unclear which parts do.
 */
export function findMeets(a: Shape, b: Shape, tolerance: number): Meet[] | undefined {
  if (a.type === 'arc' && b.type === 'arc' && areOnOneCircle(a, b, tolerance))
    return findEndsOn(a, b, tolerance)
  const crossings = findCrossings(a, b, tolerance)
  if (crossings) return crossings
  const ends = findEndsOn(a, b, tolerance)
  return overlapBetween(a, b, ends, tolerance) ? ends : undefined
}

function areOnOneCircle(a: Arc, b: Arc, tolerance: number): boolean {
  const gap = distance(a.plane.origin, b.plane.origin) + Math.abs(a.radius - b.radius)
  return gap <= tolerance && Math.abs(dot(a.plane.zAxis, b.plane.zAxis)) > 1 - 1e-9
}

/** Where the ends of each shape are on the other. */
function findEndsOn(a: Shape, b: Shape, tolerance: number): Meet[] {
  const meets: Meet[] = []
  const [rangeA, rangeB] = [getCurveDomain(a), getCurveDomain(b)]
  for (const [t, point] of [
    [rangeA.start, getStart(a)],
    [rangeA.end, getEnd(a)],
  ] as const) {
    const found = findOn(b, point, tolerance)
    if (found !== undefined) meets.push({ a: t, b: found })
  }
  for (const [t, point] of [
    [rangeB.start, getStart(b)],
    [rangeB.end, getEnd(b)],
  ] as const) {
    const found = findOn(a, point, tolerance)
    if (found !== undefined) meets.push({ a: found, b: t })
  }
  return meets
}

function findOn(curve: Curve, point: Xyz, tolerance: number): number | undefined {
  const found = findClosestPoint(curve, point)
  return found && found.distance <= tolerance ? found.parameter : undefined
}

const SAMPLES = 16

/** Between the common ends the first shape is on the second, and nowhere else. */
function overlapBetween(a: Shape, b: Shape, ends: readonly Meet[], tolerance: number): boolean {
  if (ends.length < 2) return false
  const common = ends.map((end) => end.a)
  const [from, to] = [Math.min(...common), Math.max(...common)]
  const { start, end } = getCurveDomain(a)
  const slack = 1e-6 * (end - start)
  for (let i = 1; i < SAMPLES; i++) {
    checkpoint()
    const t = start + ((end - start) * i) / SAMPLES
    const isOn = findOn(b, getPoint(a, t), tolerance) !== undefined
    if (t > from + slack && t < to - slack ? !isOn : isOn && (t < from - slack || t > to + slack))
      return false
  }
  return to - from > slack
}
