import { checkpoint } from '../budget/budget.ts'
import { elevateDegree, insertKnot, trimNurbs } from '../curves/knots.ts'
import { withDomain } from '../curves/split.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { NurbsCurve } from '../values/curves.ts'
import { domain } from '../values/value.ts'

/** Clamps a curve: its first and last control points are on it. */
export function clampNurbs(curve: NurbsCurve): NurbsCurve {
  const { knots, degree } = curve
  const { start, end } = getCurveDomain(curve)
  const isClamped = knots[0] === start && knots.at(-1) === end
  return isClamped || degree === 1 ? curve : trimNurbs(curve, start, end)
}

/** Knots of a domain from 0 to 1 are equal within this tolerance. */
const SAME = 1e-9

/**
 * Makes curves compatible without changing their shape: the highest degree, the domain 0 to 1, and each knot
 * with its highest multiplicity.
 */
export function makeCompatible(curves: readonly NurbsCurve[]): NurbsCurve[] {
  const degree = Math.max(1, ...curves.map((curve) => curve.degree))
  const raised = curves.map((curve) => {
    const clamped = withDomain(clampNurbs(curve), domain(0, 1)) as NurbsCurve
    return elevateDegree(clamped, degree)
  })
  const knots = unite(raised)
  return raised.map((curve) => {
    const snapped: NurbsCurve = { ...curve, knots: curve.knots.map((knot) => snap(knot, knots)) }
    return [...knots].reduce<NurbsCurve>((whole, [knot, count]) => insertKnot(whole, knot, count), snapped)
  })
}

/** The required multiplicity of each inner knot. */
function unite(curves: readonly NurbsCurve[]): Map<number, number> {
  const needed = new Map<number, number>()
  for (const { knots } of curves) {
    const own = new Map<number, number>()
    for (const knot of knots) {
      if (knot <= SAME || knot >= 1 - SAME) continue
      const known = findNear(knot, needed) ?? knot
      own.set(known, (own.get(known) ?? 0) + 1)
    }
    for (const [knot, count] of own) needed.set(knot, Math.max(count, needed.get(knot) ?? 0))
  }
  return needed
}

function snap(knot: number, known: ReadonlyMap<number, number>): number {
  if (knot <= SAME) return 0
  if (knot >= 1 - SAME) return 1
  return findNear(knot, known) ?? knot
}

function findNear(knot: number, known: ReadonlyMap<number, number>): number | undefined {
  if (known.has(knot)) return knot
  checkpoint(known.size)
  for (const other of known.keys()) if (Math.abs(other - knot) <= SAME) return other
  return undefined
}
