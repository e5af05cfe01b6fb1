import { getStart } from '../curves/evaluate.ts'
import { createPolyCurve, findSubCurve, reverseCurve } from '../curves/split.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { arc, circle, polyline } from '../values/curves.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import type { Edge } from './arrange.ts'
import type { Shape } from './meets.ts'

/** A part of a shape: between two of its parameters, `end` beyond its domain for a part across the seam of a circle. */
interface Run {
  readonly source: Shape
  readonly isReversed: boolean
  readonly start: number
  readonly end: number
}

/**
 * The closed curve of edges in their order. Edges that continue each other on one line, arc or NURBS curve become one
 * again. It starts where two curves meet.
 */
export function createOutline(
  edges: readonly { readonly edge: Edge; readonly isReversed: boolean }[],
): Curve {
  const runs: Run[] = []
  for (const { edge, isReversed } of edges) {
    const { start, end } = getCurveDomain(edge.curve)
    append(runs, { source: edge.source, isReversed, start, end })
  }
  const [first, ...rest] = runs as [Run, ...Run[]]
  const last = runs.at(-1) as Run
  const across = rest.length > 0 ? join(last, first) : undefined
  const all = across ? [...rest.slice(0, -1), across] : runs
  const [only] = all as [Run, ...Run[]]
  if (all.length === 1 && only.source.type === 'arc') {
    const whole = circle(only.source.plane, only.source.radius)
    return only.isReversed ? reverseCurve(whole) : whole
  }
  const shapes = all.map(toShape)
  if (shapes.every(({ type }) => type === 'line')) {
    const corners = shapes.map(getStart)
    return polyline([...corners, corners[0] as Xyz])
  }
  return createPolyCurve(shapes)
}

function append(runs: Run[], next: Run): void {
  const before = runs.at(-1)
  const joined = before && join(before, next)
  if (joined) runs[runs.length - 1] = joined
  else runs.push(next)
}

function join(before: Run, after: Run): Run | undefined {
  if (before.source !== after.source || before.isReversed !== after.isReversed) return undefined
  const [low, high] = before.isReversed ? [after, before] : [before, after]
  if (low.end === high.start) return { ...low, end: high.end }
  const { start, end } = getCurveDomain(low.source)
  const isAcross = isTurn(low.source) && low.end === end && high.start === start
  return isAcross ? { ...low, end: high.end + end - start } : undefined
}

function isTurn(shape: Shape): boolean {
  return shape.type === 'arc' && Math.abs(shape.endAngle - shape.startAngle - 2 * Math.PI) < 1e-9
}

function toShape({ source, isReversed, start, end }: Run): Curve {
  const part =
    source.type === 'arc' ? cutArc(source, start, end) : (findSubCurve(source, start, end) ?? source)
  return isReversed ? reverseCurve(part) : part
}

function cutArc(source: Shape & { type: 'arc' }, start: number, end: number): Curve {
  const range = getCurveDomain(source)
  const rate = (source.endAngle - source.startAngle) / (range.end - range.start)
  const toAngle = (t: number) => source.startAngle + (t - range.start) * rate
  return arc(source.plane, source.radius, toAngle(start), toAngle(end))
}
