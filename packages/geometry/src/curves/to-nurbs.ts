import { POINT_BYTES, reserveValues } from '../budget/budget.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { Arc, NurbsCurve } from '../values/curves.ts'
import { pointAt } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { areEqual } from '../values/vector.ts'
import { createNurbs, elevateDegree, listWeighted, trimNurbs, type Weighted } from './knots.ts'
import { listPieces, type Piece } from './pieces.ts'
import { findVertices } from './vertices.ts'

/**
 * Converts any curve to a NURBS curve with the same shape and domain. An arc becomes rational quadratics of up
 * to a quarter turn, a polyline has degree one; pieces are elevated to the highest degree.
 */
export function toNurbs(curve: Curve): NurbsCurve {
  if (curve.type === 'nurbsCurve') return curve
  const vertices = curve.type === 'polyCurve' ? undefined : findVertices(curve)
  if (vertices) return createPolygon(vertices, listPieces(curve))
  return chain(listPieces(curve).map(toOwnNurbs))
}

function createPolygon(vertices: readonly Xyz[], pieces: readonly Piece[]): NurbsCurve {
  const [first] = pieces
  const knots = [first?.start ?? 0, ...pieces.map(({ end }) => end)]
  return { type: 'nurbsCurve', degree: 1, points: vertices.map(({ x, y, z }) => ({ x, y, z })), knots }
}

/** A piece with its own knots, which begin and end at the piece's parameters. */
function toOwnNurbs({ shape, start, end }: Piece): NurbsCurve {
  if (shape.type === 'line') {
    return { type: 'nurbsCurve', degree: 1, points: [shape.from, shape.to], knots: [start, end] }
  }
  if (shape.type === 'arc') return fromArc(shape, start, end)
  const range = getCurveDomain(shape)
  const rate = (end - start) / (range.end - range.start)
  const clamped = trimNurbs(shape, range.start, range.end)
  const knots = clamped.knots.map((knot) => (knot === range.end ? end : start + (knot - range.start) * rate))
  return { ...clamped, knots }
}

function fromArc({ plane, radius, startAngle, endAngle }: Arc, start: number, end: number): NurbsCurve {
  const spans = Math.max(1, Math.ceil(((endAngle - startAngle) / (Math.PI / 2)) * (1 - 1e-12)))
  const step = (endAngle - startAngle) / spans
  reserveValues(2 * spans, POINT_BYTES)
  const weight = Math.cos(step / 2)
  const points: Weighted[] = []
  const knots: number[] = []
  for (let i = 0; i <= spans; i++) {
    const angle = startAngle + i * step
    const knot = i === spans ? end : start + ((end - start) * i) / spans
    knots.push(knot, knot)
    if (i > 0) points.push(toWeighted(plane, radius / weight, angle - step / 2, weight))
    points.push(toWeighted(plane, radius, angle, 1))
  }
  return closeExactly(createNurbs(points, 2, knots))
}

function toWeighted(plane: Arc['plane'], radius: number, angle: number, w: number): Weighted {
  const { x, y, z } = pointAt(plane, radius * Math.cos(angle), radius * Math.sin(angle))
  return { x: x * w, y: y * w, z: z * w, w }
}

/** A full circle ends exactly at its start. */
function closeExactly(curve: NurbsCurve): NurbsCurve {
  const { points } = curve
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || !areEqual(first, last, 1e-12)) return curve
  return { ...curve, points: [...points.slice(0, -1), first] }
}

/** NURBS curves end to end as one. */
function chain(curves: readonly NurbsCurve[]): NurbsCurve {
  const degree = Math.max(1, ...curves.map((curve) => curve.degree))
  const points: Weighted[] = []
  const knots: number[] = []
  for (const curve of curves) {
    const raised = elevateDegree(curve, degree)
    const weighted = listWeighted(raised)
    // Scales the weights to continue those of the previous curve.
    const scale = points.length > 0 ? (points.at(-1)?.w ?? 1) / (weighted[0]?.w ?? 1) : 1
    const next = weighted.map(({ x, y, z, w }) => ({
      x: x * scale,
      y: y * scale,
      z: z * scale,
      w: w * scale,
    }))
    for (const point of points.length > 0 ? next.slice(1) : next) points.push(point)
    for (const knot of knots.length > 0 ? raised.knots.slice(degree) : raised.knots) knots.push(knot)
  }
  return createNurbs(points, degree, knots)
}
