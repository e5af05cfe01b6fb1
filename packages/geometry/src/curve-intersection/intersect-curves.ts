import { checkpoint } from '../budget/budget.ts'
import { evaluate, getPoint } from '../curves/evaluate.ts'
import { isClosed } from '../curves/split.ts'
import { overlap } from '../values/bounding-box.ts'
import { createBoxTree } from '../values/box-tree.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { createPointGrid } from '../values/point-grid.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { add, distance, dot, scale, subtract } from '../values/vector.ts'
import { type Bezier, listBeziers } from './bezier.ts'
import {
  createStretch,
  halve,
  isNearlyStraight,
  isStraight,
  listOverlapping,
  listStraightStarts,
  type Stretch,
  TREE_OF_STRETCHES,
} from './stretch.ts'

export interface Crossing {
  readonly a: number
  readonly b: number
  /** The midpoint of the points on both curves. */
  readonly point: Xyz
}

/** Curves with more pairs of parts that may meet are taken to overlap. */
const MAX_PAIRS = 20_000

/**
 * The intersections of two curves within the tolerance, in the order of the first curve. Found by bisecting
 * both curves until nearly straight, then by Newton's method.
 * Undefined where the curves overlap, unless the overlap is straight: then its two ends are returned.
 */
export function findCrossings(a: Curve, b: Curve, tolerance: number): Crossing[] | undefined {
  const found: Crossing[] = []
  const stretches = listBeziers(b).map((bezier) => createStretch(bezier, bezier.points, 0, 1))
  const others = createBoxTree(stretches, TREE_OF_STRETCHES)
  if (!others) return []
  for (const bezier of listBeziers(a)) {
    const own = createStretch(bezier, bezier.points, 0, 1)
    for (const other of listOverlapping(others, own, tolerance)) {
      const starts = isStraight(own) && isStraight(other) ? [] : search(own, other, tolerance)
      if (!starts) return undefined
      const seeds = isStraight(own) && isStraight(other) ? listStraightStarts(own, other) : starts
      for (const [ta, tb] of seeds) {
        const crossing = refine(a, b, own, other, ta, tb, tolerance)
        if (crossing) found.push(crossing)
      }
    }
  }
  return withoutRepeats(found, a, b, tolerance)
}

/** Start values for Newton's method; undefined for too many. */
function search(a: Stretch, b: Stretch, tolerance: number): [number, number][] | undefined {
  const starts: [number, number][] = []
  let pairs: [Stretch, Stretch][] = [[a, b]]
  while (pairs.length > 0) {
    if (pairs.length > MAX_PAIRS) return undefined
    const next: [Stretch, Stretch][] = []
    for (const [one, other] of pairs) {
      checkpoint()
      if (isNearlyStraight(one, tolerance) && isNearlyStraight(other, tolerance)) {
        for (const [s, t] of listStraightStarts(one, other)) starts.push([s, t])
        continue
      }
      for (const left of isNearlyStraight(one, tolerance) ? [one] : halve(one)) {
        for (const right of isNearlyStraight(other, tolerance) ? [other] : halve(other)) {
          if (overlap(left, right, tolerance)) next.push([left, right])
        }
      }
    }
    pairs = next
  }
  return starts.length > MAX_PAIRS / 20 ? undefined : starts
}

/** Newton's method for the closest points near a start value, limited to the two Bézier curves. */
function refine(
  a: Curve,
  b: Curve,
  own: Stretch,
  other: Stretch,
  startA: number,
  startB: number,
  tolerance: number,
): Crossing | undefined {
  const [rangeA, rangeB] = [own.bezier, other.bezier]
  let [s, t] = [rangeA.toParameter(startA), rangeB.toParameter(startB)]
  const sideOf = (value: number, { end }: Bezier) => (value >= end ? 'below' : 'above')
  for (let round = 0; round < 30; round++) {
    const [p, dp] = evaluate(a, s, 1, sideOf(s, rangeA)) as [Xyz, Xyz]
    const [q, dq] = evaluate(b, t, 1, sideOf(t, rangeB)) as [Xyz, Xyz]
    const gap = subtract(p, q)
    const [aa, ab, bb] = [dot(dp, dp), dot(dp, dq), dot(dq, dq)]
    const size = aa * bb - ab * ab
    if (size <= 1e-14 * aa * bb) break
    const [ga, gb] = [dot(gap, dp), dot(gap, dq)]
    const nextS = Math.min(rangeA.end, Math.max(rangeA.start, s + (ab * gb - bb * ga) / size))
    const nextT = Math.min(rangeB.end, Math.max(rangeB.start, t + (aa * gb - ab * ga) / size))
    if (nextS === s && nextT === t) break
    s = nextS
    t = nextT
  }
  const [p] = evaluate(a, s, 0, sideOf(s, rangeA)) as [Xyz]
  const [q] = evaluate(b, t, 0, sideOf(t, rangeB)) as [Xyz]
  return distance(p, q) <= tolerance ? { a: s, b: t, point: scale(add(p, q), 0.5) } : undefined
}

/** Removes repeated intersections; the seam of a closed curve counts as its start. */
function withoutRepeats(found: readonly Crossing[], a: Curve, b: Curve, tolerance: number): Crossing[] {
  const atStart = (curve: Curve, t: number) => {
    const { start, end } = getCurveDomain(curve)
    const isLate = isClosed(curve) && end - t <= 1e-3 * (end - start)
    return isLate && distance(getPoint(curve, t), getPoint(curve, start)) <= tolerance ? start : t
  }
  const turned = found.map((crossing) => ({
    ...crossing,
    a: atStart(a, crossing.a),
    b: atStart(b, crossing.b),
  }))
  const distinct = createPointGrid<Crossing>(tolerance)
  return turned
    .sort((one, other) => one.a - other.a)
    .filter((crossing) => {
      const isRepeat = distinct
        .listNear(crossing.point)
        .some(
          (other) =>
            distance(other.point, crossing.point) <= tolerance &&
            isNear(a, other.a, crossing.a) &&
            isNear(b, other.b, crossing.b),
        )
      if (!isRepeat) distinct.add(crossing, crossing.point)
      return !isRepeat
    })
}

function isNear(curve: Curve, one: number, other: number): boolean {
  const { start, end } = getCurveDomain(curve)
  return Math.abs(one - other) <= 1e-2 * (end - start)
}
