import { checkpoint } from '../../budget/budget.ts'
import type { NurbsCurve } from '../../values/curves.ts'
import { interpolate } from '../../values/vector.ts'
import { createNurbs, listBezierSpans, type Weighted } from './knots.ts'

/**
 * The same curve with a higher degree. Its knots are all doubled up to that degree: it is cut into Bézier spans,
 * and each of them raised.
 */
export function elevateDegree(curve: NurbsCurve, degree: number): NurbsCurve {
  if (degree <= curve.degree) return curve
  const raised: Weighted[] = []
  const knots: number[] = []
  for (const { start, end, points } of listBezierSpans(curve)) {
    let span = points
    checkpoint(degree)
    while (span.length <= degree) span = raise(span)
    for (const point of raised.length === 0 ? span : span.slice(1)) raised.push(point)
    for (const knot of raised.length === span.length ? [start, end] : [end]) {
      for (let k = 0; k < degree; k++) knots.push(knot)
    }
  }
  return createNurbs(raised, degree, knots)
}

function raise(span: readonly Weighted[]): Weighted[] {
  const degree = span.length
  const [first, last] = [span[0], span.at(-1)] as [Weighted, Weighted]
  const inner = span.slice(1).map((point, i) => {
    const before = span[i] as Weighted
    const share = (i + 1) / degree
    return { ...interpolate(point, before, share), w: point.w + (before.w - point.w) * share }
  })
  return [first, ...inner, last]
}
