import { findClosestPair } from '../../geometry/curve-intersection/closest-pair.ts'
import { withDomain } from '../../geometry/curves/split.ts'
import { toNurbs } from '../../geometry/curves/to-nurbs.ts'
import { getCurveDomain } from '../../values/curve-domain.ts'
import { polyline } from '../../values/curves.ts'
import { toPoint } from '../../values/points.ts'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { item, list, named, optional } from '../declaration/ports.ts'

const CURVE = named('Curve (C)', item.curve)

export const CURVE_MEASURES: readonly Kind[] = [
  defineKind({
    guid: 'ccfd6ba8-ecb1-44df-a47e-08126a653c51',
    name: 'Curve Domain',
    description: 'The domain of a curve, and the curve with another domain.',
    inputs: { curve: CURVE, domain: named('Domain (D)', optional(item.domain)) },
    outputs: { curve: CURVE, domain: named('Domain (D)', item.domain) },
    solve: ({ curve, domain: wanted }, context) => {
      const own = getCurveDomain(curve)
      if (!wanted) return { curve, domain: own }
      if (wanted.end > wanted.start) return { curve: withDomain(curve, wanted), domain: own }
      context.limit('What Grasshopper does with a domain that does not grow is not published')
      return {}
    },
  }),
  defineKind({
    guid: '15ac45a8-b190-420a-bd66-e78ed6bcfaa4',
    name: 'Curve Domain',
    description: 'The domain of a curve.',
    inputs: { curve: CURVE },
    outputs: { domain: named('Domain (D)', item.domain) },
    solve: ({ curve }) => ({ domain: getCurveDomain(curve) }),
  }),
  defineKind({
    guid: '66d2a68e-2f1d-43d2-a53b-c6a4d17e627b',
    name: 'Control Polygon',
    description: 'The control points of a curve as a NURBS curve, and the polyline through them.',
    inputs: { curve: CURVE },
    outputs: { polygon: named('Polygon (C)', item.curve), points: named('Points (P)', list.point) },
    solve: ({ curve }) => {
      const { points } = toNurbs(curve)
      return { polygon: polyline(points), points: points.map(toPoint) }
    },
  }),
  defineKind({
    guid: 'd7df7658-e02d-4a48-a345-2195a68db4ef',
    name: 'Control Points',
    description: 'The control points of a curve as a NURBS curve, with their weights.',
    inputs: { curve: CURVE },
    outputs: { points: named('Points (P)', list.point), weights: named('Weights (W)', list.number) },
    solve: ({ curve }) => {
      const { points, weights } = toNurbs(curve)
      return { points: points.map(toPoint), weights: weights ?? points.map(() => 1) }
    },
  }),
  defineKind({
    guid: '6b7ba278-5c9d-42f1-a61d-6209cbd44907',
    name: 'Curve Proximity',
    description: 'The closest points of two curves.',
    inputs: { a: named('Curve A (A)', item.curve), b: named('Curve B (B)', item.curve) },
    outputs: {
      a: named('Point A (A)', item.point),
      b: named('Point B (B)', item.point),
      distance: named('Distance (D)', item.number),
    },
    solve: ({ a, b }, context) => {
      const pair = findClosestPair(a, b)
      if (!pair) return {}
      if (pair.hasEqual) context.approximate('Other points are as close; Rhino may have chosen these')
      return { a: toPoint(pair.a), b: toPoint(pair.b), distance: pair.distance }
    },
  }),
]
