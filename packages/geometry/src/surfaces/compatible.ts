import { elevateDegree, insertKnots, trimNurbs } from '../curves/knots.ts'
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
    return insertKnots(snapped, listMissing(snapped.knots, knots))
  })
}

/** Inner knots with the multiplicity that is needed, by the interval of the size `SAME` that they are in. */
type Knots = Map<number, { readonly knot: number; count: number }>

function unite(curves: readonly NurbsCurve[]): Knots {
  const needed: Knots = new Map()
  for (const { knots } of curves) {
    const own = new Map<number, number>()
    for (const knot of knots) {
      if (knot <= SAME || knot >= 1 - SAME) continue
      const known = findNear(knot, needed)?.knot ?? knot
      if (known === knot && !needed.has(toInterval(knot))) needed.set(toInterval(knot), { knot, count: 0 })
      own.set(known, (own.get(known) ?? 0) + 1)
    }
    for (const [knot, count] of own) {
      const known = needed.get(toInterval(knot))!
      known.count = Math.max(known.count, count)
    }
  }
  return needed
}

/** The knots that are needed beyond those of a curve, in ascending order. */
function listMissing(knots: readonly number[], needed: Knots): number[] {
  const own = new Map<number, number>()
  for (const knot of knots) own.set(knot, (own.get(knot) ?? 0) + 1)
  return [...needed.values()]
    .flatMap(({ knot, count }) => Array<number>(Math.max(0, count - (own.get(knot) ?? 0))).fill(knot))
    .sort((a, b) => a - b)
}

function snap(knot: number, known: Knots): number {
  if (knot <= SAME) return 0
  if (knot >= 1 - SAME) return 1
  return findNear(knot, known)?.knot ?? knot
}

const toInterval = (knot: number) => Math.floor(knot / SAME)

function findNear(knot: number, known: Knots): { readonly knot: number } | undefined {
  const own = toInterval(knot)
  return [own, own - 1, own + 1]
    .map((interval) => known.get(interval))
    .find((other) => other && Math.abs(other.knot - knot) <= SAME)
}
