import type { Arc, Circle, NurbsCurve } from '@meadow/geometry/values/curves'
import { getDomain } from './domains.ts'
import { pointAt } from './xyz.ts'

/** An arc as spans of at most a quarter turn, which a NURBS curve of degree two represents exactly. */
export interface ArcSpans {
  /**
   * The control points: the angle of each from the start, its distance from the centre as a factor of the radius, and
   * its weight.
   */
  controls: readonly { angle: number; reach: number; weight: number }[]
  knots: readonly number[]
  /** Maps a parameter of the arc to that of the NURBS curve at the same point. */
  toNurbs: (parameter: number) => number
}

/**
 * Creates spans for a `sweep` in radians, over the parameters from `start` to `end`.
 * Source: The NURBS Book, section 7.3.
 */
export function createArcSpans(sweep: number, start: number, end: number): ArcSpans {
  const count = Math.max(1, Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9))
  const half = sweep / count / 2
  const controls = Array.from({ length: 2 * count + 1 }, (_, i) =>
    i % 2 === 0
      ? { angle: i * half, reach: 1, weight: 1 }
      : { angle: i * half, reach: 1 / Math.cos(half), weight: Math.cos(half) },
  )
  const size = (end - start) / count
  const ends = Array.from({ length: count + 1 }, (_, i) => (i === count ? end : start + i * size))
  return {
    controls,
    knots: ends.flatMap((knot) => [knot, knot]),
    toNurbs(parameter) {
      const span = Math.min(count - 1, Math.max(0, Math.floor((parameter - start) / size)))
      const t = (parameter - ends[span]!) / size
      if (t <= 0 || t >= 1) return parameter
      // The tangent of half the angle from the middle of a span is linear in the NURBS parameter.
      const fromMiddle = (2 * t - 1) * half
      return ends[span]! + (size * (Math.tan(fromMiddle / 2) / Math.tan(half / 2) + 1)) / 2
    },
  }
}

export function arcToNurbs(arc: Circle | Arc): { curve: NurbsCurve; toNurbs: (parameter: number) => number } {
  const [startAngle, endAngle] = arc.type === 'arc' ? [arc.startAngle, arc.endAngle] : [0, 2 * Math.PI]
  const [start, end] = getDomain(arc)
  const { controls, knots, toNurbs } = createArcSpans(endAngle - startAngle, start, end)
  const points = controls.map(({ angle, reach }) => {
    const [out, turned] = [arc.radius * reach, startAngle + angle]
    return pointAt(arc.plane, out * Math.cos(turned), out * Math.sin(turned))
  })
  return {
    curve: { type: 'nurbsCurve', degree: 2, points, weights: controls.map(({ weight }) => weight), knots },
    toNurbs,
  }
}
