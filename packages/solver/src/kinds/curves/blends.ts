import { findCurvature, findTangent, getEnd, getPoint, getStart } from '@meadow/geometry/curves/evaluate'
import { createClampedKnots } from '@meadow/geometry/curves/knots'
import { getLength } from '@meadow/geometry/curves/length'
import { createPolyCurve } from '@meadow/geometry/curves/split'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import { line, type NurbsCurve } from '@meadow/geometry/values/curves'
import { toXyz, type Xyz } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import { addScaled, distance, dot, scale, subtract } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

export const BLENDS: readonly Kind[] = [
  defineKind({
    guid: 'd0a1b843-873d-4d1d-965c-b5423b35f327',
    description:
      'Curves joined by curves between their ends, of the same position, direction (1) or curvature (2).',
    solve: ([given, continuity, isClosed, bulge], context) => {
      const curves = present(given)
      const joined = curves.flatMap((curve, i) => {
        const next = curves[i + 1] ?? (isClosed ? curves[0] : undefined)
        if (!next || getGap(curve, next) <= context.tolerance) return [curve]
        return [curve, blend(curve, next, continuity, [bulge, bulge], context) ?? 'unknown']
      })
      if (joined.includes('unknown')) return []
      const parts = joined as Curve[]
      return [parts.length === 1 ? parts[0] : parts.length === 0 ? undefined : createPolyCurve(parts)]
    },
  }),
  defineKind({
    guid: '5909dbcb-4950-4ce4-9433-7cf9e62ee011',
    description:
      'A curve from the end of one curve to the start of another, of the same position (0), direction (1) or curvature (2).',
    solve: ([a, b, bulgeA, bulgeB, continuity], context) => {
      if (getGap(a, b) <= context.tolerance) {
        context.limit('The blend of curves that meet is not published')
        return []
      }
      return [blend(a, b, continuity < 0 ? 2 : continuity, [bulgeA, bulgeB], context)]
    },
  }),
  defineKind({
    guid: '14cf43b6-5eb9-460f-899c-bdece732213a',
    description: 'A curve between two curves, of the same direction (1) or curvature (2), through a point.',
    solve: ([a, b, point, continuity], context) => {
      const gap = getGap(a, b)
      const ends = gap > context.tolerance ? findEnds(a, b, continuity === 0 ? 1 : continuity) : undefined
      if (!ends) {
        context.limit('The blend of curves that meet, or that have no direction at an end, is not published')
        return []
      }
      const reach = findReach(ends, point, gap)
      if (reach === undefined) {
        context.limit('Which blend there is for a point that none or several pass through is not published')
        return []
      }
      // Source: the notes of Blend Curve Pt in pyhopper.
      context.approximate('In Rhino, the blend can pass the point at a distance of 0.0001')
      return [createBlend(ends, reach, reach)]
    },
  }),
]

const getGap = (a: Curve, b: Curve): number => distance(getEnd(a), getStart(b))

/** What a blend goes on from at an end: undefined `bend` for the same direction alone. */
interface BlendEnd {
  readonly at: Xyz
  /** Along the blend at its start, against it at its end; of length 1. */
  readonly inward: Xyz
  /** The curvature there. */
  readonly bend: Xyz | undefined
}

type BlendEnds = readonly [BlendEnd, BlendEnd]

/** Undefined where a curve has no direction, or no curvature although it has to go on. */
function findEnds(one: Curve, other: Curve, continuity: number): BlendEnds | undefined {
  const [last, first] = [getCurveDomain(one).end, getCurveDomain(other).start]
  const [leaving, arriving] = [findTangent(one, last, 'below'), findTangent(other, first)]
  const hasBends = continuity !== 1
  const bends = [findCurvature(one, last, 'below'), findCurvature(other, first)]
  if (!leaving || !arriving || (hasBends && bends.includes(undefined))) return undefined
  return [
    { at: getEnd(one), inward: leaving, bend: hasBends ? bends[0] : undefined },
    {
      at: getStart(other),
      inward: scale(arriving, -1),
      bend: hasBends ? bends[1] : undefined,
    },
  ]
}

/**
 * The curve from the end of one curve to the start of another, whose domain is its length; undefined, with a limit, where
 * its ends are not known. With a continuity of curvature, control points are 0.4 of the gap apart at both ends.
 * Source: results of Grasshopper's Blend Curve in pyhopper (github.com/ezzahiranass/pyhopper).
 */
function blend(
  one: Curve,
  other: Curve,
  continuity: number,
  [bulge, otherBulge]: readonly [number, number],
  context: KindContext,
): Curve | undefined {
  if (continuity <= 0) return line(getEnd(one), getStart(other))
  const ends = findEnds(one, other, continuity)
  if (!ends) {
    context.limit('How curves without a direction or a curvature at an end are blended is not published')
    return undefined
  }
  const step = (continuity === 1 ? 1 : 0.4) * getGap(one, other)
  return createBlend(ends, bulge * step, otherBulge * step)
}

function createBlend(ends: BlendEnds, reach: number, otherReach: number): NurbsCurve {
  return createBezier(ends, reach, otherReach, getLength(createBezier(ends, reach, otherReach, 1)))
}

function createBezier([start, end]: BlendEnds, reach: number, otherReach: number, size: number): NurbsCurve {
  const points = [...listPoints(start, reach), ...listPoints(end, otherReach).reverse()].map(toXyz)
  const degree = points.length - 1
  return { type: 'nurbsCurve', degree, points, knots: createClampedKnots(points.length, degree, size) }
}

/** Half of the control points, from an end on. The third one gives a Bézier curve of degree 5 its curvature at the end. */
function listPoints({ at, inward, bend }: BlendEnd, reach: number): Xyz[] {
  const second = addScaled(at, inward, reach)
  return bend
    ? [at, second, addScaled(addScaled(at, inward, 2 * reach), bend, 1.25 * reach ** 2)]
    : [at, second]
}

/** The parts of the curve and of the gap at which the search for a blend through a point starts. */
const STARTS = [0.2, 0.35, 0.5, 0.65, 0.8].flatMap((t) => [0.3, 1, 3, 10].map((reach) => ({ t, reach })))
const STEPS = 40

/**
 * The reach of both ends with which a blend passes through a point, by Gauss and Newton's method for the parameter and
 * the reach; undefined if none or several are found.
 */
function findReach(ends: BlendEnds, target: Xyz, gap: number): number | undefined {
  const here = (t: number, reach: number) => getPoint(createBezier(ends, reach, reach, 1), t)
  const small = 1e-6
  const found = STARTS.flatMap((start) => {
    let [t, reach] = [start.t, start.reach * gap]
    for (let step = 0; step < STEPS; step++) {
      const away = subtract(target, here(t, reach))
      const [alongT, alongReach] = [
        scale(subtract(here(t + small, reach), here(t - small, reach)), 0.5 / small),
        scale(subtract(here(t, reach + small * gap), here(t, reach - small * gap)), 0.5 / (small * gap)),
      ]
      const [tt, tr, rr] = [dot(alongT, alongT), dot(alongT, alongReach), dot(alongReach, alongReach)]
      const size = tt * rr - tr * tr
      if (!(size > 1e-12 * tt * rr)) return []
      t += (rr * dot(alongT, away) - tr * dot(alongReach, away)) / size
      reach += (tt * dot(alongReach, away) - tr * dot(alongT, away)) / size
    }
    const isThere = distance(here(t, reach), target) <= 1e-9 * gap
    return isThere && t > 0 && t < 1 && reach > 0 ? [reach] : []
  })
  const least = Math.min(...found)
  return Number.isFinite(least) && Math.max(...found) - least <= 1e-6 * gap ? least : undefined
}
