import { getLength } from '../../geometry/curves/length.ts'
import { isClosed } from '../../geometry/curves/split.ts'
import { getCurveDomain } from '../../values/curve-domain.ts'
import type { Curve } from '../../values/value.ts'
import { domain } from '../../values/value.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, named } from '../ports.ts'

const CURVE = named('Curve (C)', item.curve)

export const CURVE_PARTS: readonly Kind[] = [
  defineKind({
    guid: '323f3245-af49-4489-8677-7a2c73664077',
    name: 'Closed',
    description: 'Whether a curve ends where it begins, and whether it goes on smoothly there.',
    inputs: { curve: CURVE },
    outputs: { isClosed: named('Closed (C)', item.boolean), isPeriodic: named('Periodic (P)', item.boolean) },
    solve: ({ curve }, context) => ({
      isClosed: isClosed(curve, context.tolerance),
      isPeriodic: isClosed(curve, context.tolerance) && isPeriodic(curve),
    }),
  }),
  defineKind({
    guid: '188edd02-14a9-4828-a521-34995b0d1e4a',
    name: 'Length Domain',
    description: 'The length of a curve over a part of its domain; below zero for one that goes backwards.',
    inputs: { curve: CURVE, domain: named('Domain (D)', item.domain) },
    outputs: { length: named('Length (L)', item.number) },
    solve: ({ curve, domain: { start, end } }) => ({ length: measure(curve, end) - measure(curve, start) }),
  }),
  defineKind({
    guid: 'a1c16251-74f0-400f-9e7c-5e379d739963',
    name: 'Length Parameter',
    description: 'The length of a curve up to a parameter, and from there on.',
    inputs: { curve: CURVE, parameter: named('Parameter (P)', item.number) },
    outputs: { before: named('Length (L-)', item.number), after: named('Length (L+)', item.number) },
    solve: ({ curve, parameter }) => {
      const before = measure(curve, parameter)
      return { before, after: getLength(curve) - before }
    },
  }),
  defineKind({
    guid: '23862862-049a-40be-b558-2418aacbd916',
    name: 'Deconstruct Arc',
    description: 'The plane, radius and angles of an arc or circle.',
    inputs: { arc: named('Arc (A)', item.arc) },
    outputs: {
      plane: named('Base Plane (B)', item.plane),
      radius: named('Radius (R)', item.number),
      angle: named('Angle (A)', item.domain),
    },
    solve: ({ arc: { plane, radius, startAngle, endAngle } }) => ({
      plane,
      radius,
      angle: domain(startAngle, endAngle),
    }),
  }),
]

/** Up to a parameter, held inside of the curve's domain. */
function measure(curve: Curve, parameter: number): number {
  const { start, end } = getCurveDomain(curve)
  return getLength(curve, Math.min(Math.max(parameter, start), end))
}

/** A circle, or a NURBS curve whose knots go on past its ends. */
function isPeriodic(curve: Curve): boolean {
  return (
    curve.type === 'circle' ||
    (curve.type === 'nurbsCurve' && curve.knots[0] !== curve.knots[curve.degree - 1])
  )
}
