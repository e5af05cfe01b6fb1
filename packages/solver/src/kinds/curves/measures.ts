import { findClosestPair } from '@meadow/geometry/curve-intersection/closest-pair'
import { withDomain } from '@meadow/geometry/curves/split'
import { toNurbs } from '@meadow/geometry/curves/to-nurbs'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import { polyline } from '@meadow/geometry/values/curves'
import { toPoint } from '@meadow/geometry/values/points'
import { defineKind, type Kind } from '../declaration/define-kind.ts'

export const CURVE_MEASURES: readonly Kind[] = [
  defineKind({
    guid: 'ccfd6ba8-ecb1-44df-a47e-08126a653c51',
    description: 'The domain of a curve, and the curve with another domain.',
    solve: ([curve, wanted], context) => {
      const own = getCurveDomain(curve)
      if (!wanted) return [curve, own]
      if (wanted.end > wanted.start) return [withDomain(curve, wanted), own]
      context.limit('What Grasshopper does with a domain that does not grow is not published')
      return []
    },
  }),
  defineKind({
    guid: '15ac45a8-b190-420a-bd66-e78ed6bcfaa4',
    description: 'The domain of a curve.',
    solve: ([curve]) => [getCurveDomain(curve)],
  }),
  defineKind({
    guid: '66d2a68e-2f1d-43d2-a53b-c6a4d17e627b',
    description: 'The control points of a curve as a NURBS curve, and the polyline through them.',
    solve: ([curve]) => {
      const { points } = toNurbs(curve)
      return [polyline(points), points.map(toPoint)]
    },
  }),
  defineKind({
    guid: 'd7df7658-e02d-4a48-a345-2195a68db4ef',
    description: 'The control points of a curve as a NURBS curve, with their weights.',
    solve: ([curve]) => {
      const { points, weights } = toNurbs(curve)
      return [points.map(toPoint), weights ?? points.map(() => 1)]
    },
  }),
  defineKind({
    guid: '6b7ba278-5c9d-42f1-a61d-6209cbd44907',
    description: 'The closest points of two curves.',
    solve: ([a, b], context) => {
      const pair = findClosestPair(a, b)
      if (!pair) return []
      if (pair.hasEqual) context.approximate('Other points are as close; Rhino may have chosen these')
      return [toPoint(pair.a), toPoint(pair.b), pair.distance]
    },
  }),
]
