import { checkpoint } from '../budget/budget.ts'
import { findCurvature, findTangent } from '../curves/evaluate.ts'
import { reverseCurve } from '../curves/split.ts'
import { getCurveDomain } from '../values/curve-domain.ts'
import type { Plane } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { cross, dot } from '../values/vector.ts'
import {
  arrange,
  createLoop,
  type Edge,
  getMiddle,
  isInsideLoop,
  type Loop,
  type RegionFault,
  type SharedEdge,
} from './arrange.ts'
import type { Shape } from './meets.ts'
import { createRings, crossesItself, nestRings, type Ring } from './nest.ts'
import { createOutline } from './outline.ts'

/** Whether a place belongs to the result, from whether it is inside a region of each set. */
export type RegionRule = (isInside: readonly boolean[]) => boolean

/** The part of a loop along the boundary of the result, which is on its left. */
export interface BoundaryEdge {
  readonly curve: Shape
  readonly edge: Edge
  readonly isReversed: boolean
  readonly from: number
  readonly to: number
}

/**
 * The boundary of a combination of sets of regions, as closed curves that consist of the original pieces: counter-
 * clockwise around regions, clockwise around holes. A region is the inside of a closed curve; a set is the union of
 * its regions. Loops that are not cut stay as they are.
 */
export function combineRegions(
  sets: readonly (readonly Curve[])[],
  rule: RegionRule,
  plane: Plane,
  tolerance: number,
): Curve[] | RegionFault {
  const loops: Loop[] = []
  for (const [set, curves] of sets.entries()) {
    for (const curve of curves) {
      const loop = createLoop(curve, set, plane, tolerance)
      if (typeof loop === 'string') return loop
      if (!(Math.abs(loop.area) > tolerance * tolerance)) return 'flat'
      loops.push(loop)
    }
  }
  const arrangement = arrange(loops, plane, tolerance)
  if (!arrangement) return 'unclear'
  const rings = createRings(loops, arrangement)
  if (rings.some((ring) => crossesItself(ring, plane, tolerance))) return 'crosses itself'
  if (sets.length > 1 && hasNested(rings, loops, plane, tolerance)) return 'nested'
  const { shared } = arrangement
  const boundary: BoundaryEdge[] = []
  for (const edge of shared) {
    checkpoint()
    const [left, right] = findSides(edge, loops, sets.length, plane).map(rule)
    if (left !== right) boundary.push(createBoundaryEdge(edge.edge, left === true))
  }
  const chains = chain(boundary, plane)
  if (!chains) return 'unclear'
  const counts = loops.map(() => 0)
  for (const { edge } of shared) counts[edge.loop] = (counts[edge.loop] as number) + 1
  return chains.map((edges) => findWholeLoop(edges, loops, counts) ?? createOutline(edges))
}

/** Whether a loop is inside another one of its set: it is not published whether that is a hole. */
function hasNested(rings: readonly Ring[], loops: readonly Loop[], plane: Plane, tolerance: number): boolean {
  const sets = new Set(loops.map(({ set }) => set))
  return [...sets].some((set) => {
    const own = rings.filter((_, i) => loops[i]?.set === set)
    return nestRings(own, plane, tolerance).parents.some((parent) => parent !== undefined)
  })
}

/** Whether the two sides of an edge are inside a region of each set. */
function findSides(
  { edge, uses }: SharedEdge,
  loops: readonly Loop[],
  setCount: number,
  plane: Plane,
): [boolean[], boolean[]] {
  const sides: [boolean[], boolean[]] = [Array(setCount).fill(false), Array(setCount).fill(false)]
  const middle = getMiddle(edge)
  const own = new Map(uses.map(({ loop, isAlong }) => [loop, isAlong]))
  for (const [i, loop] of loops.entries()) {
    checkpoint()
    const isAlong = own.get(i)
    if (isAlong !== undefined) sides[isAlong === loop.area > 0 ? 0 : 1][loop.set] = true
    else if (isInsideLoop(loop, plane, middle)) for (const side of sides) side[loop.set] = true
  }
  return sides
}

export function createBoundaryEdge(edge: Edge, isLeft: boolean): BoundaryEdge {
  return isLeft
    ? { curve: edge.curve, edge, isReversed: false, from: edge.from, to: edge.to }
    : { curve: reverseCurve(edge.curve) as Shape, edge, isReversed: true, from: edge.to, to: edge.from }
}

/** Connects edges to closed chains; undefined if some do not close. */
export function chain(edges: readonly BoundaryEdge[], plane: Plane): BoundaryEdge[][] | undefined {
  const leaving = new Map<number, BoundaryEdge[]>()
  for (const edge of edges) leaving.set(edge.from, [...(leaving.get(edge.from) ?? []), edge])
  const used = new Set<BoundaryEdge>()
  const chains: BoundaryEdge[][] = []
  for (const first of edges) {
    if (used.has(first)) continue
    const links: BoundaryEdge[] = []
    for (let edge: BoundaryEdge | undefined = first; edge && !used.has(edge); ) {
      checkpoint()
      used.add(edge)
      links.push(edge)
      if (edge.to === first.from && pickNext(edge, leaving, plane) === first) break
      edge = pickNext(edge, leaving, plane)
    }
    const last = links.at(-1) as BoundaryEdge
    if (pickNext(last, leaving, plane) !== first) return undefined
    chains.push(links)
  }
  return chains
}

/** The edge that follows around the region on the left: the first one clockwise from where the edge came from. */
function pickNext(
  edge: BoundaryEdge,
  leaving: ReadonlyMap<number, readonly BoundaryEdge[]>,
  plane: Plane,
): BoundaryEdge | undefined {
  const candidates = leaving.get(edge.to) ?? []
  if (candidates.length < 2) return candidates[0]
  const back = findHeading(reverseCurve(edge.curve), plane)
  let best: { edge: BoundaryEdge; turn: number; bend: number } | undefined
  for (const candidate of candidates) {
    const heading = findHeading(candidate.curve, plane)
    const bend = heading.bend - back.bend
    let turn = (((back.angle - heading.angle) % FULL_TURN) + FULL_TURN) % FULL_TURN
    if (FULL_TURN - turn < SAME_ANGLE) turn = 0
    // If the directions are equal, an edge that bends away counter-clockwise is a full turn away.
    if (turn < SAME_ANGLE) turn = bend < 0 ? 0 : FULL_TURN
    const isSame = best !== undefined && Math.abs(turn - best.turn) < SAME_ANGLE
    if (!best || (isSame ? bend > best.bend : turn < best.turn)) best = { edge: candidate, turn, bend }
  }
  return best?.edge
}

const FULL_TURN = 2 * Math.PI
const SAME_ANGLE = 1e-6

/** The direction at the start of a curve, and its curvature there, positive to the left. */
function findHeading(curve: Curve, plane: Plane): { angle: number; bend: number } {
  const { start } = getCurveDomain(curve)
  const tangent = findTangent(curve, start) ?? plane.xAxis
  const curvature = findCurvature(curve, start)
  const angle = Math.atan2(dot(tangent, plane.yAxis), dot(tangent, plane.xAxis))
  return { angle, bend: curvature ? dot(cross(tangent, curvature), plane.zAxis) : 0 }
}

/** The loop that all edges are the whole of. */
function findWholeLoop(
  edges: readonly BoundaryEdge[],
  loops: readonly Loop[],
  counts: readonly number[],
): Curve | undefined {
  const loop = edges[0]?.edge.loop ?? 0
  const isWhole = edges.length === counts[loop] && edges.every(({ edge }) => edge.loop === loop)
  return isWhole ? loops[loop]?.curve : undefined
}
