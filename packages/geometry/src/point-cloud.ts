import { checkpoint } from './budget/budget.ts'
import type { Point } from './values/points.ts'
import { distance } from './values/vector.ts'

/** A point of a cloud, the index at which the list has it, and how far it is from the location that was asked for. */
export interface NearPoint {
  readonly index: number
  readonly away: number
}

type Cloud = readonly (Point | null)[]

/** A list of points that is searched often. */
interface SearchedCloud {
  searches: number
  tree?: CloudTree
}

const KNOWN = new WeakMap<Cloud, SearchedCloud>()
/** A tree takes about as long as this many searches of the list itself. */
const FEW_SEARCHES = 8

/**
 * Returns the `count` nearest points of a list, nearest first, and the first in the list of those that are equally near.
 * Nulls and points without a finite distance are never near. A list that is searched again and again gets a k-d tree, so
 * that each search takes logarithmic time on average.
 */
export function findNearest(cloud: Cloud, location: Point, count: number): NearPoint[] {
  const known = KNOWN.get(cloud) ?? { searches: 0 }
  KNOWN.set(cloud, known)
  known.searches++
  if (known.searches > FEW_SEARCHES) known.tree ??= createTree(cloud)
  const nearest = new Nearest(count)
  if (known.tree) searchTree(known.tree, cloud, location, nearest)
  else {
    checkpoint(cloud.length)
    for (const [index, point] of cloud.entries()) if (point) nearest.add(index, distance(location, point))
  }
  return nearest.list()
}

const isNearer = (a: NearPoint, b: NearPoint): boolean =>
  a.away < b.away || (a.away === b.away && a.index < b.index)

/** The nearest points found so far: a heap with the farthest of them first. */
class Nearest {
  readonly #count: number
  readonly #heap: NearPoint[] = []

  constructor(count: number) {
    this.#count = count
  }

  /** What is farther than this is not among the nearest. */
  get limit(): number {
    return this.#heap.length < this.#count ? Infinity : this.#heap[0]!.away
  }

  add(index: number, away: number): void {
    if (!(away < Infinity)) return
    const heap = this.#heap
    const candidate = { index, away }
    if (heap.length < this.#count) this.#rise(candidate)
    else if (isNearer(candidate, heap[0]!)) this.#sink(candidate)
  }

  list(): NearPoint[] {
    return this.#heap.toSorted((a, b) => (isNearer(a, b) ? -1 : 1))
  }

  #rise(candidate: NearPoint): void {
    const heap = this.#heap
    let at = heap.length
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isNearer(heap[parent]!, candidate)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = candidate
  }

  #sink(candidate: NearPoint): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isNearer(heap[child]!, heap[child + 1]!)) child++
      if (!isNearer(candidate, heap[child]!)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = candidate
  }
}

/** A k-d tree: a few points, or a plane across an axis with the points on both sides. */
type CloudTree =
  | { readonly indices: readonly number[] }
  | { readonly axis: 'x' | 'y' | 'z'; readonly at: number; readonly low: CloudTree; readonly high: CloudTree }

const MOST_IN_LEAF = 16
const AXES = ['x', 'y', 'z'] as const

function createTree(cloud: Cloud): CloudTree {
  const finite = (point: Point | null) => point !== null && AXES.every((axis) => Number.isFinite(point[axis]))
  const indices = cloud.flatMap((point, index) => (finite(point) ? [index] : []))
  return splitPoints(cloud, indices)
}

/** Sorting at each level makes it n·log² n, which the sort of numbers is fast enough for. */
function splitPoints(cloud: Cloud, indices: number[]): CloudTree {
  checkpoint(indices.length)
  if (indices.length <= MOST_IN_LEAF) return { indices }
  const axis = findWidestAxis(cloud, indices)
  const sorted = Float64Array.from(indices, (index) => cloud[index]![axis]).sort()
  const at = sorted[sorted.length >> 1]!
  const low = indices.filter((index) => cloud[index]![axis] < at)
  // Of many points at the same coordinate, none may be below the middle.
  if (low.length === 0) return splitEqual(cloud, indices, axis, at)
  const high = indices.filter((index) => cloud[index]![axis] >= at)
  return { axis, at, low: splitPoints(cloud, low), high: splitPoints(cloud, high) }
}

/** Splits points of which half or more have the least coordinate `at`. */
function splitEqual(cloud: Cloud, indices: number[], axis: 'x' | 'y' | 'z', at: number): CloudTree {
  const above = indices.filter((index) => cloud[index]![axis] > at)
  if (above.length === 0) return { indices }
  const equal = indices.filter((index) => cloud[index]![axis] === at)
  const next = above.reduce((least, index) => Math.min(least, cloud[index]![axis]), Infinity)
  return { axis, at: next, low: splitPoints(cloud, equal), high: splitPoints(cloud, above) }
}

function findWidestAxis(cloud: Cloud, indices: readonly number[]): 'x' | 'y' | 'z' {
  let widest: 'x' | 'y' | 'z' = 'x'
  let width = -1
  for (const axis of AXES) {
    let [min, max] = [Infinity, -Infinity]
    for (const index of indices) {
      min = Math.min(min, cloud[index]![axis])
      max = Math.max(max, cloud[index]![axis])
    }
    if (max - min > width) [widest, width] = [axis, max - min]
  }
  return widest
}

/** The distance to a plane is rounded otherwise than that to a point, so what is as near but for this is visited too. */
const SLACK = 1 + 1e-12

function searchTree(tree: CloudTree, cloud: Cloud, location: Point, nearest: Nearest): void {
  if ('indices' in tree) {
    checkpoint(tree.indices.length)
    for (const index of tree.indices) nearest.add(index, distance(location, cloud[index]!))
    return
  }
  const { axis, at, low, high } = tree
  const beyond = location[axis] - at
  const [first, second] = beyond < 0 ? [low, high] : [high, low]
  searchTree(first, cloud, location, nearest)
  if (Math.abs(beyond) <= nearest.limit * SLACK) searchTree(second, cloud, location, nearest)
}
