import { checkpoint } from '../budget/budget.ts'
import { evaluate, findCurvature, findTangent } from '../curves/evaluate.ts'
import { createNurbs, listWeighted, trimNurbs, type Weighted } from '../curves/knots.ts'
import { getLength } from '../curves/length.ts'
import { createPolyCurve, reverseCurve, withDomain } from '../curves/split.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import { arc, line, type NurbsCurve, polyline } from '../values/curves.ts'
import { findPlaneFromAxes } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import { type Curve, domain } from '../values/value.ts'
import { addScaled, distance, findUnit, length, ORIGIN, scale, subtract } from '../values/vector.ts'

export type Extension = 'line' | 'arc' | 'smooth'

/** Extends a curve at its end by a length. Undefined where it has no direction there. */
export function extendEnd(curve: Curve, by: number, how: Extension): Curve | undefined {
  const { start, end } = getCurveDomain(curve)
  const tangent = findTangent(curve, end, 'below')
  const [point, first] = evaluate(curve, end, 1, 'below')
  if (!tangent || !point || !first || length(first) === 0) return undefined
  if (how === 'smooth') return extendSmoothly(curve, by, tangent)
  if (curve.type === 'line') return extendSmoothly(curve, by, tangent)
  const bend = how === 'arc' ? findCurvature(curve, end, 'below') : undefined
  const added =
    bend && length(bend) > 1e-9
      ? createBow(point, tangent, bend, by)
      : line(point, addScaled(point, tangent, by))
  const whole = createPolyCurve([curve, withDomain(added, domain(end, end + by / length(first)))])
  return start === 0 ? whole : withDomain(whole, domain(start, end + by / length(first)))
}

/** Extends a curve at its start. */
export function extendStart(curve: Curve, by: number, how: Extension): Curve | undefined {
  const extended = extendEnd(reverseCurve(curve), by, how)
  return extended && reverseCurve(extended)
}

/** An arc with a start direction and a curvature. */
function createBow(from: Xyz, tangent: Xyz, bend: Xyz, by: number): Curve {
  const radius = 1 / length(bend)
  const inwards = findUnit(bend) ?? bend
  const centre = addScaled(from, inwards, radius)
  const level = findPlaneFromAxes(centre, scale(inwards, -1), tangent)
  return level ? arc(level, radius, 0, by / radius) : line(from, addScaled(from, tangent, by))
}

function extendSmoothly(curve: Curve, by: number, tangent: Xyz): Curve | undefined {
  const { start, end } = getCurveDomain(curve)
  switch (curve.type) {
    case 'line': {
      const longer = line(curve.from, addScaled(curve.to, tangent, by))
      return withDomain(longer, domain(start, end + ((end - start) * by) / distance(curve.from, curve.to)))
    }
    case 'polyline': {
      const last = curve.vertices.at(-1)
      const vertices = last && [...curve.vertices.slice(0, -1), addScaled(last, tangent, by)]
      return vertices && withDomain(polyline(vertices), domain(start, end))
    }
    case 'arc': {
      const longer = arc(curve.plane, curve.radius, curve.startAngle, curve.endAngle + by / curve.radius)
      const rate = (end - start) / (curve.endAngle - curve.startAngle)
      return withDomain(longer, domain(start, end + (by / curve.radius) * rate))
    }
    case 'polyCurve': {
      const last = curve.segments.at(-1)
      const longer = last && extendSmoothly(last, by, tangent)
      return longer && createPolyCurve([...curve.segments.slice(0, -1), longer])
    }
    case 'nurbsCurve':
      return extendNurbs(curve, by)
    default:
      return undefined
  }
}

/** Extends the last span by a length. */
function extendNurbs(curve: NurbsCurve, by: number): NurbsCurve {
  const { end } = getCurveDomain(curve)
  const speed = length(evaluate(curve, end, 1, 'below')[1] ?? ORIGIN)
  const measure = (size: number) => getLength(trimNurbs(prolong(curve, end + size), end, end + size))
  let [low, high] = [0, by / speed]
  while (measure(high) < by) {
    checkpoint()
    high *= 2
  }
  for (let round = 0; round < 60 && high - low > 1e-14 * high; round++) {
    const middle = (low + high) / 2
    if (measure(middle) < by) low = middle
    else high = middle
  }
  return prolong(curve, end + (low + high) / 2)
}

/** Moves the last parameter past the end of the domain by extrapolating the last span. */
function prolong(curve: NurbsCurve, to: number): NurbsCurve {
  const { degree } = curve
  const { start, end } = getCurveDomain(curve)
  const clamped = trimNurbs(curve, start, end)
  const points = listWeighted(clamped)
  const first = points.length - degree - 1
  const knots = clamped.knots.slice(first)
  const moved = knots.map((knot, i) => (i >= degree ? to : knot))
  const span = points.slice(first)
  const shaped = span.map((_, i) => blossom(span, knots, moved.slice(i, i + degree)))
  return createNurbs([...points.slice(0, first), ...shaped], degree, [
    ...clamped.knots.slice(0, first),
    ...moved,
  ])
}

/** The polar form (blossom) of a span: de Boor's algorithm with a separate parameter for each round. */
function blossom(
  span: readonly Weighted[],
  knots: readonly number[],
  parameters: readonly number[],
): Weighted {
  const degree = span.length - 1
  const work = [...span]
  for (const [round, t] of parameters.entries()) {
    for (let j = degree; j > round; j--) {
      const from = knots[j - 1] as number
      const size = (knots[j + degree - round - 1] as number) - from
      const ratio = size === 0 ? 0 : (t - from) / size
      const [a, b] = [work[j - 1] as Weighted, work[j] as Weighted]
      work[j] = { ...addScaled(a, subtract(b, a), ratio), w: a.w + (b.w - a.w) * ratio }
    }
  }
  return work[degree] as Weighted
}
