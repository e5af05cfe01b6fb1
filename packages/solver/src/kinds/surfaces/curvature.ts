import { toKnots } from '@meadow/geometry/surfaces/arcs'
import { evaluateSurface } from '@meadow/geometry/surfaces/evaluate-surface'
import { getSurface } from '@meadow/geometry/surfaces/get-surface'
import { circle, line } from '@meadow/geometry/values/curves'
import { findPlaneFromAxes } from '@meadow/geometry/values/planes'
import { type Plane, toPoint, toVector, type Xyz } from '@meadow/geometry/values/points'
import type { Curve, Surface } from '@meadow/geometry/values/value'
import { add, addScaled, cross, dot, findUnit, length, scale } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { lookAt } from './evaluate.ts'

const SIGNS = 'The directions may be opposite to those of Rhino'
/** Curvatures that differ by less, relative to their size, are equal. */
const SAME = 1e-9
/** How far a line reaches to each side that stands for a circle without curvature. */
const LINE_REACH = 5

export const SURFACE_CURVATURE: readonly Kind[] = [
  defineKind({
    guid: '4139f3a3-cf93-4fc0-b5e0-18a3acd0b003',
    description: 'The frame of a surface at parameters, and its Gaussian and mean curvature there.',
    solve: ([surface, uv], context) => {
      const bend = findBend(surface, uv, context)
      return bend ? [bend.frame, bend.gaussian, bend.mean] : []
    },
  }),
  defineKind({
    guid: '404f75ac-5594-4c48-ad8a-7d0f472bbf8a',
    description:
      'The frame of a surface at parameters, with the curvature that is larger in size and the other one, and their directions.',
    solve: ([surface, uv], context) => {
      const bend = findBend(surface, uv, context)
      if (!bend) return []
      if (!bend.isRound) context.approximate(SIGNS)
      const [first, second] = bend.principal
      return [bend.frame, first.curvature, second.curvature, toVector(first.along), toVector(second.along)]
    },
  }),
  defineKind({
    guid: 'b799b7c0-76df-4bdb-b3cc-401b1d021aa5',
    description: 'The circles that fit a surface best at parameters; a line where it is straight.',
    solve: ([surface, uv], context) => {
      const bend = findBend(surface, uv, context)
      if (!bend) return []
      if (!bend.isRound) context.approximate(SIGNS)
      const [first, second] = bend.principal.map((one) => createOsculating(bend.frame, one))
      return [toPoint(bend.frame.origin), first, second]
    },
  }),
]

interface Principal {
  readonly curvature: number
  readonly along: Xyz
}

interface Bend {
  readonly frame: Plane
  readonly gaussian: number
  readonly mean: number
  /** The larger one in size first; of two that differ in sign only the positive one. */
  readonly principal: readonly [Principal, Principal]
  /** The surface is bent the same in all directions. */
  readonly isRound: boolean
}

/**
 * How a surface is bent at parameters, as seen from its outside: positive towards the normal.
 * Source: the fundamental forms; results of Grasshopper's Surface Curvature and Principal Curvature in pyhopper
 * (github.com/ezzahiranass/pyhopper).
 */
function findBend(surface: Surface, uv: Xyz, context: KindContext): Bend | undefined {
  const { surface: whole } = getSurface(surface)
  const knots = toKnots(whole, { u: uv.x, v: uv.y })
  const { du, dv, duu, duv, dvv } = evaluateSurface(whole, knots.u, knots.v)
  const { frame } = lookAt(surface, uv)
  const [e, f, g] = [dot(du, du), dot(du, dv), dot(dv, dv)]
  const size = e * g - f * f
  if (!frame || !(size > 1e-24 * e * g)) {
    context.limit('The curvature at the pole of a surface is not supported')
    return undefined
  }
  const [l, m, n] = [duu, duv, dvv].map((second) => dot(second, frame.zAxis)) as [number, number, number]
  const gaussian = (l * n - m * m) / size
  const mean = (e * n - 2 * f * m + g * l) / (2 * size)
  const spread = Math.sqrt(Math.max(0, mean * mean - gaussian))
  const isRound = spread <= SAME * (Math.abs(mean) + spread)
  const isUpperFirst = mean >= -SAME * spread
  const [high, low] = [mean + spread, mean - spread]
  const [first, second] = isUpperFirst ? [high, low] : [low, high]
  const options = [
    add(scale(du, m - first * f), scale(dv, first * e - l)),
    add(scale(du, n - first * g), scale(dv, first * f - m)),
  ] as const
  const longer = length(options[0]) > length(options[1]) ? options[0] : options[1]
  const along = isRound ? frame.xAxis : (findUnit(longer) ?? frame.xAxis)
  const across = isRound ? frame.yAxis : cross(along, frame.zAxis)
  return {
    frame,
    gaussian,
    mean,
    isRound,
    principal: [
      { curvature: first, along },
      { curvature: second, along: across },
    ],
  }
}

function createOsculating({ origin, zAxis }: Plane, { curvature, along }: Principal): Curve | undefined {
  if (Math.abs(curvature) < 1e-12) {
    const ends = [-LINE_REACH, LINE_REACH].map((reach) => addScaled(origin, along, reach))
    return line(ends[0] as Xyz, ends[1] as Xyz)
  }
  const plane = findPlaneFromAxes(addScaled(origin, zAxis, 1 / curvature), along, zAxis)
  return plane && circle(plane, Math.abs(1 / curvature))
}
