import type { Curve, Domain } from '@meadow/geometry/values/value'
import { distance } from './xyz.ts'

/** The default domain of a curve, as RhinoCommon sets it. */
export function getDomain(curve: Curve): readonly [start: number, end: number] {
  if (curve.type === 'nurbsCurve') return getKnotDomain(curve.knots, curve.degree)
  if (curve.domain) return [curve.domain.start, curve.domain.end]
  return [0, getUsualEnd(curve)]
}

function getUsualEnd(curve: Exclude<Curve, { type: 'nurbsCurve' }>): number {
  switch (curve.type) {
    case 'line':
      return distance(curve.from, curve.to)
    case 'polyline':
      return curve.vertices.length - 1
    case 'rectangle':
      return 4
    case 'circle':
      return 2 * Math.PI * curve.radius
    case 'arc':
      return (curve.endAngle - curve.startAngle) * curve.radius
    case 'polyCurve':
      return curve.segments.map(getDomain).reduce((sum, [start, end]) => sum + end - start, 0)
  }
}

export function getKnotDomain(knots: readonly number[], degree: number): readonly [number, number] {
  return [knots[degree - 1] ?? 0, knots[knots.length - degree] ?? 1]
}

/** A curve with another domain. */
export function withDomain<C extends Curve>(curve: C, start: number, end: number): C {
  if (curve.type === 'nurbsCurve')
    return { ...curve, knots: rescaleKnots(curve.knots, curve.degree, start, end) }
  const { domain: _, ...rest } = curve
  const usual = rest as C
  const [from, to] = getDomain(usual)
  if (from === start && to === end) return usual
  return { ...usual, domain: { type: 'domain', start, end } satisfies Domain }
}

function rescaleKnots(
  knots: readonly number[],
  degree: number,
  start: number,
  end: number,
): readonly number[] {
  const [from, to] = getKnotDomain(knots, degree)
  if (from === start && to === end) return knots
  const factor = (end - start) / (to - from)
  return knots.map((knot) => (knot === to ? end : start + (knot - from) * factor))
}
