import { integrateRegion } from '../breps/region.ts'
import { checkpoint } from '../budget/budget.ts'
import { findClosestPoint } from '../curves/closest-point.ts'
import { getEnd, getStart } from '../curves/evaluate.ts'
import type { Plane } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { distance } from '../values/vector.ts'
import { type Edge, getMiddle, isInsideLoop, type Loop, type SharedEdge } from './arrange.ts'
import { listClosePairs } from './pairs.ts'

/** A loop and the edges into which an arrangement divides it, in its order. */
export interface Ring extends Pick<Loop, 'curve' | 'bounds' | 'area'> {
  readonly edges: readonly Edge[]
  /** The number of the place of each edge: edges that lie on each other are in one place. */
  readonly places: readonly number[]
  /** The numbers of the vertices of the edges. */
  readonly vertices: ReadonlySet<number>
}

/** How rings lie in each other. */
export interface Nesting {
  /** The smallest ring that each ring is inside of. */
  readonly parents: readonly (number | undefined)[]
  /** Whether rings are equal, or partly inside of each other. */
  readonly overlap: boolean
}

/** The rings of loops, from the arrangement of these loops and others. */
export function createRings(
  loops: readonly Loop[],
  { edges, shared }: { readonly edges: readonly Edge[]; readonly shared: readonly SharedEdge[] },
): Ring[] {
  const places = new Map<Edge, number>()
  for (const [place, { uses }] of shared.entries()) for (const { edge } of uses) places.set(edge, place)
  const own: Edge[][] = loops.map(() => [])
  for (const edge of edges) own[edge.loop]?.push(edge)
  return loops.map((loop, i) => createRing(loop, own[i] as Edge[], (edge) => places.get(edge) as number))
}

function createRing(
  { curve, bounds, area }: Pick<Ring, 'curve' | 'bounds' | 'area'>,
  edges: readonly Edge[],
  getPlace: (edge: Edge) => number,
): Ring {
  const vertices = new Set(edges.flatMap(({ from, to }) => [from, to]))
  return { curve, bounds, area, edges, places: edges.map(getPlace), vertices }
}

/**
 * Whether a ring crosses itself or runs along itself. One that only touches itself consists of rings that do not, which
 * meet at those points: the ones inside of an even number of others run as the whole does, the rest the other way.
 */
export function crossesItself(ring: Ring, plane: Plane, tolerance: number): boolean {
  if (new Set(ring.places).size < ring.places.length) return true
  const cycles = listCycles(ring.edges)
  if (cycles.length < 2) return false
  const places = new Map(ring.edges.map((edge, i) => [edge, ring.places[i] as number]))
  const parts = cycles.map((edges) => {
    const curve: Curve = { type: 'polyCurve', segments: edges.map((edge) => edge.curve) }
    const { area } = integrateRegion([curve], plane)
    return createRing({ curve, bounds: ring.bounds, area }, edges, (edge) => places.get(edge) as number)
  })
  const { parents, overlap } = nestRings(parts, plane, tolerance)
  const depths = getDepths(parents)
  return (
    overlap ||
    parts.some(({ area }, i) => area > 0 !== (depths[i]! % 2 === 0 ? ring.area > 0 : ring.area < 0))
  )
}

/** The number of rings that each ring is inside of. */
export function getDepths(parents: Nesting['parents']): number[] {
  const depths: (number | undefined)[] = parents.map(() => undefined)
  return parents.map((_, i) => {
    const path: number[] = []
    let at: number | undefined = i
    while (at !== undefined && depths[at] === undefined) {
      path.push(at)
      at = parents[at]
    }
    let depth = at === undefined ? -1 : (depths[at] as number)
    for (const index of path.reverse()) depths[index] = ++depth
    return depths[i] as number
  })
}

/** Divides a loop where it returns to a vertex. */
function listCycles(edges: readonly Edge[]): Edge[][] {
  const cycles: Edge[][] = []
  let path: Edge[] = []
  const starts = new Map<number, number>()
  for (const edge of edges) {
    if (edge.from !== edge.to) starts.set(edge.from, path.length)
    path.push(edge)
    const start = edge.from === edge.to ? path.length - 1 : starts.get(edge.to)
    if (start === undefined) continue
    const cycle = path.slice(start)
    for (const { from } of cycle) if (from !== edge.to) starts.delete(from)
    cycles.push(cycle)
    path = path.slice(0, start)
  }
  if (path.length > 0) cycles.push(path)
  return cycles
}

/**
 * The nesting of rings that do not cross themselves. Whether one is inside of another is decided by the parts of it
 * between vertices that both have: each of them lies on the other, or inside or outside of it. Rings without a common
 * vertex need one part, and rings whose boxes are apart none. Rings may touch each other anywhere.
 */
export function nestRings(rings: readonly Ring[], plane: Plane, tolerance: number): Nesting {
  const boxes = rings.map(({ bounds }) => bounds)
  const around: number[][] = rings.map(() => [])
  const candidates: number[][] = rings.map(() => [])
  let hasOverlap = false
  for (const [i, j] of listClosePairs(boxes, tolerance)) {
    const [one, other] = [rings[i] as Ring, rings[j] as Ring]
    if (!haveCommonVertex(one, other)) {
      const [small, large] = Math.abs(one.area) < Math.abs(other.area) ? [i, j] : [j, i]
      candidates[small]?.push(large)
      continue
    }
    const relation = relate(one, other, plane, tolerance)
    if (relation === 'overlap') hasOverlap = true
    else if (relation === 'inside') around[i]?.push(j)
    else if (relation === 'around') around[j]?.push(i)
  }
  const parents = rings.map((ring, i) => {
    const known = new Set(around[i])
    const bySize = [...(candidates[i] as number[]), ...known].sort(
      (a, b) => Math.abs(rings[a]!.area) - Math.abs(rings[b]!.area),
    )
    const probe = bySize.length > 0 ? findLongest(ring.edges) : undefined
    const point = probe ? getMiddle(probe) : getStart(ring.curve)
    return bySize.find((other) => known.has(other) || isInsideLoop(rings[other] as Ring, plane, point))
  })
  return { parents, overlap: hasOverlap }
}

function haveCommonVertex(a: Ring, b: Ring): boolean {
  const [few, many] = a.vertices.size < b.vertices.size ? [a, b] : [b, a]
  for (const vertex of few.vertices) {
    checkpoint()
    if (many.vertices.has(vertex)) return true
  }
  return false
}

/** How a ring lies to another one with which it has vertices in common. Equal rings overlap. */
function relate(
  one: Ring,
  other: Ring,
  plane: Plane,
  tolerance: number,
): 'inside' | 'around' | 'apart' | 'overlap' {
  const [a, b] = [findSides(one, other, plane, tolerance), findSides(other, one, plane, tolerance)]
  const isMixed = (a.inside && a.outside) || (b.inside && b.outside) || (a.inside && b.inside)
  if (isMixed || !(a.inside || a.outside || b.inside || b.outside)) return 'overlap'
  return a.inside ? 'inside' : b.inside ? 'around' : 'apart'
}

/** Whether parts of a ring are inside and outside of another, away from it. */
function findSides(
  ring: Ring,
  other: Ring,
  plane: Plane,
  tolerance: number,
): { inside: boolean; outside: boolean } {
  const ofOther = new Set(other.places)
  const sides = { inside: false, outside: false }
  for (const part of listParts(ring, other.vertices)) {
    const edge = findLongest(part.filter(({ place }) => !ofOther.has(place)).map(({ edge }) => edge))
    const point = edge && getMiddle(edge)
    if (!point || (findClosestPoint(other.curve, point)?.distance ?? Infinity) <= 2 * tolerance) continue
    if (isInsideLoop(other, plane, point)) sides.inside = true
    else sides.outside = true
  }
  return sides
}

interface PlacedEdge {
  readonly edge: Edge
  readonly place: number
}

/** The parts of a ring between certain vertices. */
function listParts({ edges, places }: Ring, vertices: ReadonlySet<number>): PlacedEdge[][] {
  const placed = edges.map((edge, i): PlacedEdge => ({ edge, place: places[i] as number }))
  const first = Math.max(
    edges.findIndex(({ from }) => vertices.has(from)),
    0,
  )
  const parts: PlacedEdge[][] = []
  for (const at of [...placed.slice(first), ...placed.slice(0, first)]) {
    checkpoint()
    if (parts.length === 0 || vertices.has(at.edge.from)) parts.push([at])
    else parts.at(-1)?.push(at)
  }
  return parts
}

/** The edge with the largest distances from its middle to its ends. */
function findLongest(edges: readonly Edge[]): Edge | undefined {
  let longest: { edge: Edge; size: number } | undefined
  for (const edge of edges) {
    checkpoint()
    const middle = getMiddle(edge)
    const size = distance(getStart(edge.curve), middle) + distance(middle, getEnd(edge.curve))
    if (!longest || size > longest.size) longest = { edge, size }
  }
  return longest?.edge
}
