import { getPoint } from '@meadow/geometry/curves/evaluate'
import { listDistinct } from '@meadow/geometry/curves/knots'
import { toNurbs } from '@meadow/geometry/curves/to-nurbs'
import { findBoundsOfPoints } from '@meadow/geometry/values/bounding-box'
import type { BrepTrim } from '@meadow/geometry/values/brep'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import { UnsupportedForm } from '../opennurbs/model-fault.ts'
import { arcToNurbs } from './arc-to-nurbs.ts'
import type { ReadSurface } from './read-surface.ts'

type TrimCurve = BrepTrim['curve']

/**
 * Maps a trim to the parameters of the NURBS form of its surface. Where these differ from those of the surface, a trim
 * along u or v keeps its shape, and another one is followed by cubic pieces.
 * Fails: `UnsupportedForm` for curves that cannot be trims, and for those that are too bent to be followed.
 */
export function mapTrim(curve: Curve, { mapU, mapV }: ReadSurface): TrimCurve {
  const flat = toTrimCurve(curve)
  if (!mapU && !mapV) return flat
  const move = ({ x, y }: Xyz): Xyz => ({ x: mapU?.(x) ?? x, y: mapV?.(y) ?? y, z: 0 })
  const points = flat.type === 'polyline' ? flat.vertices : flat.points
  const [first] = points
  const alongV = points.every(({ x }) => isNear(x, first!.x))
  const alongU = points.every(({ y }) => isNear(y, first!.y))
  if (!alongU && !alongV) return followTrim(flat, move)
  return flat.type === 'polyline'
    ? { ...flat, vertices: points.map(move) }
    : { ...flat, points: points.map(move) }
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-10 * (1 + Math.abs(a))
}

/** How far a piece may be from the trim, as a share of its extent: far below the tolerance of any model. */
const FIT = 1e-7
/** The most pieces for what is between two knots of a trim. */
const MAX_PIECES = 200

/** Follows a trim by cubic pieces over the same parameters. Each passes through four points of the moved trim. */
function followTrim(flat: TrimCurve, move: (point: Xyz) => Xyz): TrimCurve {
  const at = (t: number) => move(getPoint(flat, t))
  const whole = toNurbs(flat)
  const [breaks, least] = [listDistinct(whole), FIT * getExtent(whole.points.map(move))]
  const points = [at(breaks[0]!)]
  const knots = Array<number>(3).fill(breaks[0]!)
  for (const [i, end] of breaks.slice(1).entries()) {
    const rest = [[breaks[i]!, end] as const]
    for (let pieces = 0; rest.length > 0; pieces++) {
      if (pieces === MAX_PIECES) throw new UnsupportedForm('a trim across a surface whose parameters change')
      const [from, to] = rest.pop()!
      const place = (share: number) => at(from + (to - from) * share)
      const piece = passThrough(place(0), place(1 / 3), place(2 / 3), place(1))
      if ([1 / 6, 1 / 2, 5 / 6].every((share) => areClose(evaluate(piece, share), place(share), least))) {
        points.push(...piece.slice(1))
        knots.push(to, to, to)
      } else {
        const middle = (from + to) / 2
        rest.push([middle, to], [from, middle])
      }
    }
  }
  return { type: 'nurbsCurve', degree: 3, points, knots }
}

/** The larger side of the rectangle around points. */
function getExtent(points: readonly Xyz[]): number {
  const { min, max } = findBoundsOfPoints(points)!
  return Math.max(max.x - min.x, max.y - min.y)
}

/** The control points of the cubic that passes four points at equal steps of its parameter. */
function passThrough(a: Xyz, b: Xyz, c: Xyz, d: Xyz): Xyz[] {
  const mix = (p: number, q: number, r: number, s: number): Xyz => ({
    x: p * a.x + q * b.x + r * c.x + s * d.x,
    y: p * a.y + q * b.y + r * c.y + s * d.y,
    z: 0,
  })
  return [a, mix(-5 / 6, 3, -3 / 2, 1 / 3), mix(1 / 3, -3 / 2, 3, -5 / 6), d]
}

function areClose(a: Xyz, b: Xyz, least: number): boolean {
  return Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) <= least
}

function evaluate([a, b, c, d]: readonly Xyz[], t: number): Xyz {
  const s = 1 - t
  const sum = (along: 'x' | 'y') =>
    s * s * (s * a![along] + 3 * t * b![along]) + t * t * (3 * s * c![along] + t * d![along])
  return { x: sum('x'), y: sum('y'), z: 0 }
}

function toTrimCurve(curve: Curve): TrimCurve {
  switch (curve.type) {
    case 'polyline':
    case 'nurbsCurve':
      return curve
    case 'line':
      return {
        type: 'polyline',
        vertices: [curve.from, curve.to],
        ...(curve.domain && { domain: curve.domain }),
      }
    case 'arc':
    case 'circle':
      return arcToNurbs(curve).curve
    default:
      throw new UnsupportedForm(`a trim that is a ${curve.type}`)
  }
}
