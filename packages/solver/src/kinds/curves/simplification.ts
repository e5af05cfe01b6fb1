import { POINT_BYTES, reserveValues } from '@meadow/geometry/budget/budget'
import { roundCornerAt } from '@meadow/geometry/curve-editing/corners'
import { collapseSegments, reduceVertices, smoothVertices } from '@meadow/geometry/curve-editing/polylines'
import { simplifyCurve } from '@meadow/geometry/curve-editing/simplify-curve'
import { findKinks } from '@meadow/geometry/curves/discontinuities'
import { findVertices } from '@meadow/geometry/curves/vertices'
import { type NurbsCurve, polyline } from '@meadow/geometry/values/curves'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import { distance, interpolate } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'

export const SIMPLIFICATIONS: readonly Kind[] = [
  defineKind({
    guid: '922dc7e5-0f0e-4c21-ae4b-f6a8654e63f6',
    description: 'Joins the segments of a curve that continue each other, and makes straight ones lines.',
    solve: ([curve, tolerance, angleTolerance], context) => {
      const simple = simplifyCurve(
        curve,
        tolerance ?? context.tolerance,
        angleTolerance ?? context.angleTolerance,
      )
      if (simple) return [simple.curve, simple.isChanged]
      context.limit('Which of several nearly straight or nearly tangent segments are joined is not published')
      return []
    },
  }),
  defineKind({
    guid: '884646c3-0e70-4ad1-90c5-42601ee26450',
    description: 'Removes the vertices of a polyline that are closest to the line between the others.',
    solve: ([curve, tolerance], context) => {
      const vertices = listVertices(curve, context)
      if (!vertices) return []
      const left = reduceVertices(vertices, tolerance)
      return [polyline(left), vertices.length - left.length]
    },
  }),
  defineKind({
    guid: 'be298882-28c9-45b1-980d-7192a531c9a9',
    description: 'Collapses the segments of a polyline that are shorter than a tolerance.',
    solve: ([curve, tolerance], context) => {
      const vertices = listVertices(curve, context)
      if (!vertices) return []
      const left = collapseSegments(vertices, tolerance)
      return [polyline(left), vertices.length - left.length]
    },
  }),
  defineKind({
    guid: '5c5fbc42-3e1d-4081-9cf1-148d0b1d9610',
    description: 'Moves the vertices of a polyline towards the middle of their neighbours.',
    solve: ([curve, strength, times], context) => {
      const vertices = listVertices(curve, context)
      if (!vertices) return []
      if (times < 0) {
        context.error('The number of times must not be less than zero')
        return []
      }
      return [polyline(smoothVertices(vertices, strength, times))]
    },
  }),
  defineKind({
    guid: 'a3f9f19e-3e6c-4ac7-97c3-946de32c3e8e',
    description: 'A NURBS curve along a line or a polyline, with one span for each segment.',
    solve: ([curve, degree], context) => {
      const vertices = findVertices(curve)
      if (!vertices) {
        context.limit('How Rhino fits a bent curve is not published')
        return []
      }
      const own = degree ?? (curve.type === 'line' ? 2 : 3)
      if (own < 1 || own > MAX_DEGREE) {
        context.error(`The degree must be from 1 to ${MAX_DEGREE}`)
        return []
      }
      return [fitAlong(vertices, own)]
    },
  }),
  defineKind({
    guid: 'c92cdfc8-3df8-4c4e-abc1-ede092a0aa8a',
    description: 'Rounds the corner of a polyline that is closest to a parameter.',
    solve: ([curve, parameter, radius], context) => {
      if (!(radius > 0)) {
        if (radius < 0) context.error('The radius must not be less than zero')
        return radius === 0 ? [curve] : []
      }
      const isSmooth = curve.type === 'circle' || curve.type === 'arc'
      if (!findVertices(curve) && !isSmooth && findKinks(curve).length > 0) {
        context.limit('Rounding a corner of a curve that is no polyline is not supported')
        return []
      }
      const rounded = findVertices(curve) && roundCornerAt(curve, parameter, radius)
      if (rounded) return [rounded.curve, rounded.parameter]
      context.warn('Fillet failed')
      return [curve, parameter]
    },
  }),
]

/** The highest degree that openNURBS allows. */
const MAX_DEGREE = 11

function listVertices(curve: Curve, context: KindContext): readonly Xyz[] | undefined {
  const vertices = findVertices(curve)
  if (!vertices) context.error('The curve is no polyline')
  return vertices
}

/**
 * Bézier spans along the segments of a polyline, with knots by their lengths.
 * Source: results of Grasshopper in pyhopper (github.com/ezzahiranass/pyhopper).
 */
function fitAlong(vertices: readonly Xyz[], degree: number): NurbsCurve {
  reserveValues(vertices.length * degree, POINT_BYTES)
  const [first] = vertices as [Xyz]
  const points: Xyz[] = [first]
  const knots = Array<number>(degree).fill(0)
  let size = 0
  for (let i = 1; i < vertices.length; i++) {
    const [from, to] = [vertices[i - 1] as Xyz, vertices[i] as Xyz]
    size += distance(from, to)
    for (let k = 1; k <= degree; k++) {
      points.push(k === degree ? to : interpolate(from, to, k / degree))
      knots.push(size)
    }
  }
  return { type: 'nurbsCurve', degree, points, knots }
}
