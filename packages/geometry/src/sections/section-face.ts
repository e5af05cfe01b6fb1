import { createVertexGrid } from '../breps/brep-builder.ts'
import { samplePoints } from '../breps/region.ts'
import { checkpoint, POINT_BYTES, reserveValues } from '../budget/budget.ts'
import { findClosestPoint } from '../curves/closest-point.ts'
import { evaluateNurbs } from '../curves/evaluate-nurbs.ts'
import { interpolateClosed, interpolatePoints } from '../curves/interpolate-points.ts'
import { touchSurface } from '../surfaces/evaluate-surface.ts'
import type { BrepFace } from '../values/brep.ts'
import { getSurfaceDomains } from '../values/curve-domain.ts'
import { line, type NurbsCurve } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import {
  addScaled,
  cross,
  distance,
  dot,
  findUnit,
  interpolate,
  length,
  ORIGIN,
  subtract,
} from '../values/vector.ts'
import { listZeroPaths, SectionError, type Uv } from './zero-paths.ts'

/** A point of a section, with its parameters on the surface. */
interface Spot {
  readonly uv: Uv
  readonly point: Xyz
}

/** Ends of paths this close, as a fraction of the domain, are the same. */
const JOINT = 1e-7
/** The most corrections that move a point to the plane. */
const CORRECTIONS = 20
const MAX_ROUNDS = 12
/** Heights below this part of the tolerance are rounding errors. */
const ROUNDING = 1e-6
/** Samples for each span of a bent trim. */
const OUTLINE_STEPS = 16

/** The places where the edges of a face meet a plane. */
export interface Border {
  /** The points where edges pass through the plane. */
  readonly ends: readonly Xyz[]
  /** The edges in the plane. */
  readonly edges: readonly Curve[]
}

/**
 * The curves in which a face meets a plane, without the edges in the plane. They deviate from the face by less than a
 * tenth of the tolerance.
 * Fails: `SectionError` where the plane touches the face.
 */
export function sectionFace(
  face: BrepFace,
  plane: Plane,
  { ends, edges }: Border,
  tolerance: number,
): Curve[] {
  const { surface } = face
  const chains = chainPaths(surface, listZeroPaths(surface, plane, tolerance * ROUNDING))
  const outlines = isWhole(face) ? undefined : listOutlines(face)
  const refine = (from: Spot, to: Spot) => findBetween(surface, plane, from, to)
  return chains.flatMap((chain) => {
    const spots = chain.map((uv) => ({ uv, point: touchSurface(surface, uv.u, uv.v).point }))
    const dense = refineChain(spots, refine, tolerance)
    if (getChainLength(dense) <= tolerance) throw new SectionError('the plane touches a face')
    const parts = outlines ? cutChain(dense, ends) : [dense]
    return parts
      .filter((part) => {
        if (part.length < 2 || getChainLength(part) <= tolerance) return false
        const { uv, point } = findMiddle(part)
        const isOnEdge = edges.some(
          (edge) => (findClosestPoint(edge, point)?.distance ?? Infinity) <= 10 * tolerance,
        )
        return !isOnEdge && (!outlines || isInside(uv, outlines, surface))
      })
      .map((part) => fitCurve(part, refine, tolerance))
  })
}

/** Whether a face has the borders of its surface. */
function isWhole({ surface, loops }: BrepFace): boolean {
  const { u, v } = getSurfaceDomains(surface)
  const [outer, ...others] = loops
  const isOnBorder = ({ x, y }: Xyz) => x === u.start || x === u.end || y === v.start || y === v.end
  return (
    outer !== undefined &&
    others.length === 0 &&
    outer.length === 4 &&
    outer.every(({ curve }) => curve.type === 'polyline' && curve.vertices.every(isOnBorder))
  )
}

function listOutlines({ loops }: BrepFace): Xyz[][] {
  return loops.map((loop) => loop.flatMap(({ curve }) => samplePoints(curve, OUTLINE_STEPS).slice(0, -1)))
}

/** Joins paths end to end. */
function chainPaths(surface: NurbsSurface, paths: readonly Uv[][]): Uv[][] {
  const { u, v } = getSurfaceDomains(surface)
  const grid = createVertexGrid(JOINT)
  const number = (uv: Uv) =>
    grid.take({
      x: (uv.u - u.start) / (u.end - u.start),
      y: (uv.v - v.start) / (v.end - v.start),
      z: 0,
    })
  const links = paths.map((path) => ({
    path,
    ends: [number(path[0] as Uv), number(path.at(-1) as Uv)] as const,
  }))
  const at = new Map<number, typeof links>()
  for (const link of links) {
    for (const end of new Set(link.ends)) at.set(end, [...(at.get(end) ?? []), link])
  }
  if ([...at.values()].some(({ length }) => length > 2)) throw new SectionError('the plane touches a face')
  const left = new Set(links)
  const walk = (chain: Uv[], end: number): Uv[] => {
    let [last, next] = [end, at.get(end)?.find((link) => left.has(link))]
    while (next) {
      checkpoint()
      left.delete(next)
      const isForward = next.ends[0] === last
      chain.push(...(isForward ? next.path : next.path.toReversed()).slice(1))
      last = next.ends[isForward ? 1 : 0]
      const end = last
      next = at.get(end)?.find((link) => left.has(link))
    }
    return chain
  }
  const chains: Uv[][] = []
  for (const link of links) {
    if (!left.delete(link)) continue
    const forward = walk([...link.path], link.ends[1])
    chains.push(walk(forward.reverse(), link.ends[0]).reverse())
  }
  return chains
}

/** The point of the section between two of its points. */
function findBetween(surface: NurbsSurface, plane: Plane, from: Spot, to: Spot): Spot {
  let [u, v] = [(from.uv.u + to.uv.u) / 2, (from.uv.v + to.uv.v) / 2]
  for (let i = 0; i < CORRECTIONS; i++) {
    checkpoint()
    const { point, du, dv } = touchSurface(surface, u, v)
    const height = toLocal(plane, point).z
    const [alongU, alongV] = [dot(du, plane.zAxis), dot(dv, plane.zAxis)]
    const slope = alongU * alongU + alongV * alongV
    if (height === 0 || !(slope > 0)) break
    ;[u, v] = [u - (height * alongU) / slope, v - (height * alongV) / slope]
  }
  return { uv: { u, v }, point: touchSurface(surface, u, v).point }
}

type Refine = (from: Spot, to: Spot) => Spot

/** Adds points until the chain deviates from its polyline by less than a few tolerances. */
function refineChain(chain: readonly Spot[], refine: Refine, tolerance: number): Spot[] {
  const first = chain[0] as Spot
  const dense = [first]
  const add = (from: Spot, to: Spot, depth: number): void => {
    const middle = refine(from, to)
    const chord = addScaled(from.point, subtract(to.point, from.point), 0.5)
    if (depth > 0 && distance(chord, middle.point) > 5 * tolerance) {
      add(from, middle, depth - 1)
      add(middle, to, depth - 1)
    } else dense.push(to)
  }
  for (const [i, to] of chain.slice(1).entries()) add(chain[i] as Spot, to, MAX_ROUNDS)
  return dense
}

/** The parts of a chain between the points where edges cross it. */
function cutChain(chain: readonly Spot[], ends: readonly Xyz[]): Spot[][] {
  const cuts = ends.flatMap((end) => findCut(chain, end)).sort((a, b) => a.at - b.at)
  const [first, final] = [cuts[0], cuts.at(-1)]
  if (!first || !final) return [[...chain]]
  const pick = (from: number, to: number) => chain.filter((_, i) => i > from + 1e-9 && i < to - 1e-9)
  const parts = cuts.slice(1).map((cut, i): Spot[] => {
    const before = cuts[i] as (typeof cuts)[number]
    return [before.spot, ...pick(before.at, cut.at), cut.spot]
  })
  const [head, tail] = [pick(-1, first.at), pick(final.at, chain.length)]
  // The first point of a closed chain is also the last one.
  if (isClosedChain(chain)) return [...parts, [final.spot, ...tail, ...head.slice(1), first.spot]]
  return [[...head, first.spot], ...parts, [final.spot, ...tail]]
}

/** Finds where a chain passes a point: the position between its points, with the fraction. */
function findCut(chain: readonly Spot[], end: Xyz): { at: number; spot: Spot }[] {
  let best = { at: 0, gap: Infinity, t: 0, index: 0 }
  for (const [index, to] of chain.slice(1).entries()) {
    checkpoint()
    const from = chain[index] as Spot
    const along = subtract(to.point, from.point)
    const square = dot(along, along)
    const t = square > 0 ? Math.min(1, Math.max(0, dot(subtract(end, from.point), along) / square)) : 0
    const gap = distance(end, addScaled(from.point, along, t))
    if (gap < best.gap) best = { at: index + t, gap, t, index }
  }
  const [before, after] = [chain[best.index] as Spot, chain[best.index + 1] as Spot]
  // An end this far away is on another chain: between its points, a chain deviates little from its polyline.
  if (best.gap > distance(before.point, after.point) / 4 + 1e-6) return []
  return [{ at: best.at, spot: { ...mix(before, after, best.t), point: end } }]
}

function getChainLength(chain: readonly Spot[]): number {
  return chain.slice(1).reduce((sum, { point }, i) => sum + distance(point, (chain[i] as Spot).point), 0)
}

/** The spot half way along a chain. */
function findMiddle(chain: readonly Spot[]): Spot {
  let left = getChainLength(chain) / 2
  for (const [i, to] of chain.slice(1).entries()) {
    const from = chain[i] as Spot
    const size = distance(from.point, to.point)
    if (size >= left && size > 0) {
      const t = left / size
      return mix(from, to, t)
    }
    left -= size
  }
  return chain.at(-1) as Spot
}

function mix(from: Spot, to: Spot, t: number): Spot {
  return {
    uv: { u: from.uv.u + (to.uv.u - from.uv.u) * t, v: from.uv.v + (to.uv.v - from.uv.v) * t },
    point: interpolate(from.point, to.point, t),
  }
}

/**
 * Returns whether a point is inside outlines, by the even-odd rule. Fails: `SectionError` for a point on an outline.
 */
function isInside(middle: Uv, outlines: readonly Xyz[][], surface: NurbsSurface): boolean {
  const domains = getSurfaceDomains(surface)
  const slack = 1e-6 * Math.max(domains.u.end - domains.u.start, domains.v.end - domains.v.start)
  let isIn = false
  for (const outline of outlines) {
    checkpoint(outline.length)
    for (const [i, a] of outline.entries()) {
      const b = outline[(i + 1) % outline.length] as Xyz
      if (getGap(middle, a, b) <= slack) throw new SectionError('an edge lies in the plane')
      if (a.y > middle.v !== b.y > middle.v) {
        if (middle.u < a.x + ((middle.v - a.y) / (b.y - a.y)) * (b.x - a.x)) isIn = !isIn
      }
    }
  }
  return isIn
}

function getGap({ u, v }: Uv, a: Xyz, b: Xyz): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  const square = dx * dx + dy * dy
  const t = square > 0 ? Math.min(1, Math.max(0, ((u - a.x) * dx + (v - a.y) * dy) / square)) : 0
  return Math.hypot(u - a.x - t * dx, v - a.y - t * dy)
}

function isClosedChain(chain: readonly Spot[]): boolean {
  const [first, last] = [chain[0], chain.at(-1)]
  return (
    chain.length > 3 && first !== undefined && last !== undefined && distance(first.point, last.point) < 1e-9
  )
}

/** Creates a line, or a cubic curve through the points, to which more are added until it fits. */
function fitCurve(chain: readonly Spot[], refine: Refine, tolerance: number): Curve {
  const [first, last] = [chain[0] as Spot, chain.at(-1) as Spot]
  const along = findUnit(subtract(last.point, first.point))
  const isStraight = chain.every(
    ({ point }) => along && length(cross(subtract(point, first.point), along)) <= tolerance / 1000,
  )
  if (isStraight) return line(first.point, last.point)
  const isLoop = isClosedChain(chain)
  let spots = removeClose(chain)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const points = spots.map(({ point }) => point)
    reserveValues(points.length, POINT_BYTES)
    const curve = isLoop ? interpolateClosed(points.slice(0, -1), 'chord') : interpolatePoints(points)
    const next = addMisses(spots, curve, refine, tolerance / 10)
    if (next.length === spots.length) return curve
    spots = next
  }
  throw new SectionError('a section bends too much')
}

/** Adds the points of the section between those that a curve interpolates, where it deviates from them. */
function addMisses(spots: readonly Spot[], curve: NurbsCurve, refine: Refine, slack: number): Spot[] {
  const next: Spot[] = [spots[0] as Spot]
  for (const [i, to] of spots.slice(1).entries()) {
    const middle = refine(spots[i] as Spot, to)
    // The curve has a knot at each point.
    const t = ((curve.knots[i + 2] as number) + (curve.knots[i + 3] as number)) / 2
    const [point, speed] = evaluateNurbs(curve, t, 1) as [Xyz, Xyz]
    const aside = cross(subtract(middle.point, point), findUnit(speed) ?? ORIGIN)
    if (length(aside) > slack) next.push(middle)
    next.push(to)
  }
  return next
}

/** Points in the same place would make an interpolation fail. */
function removeClose(chain: readonly Spot[]): Spot[] {
  const kept: Spot[] = []
  for (const [i, spot] of chain.entries()) {
    const last = kept.at(-1)
    const isLast = i === chain.length - 1
    if (last && distance(last.point, spot.point) <= 1e-9) {
      if (isLast) kept[kept.length - 1] = spot
      continue
    }
    kept.push(spot)
  }
  return kept
}
