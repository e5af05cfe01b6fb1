import { checkpoint } from '../budget/budget.ts'
import { getEnd, getStart } from '../curves/evaluate.ts'
import { trimNurbs } from '../curves/knots.ts'
import { createPolyCurve, isClosed, reverseCurve } from '../curves/split.ts'
import { findVertices } from '../curves/vertices.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { polyline } from '../values/curves.ts'
import { createPointGrid, type PointGrid } from '../values/point-grid.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { areEqual, interpolate } from '../values/vector.ts'

interface Link {
  readonly curve: Curve
  readonly isFlipped: boolean
}

/** A chain of curves: `before` from the first curve to the start, `after` from the first curve to the end. */
interface Chain {
  before: Link[]
  after: Link[]
  /** The chain runs opposite to its links. */
  isTurned: boolean
  isStraight: boolean
  start: Xyz
  end: Xyz
}

/**
 * Joins curves whose ends are within the tolerance. A chain starts with the first remaining curve and takes the
 * first other curve that fits at its start or end, reversed if necessary; a chain of straight curves is
 * reversed instead. Straight chains become polylines, others polycurves. `preservesDirections` joins ends to starts
 * only.
 * Source: what Grasshopper's Join Curves returns, as pyhopper (github.com/ezzahiranass/pyhopper) describes it.
 */
export function joinCurves(
  curves: readonly Curve[],
  tolerance: number,
  preservesDirections = false,
): Curve[] {
  const grid = createPointGrid<number>(tolerance)
  for (const [index, curve] of curves.entries()) {
    if (!isClosed(curve)) for (const at of [getStart(curve), getEnd(curve)]) grid.add(index, at)
  }
  const joined: Curve[] = []
  const used = new Set<number>()
  for (const [index, curve] of curves.entries()) {
    if (used.has(index)) continue
    used.add(index)
    const links = isClosed(curve) ? [] : grow(curves, index, used, grid, tolerance, preservesDirections)
    joined.push(links.length === 0 ? curve : connect(links, tolerance, preservesDirections))
  }
  return joined
}

function grow(
  curves: readonly Curve[],
  seed: number,
  used: Set<number>,
  grid: PointGrid<number>,
  tolerance: number,
  preservesDirections: boolean,
): Curve[] {
  const first = curves[seed] as Curve
  const chain: Chain = {
    before: [],
    after: [{ curve: first, isFlipped: false }],
    isTurned: false,
    isStraight: findVertices(first) !== undefined,
    start: getStart(first),
    end: getEnd(first),
  }
  for (;;) {
    checkpoint()
    const near = [...grid.listNear(chain.start), ...grid.listNear(chain.end)].filter((i) => !used.has(i))
    const next = near
      .sort((a, b) => a - b)
      .find((i) => attach(chain, curves[i] as Curve, tolerance, preservesDirections))
    if (next === undefined) break
    used.add(next)
    if (areEqual(chain.start, chain.end, tolerance)) break
  }
  const links = [...chain.before.toReversed(), ...chain.after]
  const ordered = chain.isTurned ? links.reverse() : links
  return ordered.map(({ curve, isFlipped }) => (isFlipped === chain.isTurned ? curve : reverseCurve(curve)))
}

/** Adds a curve at the start or end of the chain if it fits. */
function attach(chain: Chain, curve: Curve, tolerance: number, preservesDirections: boolean): boolean {
  const [start, end] = [getStart(curve), getEnd(curve)]
  const meets = (a: Xyz, b: Xyz) => areEqual(a, b, tolerance)
  const isStraight = findVertices(curve) !== undefined
  if (meets(end, chain.start)) put(chain, curve, false, true)
  else if (meets(start, chain.end)) put(chain, curve, false, false)
  else if (preservesDirections) return false
  else if (meets(start, chain.start)) putReversed(chain, curve, isStraight, true)
  else if (meets(end, chain.end)) putReversed(chain, curve, isStraight, false)
  else return false
  chain.isStraight &&= isStraight
  return true
}

function putReversed(chain: Chain, curve: Curve, isStraight: boolean, atStart: boolean): void {
  if (!chain.isStraight || !isStraight) {
    put(chain, curve, true, atStart)
    return
  }
  chain.isTurned = !chain.isTurned
  const { start, end } = chain
  chain.start = end
  chain.end = start
  put(chain, curve, false, !atStart)
}

function put(chain: Chain, curve: Curve, isFlipped: boolean, atStart: boolean): void {
  const [start, end] = isFlipped ? [getEnd(curve), getStart(curve)] : [getStart(curve), getEnd(curve)]
  const side = atStart === chain.isTurned ? chain.after : chain.before
  side.push({ curve, isFlipped: isFlipped !== chain.isTurned })
  if (atStart) chain.start = start
  else chain.end = end
}

/**
 * Connects consecutive curves and closes the gaps. A single line becomes a polyline, unless directions are
 * kept.
 */
function connect(curves: Curve[], tolerance: number, preservesDirections: boolean): Curve {
  const [first] = curves
  const last = curves.at(-1)
  if (!first || !last || (curves.length === 1 && (preservesDirections || first.type !== 'line')))
    return first as Curve
  for (let i = 1; i < curves.length; i++) closeGap(curves, i - 1, i)
  if (curves.length > 1 && areEqual(getStart(first), getEnd(last), tolerance))
    closeGap(curves, curves.length - 1, 0)
  const whole = createPolyCurve(curves)
  const vertices = findVertices(whole)
  return vertices ? polyline(vertices) : whole
}

/** Moves two ends to their midpoint, or the movable one to the other. */
function closeGap(parts: Curve[], before: number, after: number): void {
  const [curve, next] = [parts[before] as Curve, parts[after] as Curve]
  const [end, start] = [getEnd(curve), getStart(next)]
  if (areEqual(end, start)) return
  const middle = interpolate(end, start, 0.5)
  const [movedEnd, movedStart] = [moveEnd(curve, middle, true), moveEnd(next, middle, false)]
  if (movedEnd && movedStart) {
    parts[before] = movedEnd
    parts[after] = movedStart
  } else if (movedEnd) {
    parts[before] = moveEnd(curve, start, true) ?? curve
  } else if (movedStart) {
    parts[after] = moveEnd(next, end, false) ?? next
  }
}

/** A curve with its start or end moved; undefined for arcs, which would change their shape. */
function moveEnd(curve: Curve, point: Xyz, isEnd: boolean): Curve | undefined {
  const range = getCurveDomain(curve)
  switch (curve.type) {
    case 'line':
      return { ...curve, [isEnd ? 'to' : 'from']: point, domain: range }
    case 'polyline':
      return { ...curve, vertices: replaceAt(curve.vertices, point, isEnd) }
    case 'nurbsCurve': {
      const clamped = trimNurbs(curve, range.start, range.end)
      return { ...clamped, points: replaceAt(clamped.points, point, isEnd) }
    }
    case 'polyCurve': {
      const segment = curve.segments.at(isEnd ? -1 : 0)
      const moved = segment && moveEnd(segment, point, isEnd)
      return moved && { ...curve, segments: replaceAt(curve.segments, moved, isEnd) }
    }
    default:
      return undefined
  }
}

function replaceAt<T>(items: readonly T[], item: T, isEnd: boolean): T[] {
  return isEnd ? [...items.slice(0, -1), item] : [item, ...items.slice(1)]
}
