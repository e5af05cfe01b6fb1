import { checkpoint } from '../budget/budget.ts'
import { findCrossings } from '../curve-intersection/intersect-curves.ts'
import { findClosestPoint } from '../curves/closest-point.ts'
import { getEnd, getPoint, getStart } from '../curves/evaluate.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { Arc, Line, NurbsCurve } from '../values/curves.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve, Domain } from '../values/value.ts'
import { addScaled, distance, dot, subtract } from '../values/vector.ts'

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
  if (a.type === 'line' && b.type === 'line') return findLineMeets(a, b, tolerance)
  if (a.type === 'arc' && b.type === 'arc') {
    if (areOnOneCircle(a, b, tolerance)) return findEndsOn(a, b, tolerance)
    if (areApart(a, b, tolerance)) return []
  }
  const haveEqualEnds = areEndsEqual(a, b, tolerance)
  if (haveEqualEnds) {
    const ends = findEndsOn(a, b, tolerance)
    if (overlapBetween(a, b, ends, tolerance)) return ends
  }
  const crossings = findCrossings(a, b, tolerance)
  if (crossings || haveEqualEnds) return crossings
  const ends = findEndsOn(a, b, tolerance)
  return overlapBetween(a, b, ends, tolerance) ? ends : undefined
}

/** Finds the closest points of two lines, and where an end of one is on the other. */
function findLineMeets(a: Line, b: Line, tolerance: number): Meet[] {
  const [along, across] = [subtract(a.to, a.from), subtract(b.to, b.from)]
  const gap = subtract(a.from, b.from)
  const [aa, bb, ab] = [dot(along, along), dot(across, across), dot(along, across)]
  const [ga, gb] = [dot(gap, along), dot(gap, across)]
  const onA = (t: number) => clamp((t * ab - ga) / aa)
  const onB = (s: number) => clamp((s * ab + gb) / bb)
  const size = aa * bb - ab * ab
  const crossing = size > PARALLEL * aa * bb ? clamp((ab * gb - bb * ga) / size) : 0
  const candidates: readonly (readonly [number, number])[] = [
    [0, onB(0)],
    [1, onB(1)],
    [onA(0), 0],
    [onA(1), 1],
    [onA(onB(crossing)), onB(crossing)],
  ] as const
  const [rangeA, rangeB] = [getCurveDomain(a), getCurveDomain(b)]
  const found: (Meet & { point: Xyz })[] = []
  for (const [s, t] of candidates) {
    const point = addScaled(a.from, along, s)
    if (!(distance(point, addScaled(b.from, across, t)) <= tolerance)) continue
    if (found.some((other) => distance(other.point, point) <= tolerance)) continue
    found.push({ a: at(rangeA, s), b: at(rangeB, t), point })
  }
  return found
}

/** Lines are parallel below this square of the sine of the angle between them. */
const PARALLEL = 1e-14

const clamp = (t: number): number => (t > 0 ? Math.min(t, 1) : 0)

const at = ({ start, end }: Domain, share: number): number =>
  share === 1 ? end : start + (end - start) * share

/** Whether shapes end at the same places, in either direction. */
function areEndsEqual(a: Shape, b: Shape, tolerance: number): boolean {
  const [from, to] = [getStart(a), getEnd(a)]
  const [one, other] = [getStart(b), getEnd(b)]
  const areNear = (p: Xyz, q: Xyz) => distance(p, q) <= tolerance
  return (areNear(from, one) && areNear(to, other)) || (areNear(from, other) && areNear(to, one))
}

function areOnOneCircle(a: Arc, b: Arc, tolerance: number): boolean {
  const gap = distance(a.plane.origin, b.plane.origin) + Math.abs(a.radius - b.radius)
  return gap <= tolerance && Math.abs(dot(a.plane.zAxis, b.plane.zAxis)) > 1 - 1e-9
}

/** Whether one circle is outside or inside of the other, in space: in any direction from each other. */
function areApart(a: Arc, b: Arc, tolerance: number): boolean {
  const gap = distance(a.plane.origin, b.plane.origin)
  return (
    gap > a.radius + b.radius + tolerance ||
    Math.min(a.radius, b.radius) + gap < Math.max(a.radius, b.radius) - tolerance
  )
}

/** Finds where the ends of each shape are on the other. */
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

/** Returns whether the first shape is on the second between their common ends, and nowhere else. */
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
