import { checkpoint } from '../budget/budget.ts'
import { createPredicates, type Predicates, type Xy } from './predicates.ts'

export type Triangle = readonly [a: number, b: number, c: number]

/**
 * The Delaunay triangulation of points in a plane: triangles by index, counter-clockwise. Repeated points
 * belong to no triangle; collinear points have none. Coordinates must be finite.
 * Source: a sweep along x that extends the hull, and Lawson flips after each point, on half edges as in Guibas
 * and Stolfi.
 */
export function triangulatePoints(points: readonly Xy[]): Triangle[] {
  const predicates = createPredicates(points)
  const order = sortWithoutRepeats(points.length, predicates)
  if (order.length < 3) return []
  const inLine = countInLine(order, predicates)
  if (inLine === order.length) return []
  const net = createNet(order, inLine, predicates)
  for (const index of order.slice(inLine + 1)) net.add(index)
  return net.list()
}

/** The indices of points by x, then by y; of points in one place the first. */
export function sortWithoutRepeats(count: number, { compare }: Predicates): number[] {
  const sorted = Array.from({ length: count }, (_, i) => i).sort((a, b) => compare(a, b) || a - b)
  return sorted.filter((index, i) => i === 0 || compare(sorted[i - 1] as number, index) !== 0)
}

/** The number of leading collinear points. */
function countInLine([first = 0, second = 0, ...others]: readonly number[], { orient }: Predicates): number {
  const index = others.findIndex((other) => orient(first, second, other) !== 0)
  return index < 0 ? others.length + 2 : index + 2
}

const NONE = -1
const next = (edge: number) => (edge % 3 === 2 ? edge - 2 : edge + 1)
const previous = (edge: number) => (edge % 3 === 0 ? edge + 2 : edge - 1)

/**
 * Triangles as half edges: edge `e` starts at `starts[e]` and belongs to triangle `e / 3`; `twins[e]` is the
 * opposite half edge. Initially a fan from the first point that is not collinear.
 */
function createNet(order: readonly number[], inLine: number, { orient, inCircle }: Predicates) {
  const starts: number[] = []
  const twins: number[] = []
  /** The counter-clockwise hull: the next and previous points, and the half edge to the next one. */
  const after = new Map<number, number>()
  const before = new Map<number, number>()
  const outer = new Map<number, number>()

  function link(a: number, b: number): void {
    twins[a] = b
    if (b !== NONE) twins[b] = a
  }
  function addTriangle(a: number, b: number, c: number): number {
    const edge = starts.push(a, b, c) - 3
    twins.push(NONE, NONE, NONE)
    return edge
  }
  function addToHull(from: number, to: number, edge: number): void {
    after.set(from, to)
    before.set(to, from)
    outer.set(from, edge)
  }

  /** Flips an edge that violates the Delaunay condition, then the edges around it. */
  function legalise(edge: number): void {
    const stack = [edge]
    for (let a = stack.pop(); a !== undefined; a = stack.pop()) {
      checkpoint()
      const b = twins[a] as number
      if (b === NONE) continue
      const [an, ap, bn, bp] = [next(a), previous(a), next(b), previous(b)]
      const [u, v, apex, opposite] = [starts[a]!, starts[an]!, starts[ap]!, starts[bp]!]
      if (inCircle(u, v, apex, opposite) <= 0) continue
      const [besideA, besideB] = [twins[bp] as number, twins[ap] as number]
      starts[a] = opposite
      starts[b] = apex
      link(a, besideA)
      link(b, besideB)
      link(ap, bp)
      if (besideA === NONE) outer.set(opposite, a)
      if (besideB === NONE) outer.set(apex, b)
      stack.push(a, bn)
    }
  }

  let last = order[inLine] as number
  const line = order.slice(0, inLine)
  const chain = orient(line[0]!, line[1]!, last) > 0 ? line : line.reverse()
  let edge = NONE
  for (const [i, from] of chain.slice(0, -1).entries()) {
    const to = chain[i + 1] as number
    const created = addTriangle(from, to, last)
    link(created + 2, edge)
    if (edge === NONE) addToHull(last, from, created + 2)
    addToHull(from, to, created)
    edge = created + 1
  }
  addToHull(chain.at(-1)!, last, edge)

  return {
    /** Adds a point that follows all others in the order: it is outside the hull and sees the last point. */
    add(index: number): void {
      const opened: number[] = []
      let [from, to] = [last, last]
      let [firstOuter, lastOuter] = [NONE, NONE]
      for (let end = after.get(to)!; orient(to, end, index) < 0; end = after.get(to)!) {
        checkpoint()
        const created = addTriangle(end, to, index)
        link(created, outer.get(to)!)
        if (lastOuter === NONE) firstOuter = created + 1
        else link(created + 1, lastOuter)
        lastOuter = created + 2
        opened.push(created)
        to = end
      }
      for (let start = before.get(from)!; orient(start, from, index) < 0; start = before.get(from)!) {
        checkpoint()
        const created = addTriangle(from, start, index)
        link(created, outer.get(start)!)
        if (firstOuter === NONE) lastOuter = created + 2
        else link(created + 2, firstOuter)
        firstOuter = created + 1
        opened.push(created)
        from = start
      }
      addToHull(from, index, firstOuter)
      addToHull(index, to, lastOuter)
      last = index
      for (const created of opened) legalise(created)
    },
    list(): Triangle[] {
      return Array.from({ length: starts.length / 3 }, (_, t) => [
        starts[3 * t]!,
        starts[3 * t + 1]!,
        starts[3 * t + 2]!,
      ])
    },
  }
}
