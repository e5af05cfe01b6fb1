import { checkpoint } from '../budget/budget.ts'
import { evaluate } from '../curves/evaluate.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { distance, dot, subtract } from '../values/vector.ts'
import { type Bezier, listBeziers } from './bezier.ts'
import { createStretch, halve, isNearlyStraight, type Stretch } from './stretch.ts'

export interface ClosestPair {
  readonly a: Xyz
  readonly b: Xyz
  readonly distance: number
  /** Other pairs of points are equally close. */
  readonly hasEqual: boolean
}

interface Found extends ClosestPair {
  readonly s: number
  readonly t: number
}

/** Distances that differ by less, relative to their size, are equal. */
const SAME = 1e-12
/** How bent a part may be, relative to its chord, for Newton's method to start at the closest points of chords. */
const SAG = 1e-2

/**
 * The closest points of two curves; of equally close ones those with the smallest parameters. Parts of both curves
 * whose bounding boxes are farther apart than points that are known are discarded, the others halved until they are
 * nearly straight; then Newton's method finds the minimum.
 */
export function findClosestPair(a: Curve, b: Curve): ClosestPair | undefined {
  const [ours, theirs] = [a, b].map((curve) =>
    listBeziers(curve).map((bezier) => createStretch(bezier, bezier.points, 0, 1)),
  ) as [Stretch[], Stretch[]]
  let limit = Infinity
  for (const one of ours) {
    for (const other of theirs) {
      checkpoint()
      limit = Math.min(limit, getEndGap(one, other))
    }
  }
  const size = findSize([...ours, ...theirs])
  let best: Found | undefined
  const take = (found: Found) => {
    const slack = SAME * (size + found.distance)
    if (!best || found.distance < best.distance - slack) best = found
    else if (found.distance <= best.distance + slack) best = pickFirst(best, found, size)
    limit = Math.min(limit, best.distance)
  }
  let pairs = ours.flatMap((one) => pairWith(one, theirs, limit + SAME * (size + limit)))
  while (pairs.length > 0) {
    const next: [Stretch, Stretch][] = []
    for (const [one, other] of pairs) {
      checkpoint()
      if (getBoxGap(one, other) > limit + SAME * (size + limit)) continue
      const [isLeafA, isLeafB] = [isNearlyStraight(one, 0, SAG), isNearlyStraight(other, 0, SAG)]
      if (isLeafA && isLeafB) {
        take(refine(a, b, one, other))
        continue
      }
      for (const left of isLeafA ? [one] : halve(one)) {
        for (const right of isLeafB ? [other] : halve(other)) {
          limit = Math.min(limit, getEndGap(left, right))
          next.push([left, right])
        }
      }
    }
    pairs = next
  }
  return best
}

function pairWith(one: Stretch, others: readonly Stretch[], limit: number): [Stretch, Stretch][] {
  checkpoint(others.length)
  return others.filter((other) => getBoxGap(one, other) <= limit).map((other) => [one, other])
}

/** Picks one of two equally close pairs: the closer one if both are the same place, otherwise the earlier one. */
function pickFirst(best: Found, found: Found, size: number): Found {
  const isSame = distance(best.a, found.a) + distance(best.b, found.b) <= 1e-5 * size
  const hasEqual = best.hasEqual || found.hasEqual || !isSame
  const isEarlier = found.s < best.s || (found.s === best.s && found.t < best.t)
  const picked = isSame ? (found.distance < best.distance ? found : best) : isEarlier ? found : best
  return { ...picked, hasEqual }
}

function findSize(stretches: readonly Stretch[]): number {
  let size = 0
  for (const { min, max } of stretches) size = Math.max(size, distance(min, max))
  return size
}

/** The gap between bounding boxes: no points of both parts are closer. */
function getBoxGap(a: Stretch, b: Stretch): number {
  const [x, y, z] = (['x', 'y', 'z'] as const).map((axis) =>
    Math.max(0, a.min[axis] - b.max[axis], b.min[axis] - a.max[axis]),
  ) as [number, number, number]
  return Math.hypot(x, y, z)
}

function getEndGap(a: Stretch, b: Stretch): number {
  const [a0, a1, b0, b1] = [getEnd(a, 0), getEnd(a, -1), getEnd(b, 0), getEnd(b, -1)]
  return Math.min(distance(a0, b0), distance(a0, b1), distance(a1, b0), distance(a1, b1))
}

function getEnd({ points }: Stretch, index: 0 | -1): Xyz {
  const { x, y, z, w } = points.at(index) as Stretch['points'][number]
  return { x: x / w, y: y / w, z: z / w }
}

/** The minimum near the closest points of both chords. */
function refine(a: Curve, b: Curve, one: Stretch, other: Stretch): Found {
  const { u, v, areParallel } = findOnChords(one, other)
  const [rangeA, rangeB] = [toRange(one), toRange(other)]
  let s = clamp(one.bezier.toParameter(one.from + (one.to - one.from) * u), rangeA)
  let t = clamp(other.bezier.toParameter(other.from + (other.to - other.from) * v), rangeB)
  let current = touch(a, b, s, t, one.bezier, other.bezier)
  for (let round = 0; round < 50; round++) {
    checkpoint()
    const [ds, dt] = findStep(current, s, t, rangeA, rangeB)
    if (ds === 0 && dt === 0) break
    const step = search(a, b, current, s, t, ds, dt, rangeA, rangeB, one.bezier, other.bezier)
    if (!step) break
    s = step.s
    t = step.t
    current = step.touch
  }
  const isStraight = one.points.length === 2 && other.points.length === 2
  return {
    s,
    t,
    a: current.p,
    b: current.q,
    distance: distance(current.p, current.q),
    hasEqual: isStraight && areParallel,
  }
}

type Range = readonly [low: number, high: number]

/** The whole Bézier curve: at an inner end of a part the distance is no minimum. */
function toRange({ bezier: { start, end } }: Stretch): Range {
  return [start, end]
}

function clamp(value: number, [low, high]: Range): number {
  return Math.min(high, Math.max(low, value))
}

/** Points of both curves with their derivatives. */
interface Touch {
  readonly p: Xyz
  readonly dp: Xyz
  readonly ddp: Xyz
  readonly q: Xyz
  readonly dq: Xyz
  readonly ddq: Xyz
}

function touch(a: Curve, b: Curve, s: number, t: number, ownA: Bezier, ownB: Bezier): Touch {
  const [p, dp, ddp] = evaluate(a, s, 2, s >= ownA.end ? 'below' : 'above') as [Xyz, Xyz, Xyz]
  const [q, dq, ddq] = evaluate(b, t, 2, t >= ownB.end ? 'below' : 'above') as [Xyz, Xyz, Xyz]
  return { p, dp, ddp, q, dq, ddq }
}

/** A step of Newton's method for half the square of the distance; parameters at a bound stay if it leads outside. */
function findStep(
  { p, dp, ddp, q, dq, ddq }: Touch,
  s: number,
  t: number,
  [lowS, highS]: Range,
  [lowT, highT]: Range,
): [number, number] {
  const gap = subtract(p, q)
  const [gs, gt] = [dot(gap, dp), -dot(gap, dq)]
  const holdsS = (s <= lowS && gs >= 0) || (s >= highS && gs <= 0)
  const holdsT = (t <= lowT && gt >= 0) || (t >= highT && gt <= 0)
  const [speedS, speedT] = [dot(dp, dp), dot(dq, dq)]
  const [ss, tt, st] = [speedS + dot(gap, ddp), speedT - dot(gap, ddq), -dot(dp, dq)]
  const alone = (slope: number, curvature: number, speed: number) =>
    speed === 0 ? 0 : -slope / (curvature > 1e-6 * speed ? curvature : speed)
  if (holdsS) return [0, holdsT ? 0 : alone(gt, tt, speedT)]
  if (holdsT) return [alone(gs, ss, speedS), 0]
  const size = ss * tt - st * st
  if (ss > 0 && size > 1e-12 * ss * tt) return [(st * gt - tt * gs) / size, (st * gs - ss * gt) / size]
  return [alone(gs, ss, speedS), alone(gt, tt, speedT)]
}

/** Shortens a step until the points come closer; undefined if they do not. */
function search(
  a: Curve,
  b: Curve,
  from: Touch,
  s: number,
  t: number,
  ds: number,
  dt: number,
  rangeA: Range,
  rangeB: Range,
  ownA: Bezier,
  ownB: Bezier,
): { s: number; t: number; touch: Touch } | undefined {
  const gap = distance(from.p, from.q)
  for (let factor = 1; factor > 1e-9; factor /= 2) {
    checkpoint()
    const [nextS, nextT] = [clamp(s + factor * ds, rangeA), clamp(t + factor * dt, rangeB)]
    if (nextS === s && nextT === t) return undefined
    const next = touch(a, b, nextS, nextT, ownA, ownB)
    if (distance(next.p, next.q) < gap) return { s: nextS, t: nextT, touch: next }
  }
  return undefined
}

/** The closest points of two chords, as fractions of them. Parallel chords that overlap have many. */
function findOnChords(one: Stretch, other: Stretch): { u: number; v: number; areParallel: boolean } {
  const [a0, a1, b0, b1] = [getEnd(one, 0), getEnd(one, -1), getEnd(other, 0), getEnd(other, -1)]
  const [d, e, r] = [subtract(a1, a0), subtract(b1, b0), subtract(a0, b0)]
  const [dd, ee, de, dr, er] = [dot(d, d), dot(e, e), dot(d, e), dot(d, r), dot(e, r)]
  const unit: Range = [0, 1]
  const onA = (v: number) => (dd === 0 ? 0 : clamp((de * v - dr) / dd, unit))
  const onB = (u: number) => (ee === 0 ? 0 : clamp((de * u + er) / ee, unit))
  const size = dd * ee - de * de
  const areParallel = size <= 1e-14 * dd * ee
  const start = areParallel ? 0 : clamp((de * er - dr * ee) / size, unit)
  const v = onB(start)
  const u = onA(v)
  const ends = [onB(0), onB(1)] as const
  return { u, v: onB(u), areParallel: areParallel && dd > 0 && ee > 0 && ends[0] !== ends[1] }
}
