import { checkpoint, reserveValues } from '../budget/budget.ts'
import { createPredicates, type Predicates, type Xy } from '../meshes/predicates.ts'
import { areaOf, clipEars } from './triangulate-polygon.ts'

/** Points in a plane and triangles of them, counter-clockwise, as three indices each. */
export interface Triangulation {
  readonly points: readonly Xy[]
  readonly triangles: readonly (readonly [number, number, number])[]
}

/** Points of the grid that are closer than this to the border would make thin triangles. */
const CLEARANCE = 0.4

const NONE = -1
const next = (edge: number) => (edge % 3 === 2 ? edge - 2 : edge + 1)
const previous = (edge: number) => (edge % 3 === 0 ? edge + 2 : edge - 1)

/**
 * The constrained Delaunay triangulation of the area between rings, with the points of the grid of whole numbers that are
 * inside it, unless `isEmpty`. Sides of the rings stay whole. The points of the rings come first, in order.
 * Undefined if the rings cross themselves or each other, so that no triangulation covers their area.
 * Source: ear clipping, Lawson flips, and insertion of each point into the triangle that it lies in.
 */
export function triangulateArea(
  rings: readonly (readonly Xy[])[],
  isEmpty: boolean,
): Triangulation | undefined {
  const border = rings.flat()
  const [outer = [], ...holes] = rings
  const clipped = orient(border, clipEars(outer, holes))
  if (!coversArea(border, clipped, rings)) return undefined
  const corners = restoreBorder(clipped, rings)
  const inner = isEmpty ? [] : listGridPoints(border, rings)
  reserveValues(border.length + inner.length, 200)
  const points = [...border, ...inner]
  const net = createNet(corners, createPredicates(points))
  if (!net) return undefined
  net.improve()
  net.insertAll(points, border.length)
  return { points, triangles: net.list() }
}

/** Ear clipping leaves out points on straight sides. Triangles at such a side are divided at its points. */
function restoreBorder(corners: readonly number[], rings: readonly (readonly Xy[])[]): number[] {
  const points = rings.flat()
  let first = 0
  const places = rings.flatMap((ring) => {
    first += ring.length
    return ring.map(() => ({ first: first - ring.length, length: ring.length }))
  })
  const edges = new Set<string>()
  for (let i = 0; i < corners.length; i++) edges.add(`${corners[i]},${corners[next(i)]}`)
  /** The points of the ring between two of them, if they lie on a straight line between these. */
  const findBetween = (from: number, to: number): number[] => {
    const { first, length } = places[from]!
    if (edges.has(`${to},${from}`) || places[to]!.first !== first) return []
    for (const step of [1, length - 1]) {
      const between: number[] = []
      const walk = (at: number) => first + ((at - first + step) % length)
      for (
        let at = walk(from);
        at !== to && isBetween(points[at]!, points[from]!, points[to]!);
        at = walk(at)
      ) {
        checkpoint()
        between.push(at)
      }
      if (walk(between.at(-1) ?? from) === to) return between
    }
    return []
  }
  const restored: number[] = []
  const pending = Array.from({ length: corners.length / 3 }, (_, i) => corners.slice(3 * i, 3 * i + 3))
  for (let corner = pending.pop(); corner; corner = pending.pop()) {
    const turns = [0, 1, 2].map((i) => [corner[i]!, corner[(i + 1) % 3]!, corner[(i + 2) % 3]!] as const)
    const side = turns
      .map((turn) => ({ turn, between: findBetween(turn[0], turn[1]) }))
      .find((it) => it.between.length > 0)
    if (!side) {
      restored.push(...corner)
      continue
    }
    const [a, b, opposite] = side.turn
    const stops = [a, ...side.between, b]
    for (const [i, from] of stops.slice(0, -1).entries()) {
      for (const edge of [`${from},${stops[i + 1]}`, `${from},${opposite}`, `${opposite},${from}`])
        edges.add(edge)
      pending.push([from, stops[i + 1]!, opposite])
    }
  }
  return restored
}

function isBetween(point: Xy, from: Xy, to: Xy): boolean {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const square = dx * dx + dy * dy
  const along = (point.x - from.x) * dx + (point.y - from.y) * dy
  const across = (point.y - from.y) * dx - (point.x - from.x) * dy
  return Math.abs(across) <= 1e-9 * square && along >= 0 && along <= square
}

/** Turns all triangles around if they are clockwise. */
function orient(points: readonly Xy[], corners: readonly number[]): number[] {
  return sumArea(points, corners) < 0 ? corners.toReversed() : [...corners]
}

function sumArea(points: readonly Xy[], corners: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < corners.length; i += 3) {
    sum += areaOf(corners.slice(i, i + 3).map((corner) => points[corner]!))
  }
  return sum
}

function coversArea(
  points: readonly Xy[],
  corners: readonly number[],
  rings: readonly (readonly Xy[])[],
): boolean {
  const [outer = 0, ...holes] = rings.map((ring) => Math.abs(areaOf(ring)))
  const expected = holes.reduce((sum, hole) => sum - hole, outer)
  return expected > 0 && Math.abs(sumArea(points, corners) - expected) <= 1e-6 * outer
}

/** The points of the grid inside the bounds of the rings that keep clear of their sides. */
function listGridPoints(border: readonly Xy[], rings: readonly (readonly Xy[])[]): Xy[] {
  const [minX, maxX] = [Math.min(...border.map(({ x }) => x)), Math.max(...border.map(({ x }) => x))]
  const [minY, maxY] = [Math.min(...border.map(({ y }) => y)), Math.max(...border.map(({ y }) => y))]
  const [columns, rows] = [Math.floor(maxX) - Math.ceil(minX) + 1, Math.floor(maxY) - Math.ceil(minY) + 1]
  if (columns < 1 || rows < 1) return []
  reserveValues(columns * rows)
  const [left, low] = [Math.ceil(minX), Math.ceil(minY)]
  const isBlocked = new Uint8Array(columns * rows)
  for (const ring of rings) {
    for (const [i, from] of ring.entries()) {
      const to = ring[(i + 1) % ring.length]!
      for (const { x, y } of listNear(from, to)) {
        const [column, row] = [x - left, y - low]
        if (column >= 0 && column < columns && row >= 0 && row < rows) isBlocked[row * columns + column] = 1
      }
    }
  }
  const points: Xy[] = []
  for (let row = 0; row < rows; row++) {
    checkpoint(columns)
    for (let column = 0; column < columns; column++) {
      if (isBlocked[row * columns + column] === 0) points.push({ x: left + column, y: low + row })
    }
  }
  return points
}

/** The points of the grid near a segment. */
function* listNear(from: Xy, to: Xy): Generator<Xy> {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const square = dx * dx + dy * dy
  const [least, most] = [Math.min(from.x, to.x), Math.max(from.x, to.x)]
  const steps = Math.max(1, Math.ceil(Math.abs(dy)))
  for (let step = 0; step <= steps; step++) {
    const y = Math.round(from.y + (dy * step) / steps)
    const [a, b] = [from.x + (dx * (step - 1)) / steps, from.x + (dx * (step + 1)) / steps]
    const start = Math.floor(Math.max(least, Math.min(a, b)) - CLEARANCE)
    const end = Math.ceil(Math.min(most, Math.max(a, b)) + CLEARANCE)
    checkpoint(end - start)
    for (let x = start; x <= end; x++) {
      for (const row of [y - 1, y, y + 1]) {
        const t = square === 0 ? 0 : ((x - from.x) * dx + (row - from.y) * dy) / square
        const clamped = Math.min(Math.max(t, 0), 1)
        if (Math.hypot(from.x + clamped * dx - x, from.y + clamped * dy - row) < CLEARANCE)
          yield { x, y: row }
      }
    }
  }
}

/**
 * Triangles as half edges: edge `e` starts at `starts[e]` and belongs to triangle `e / 3`; `twins[e]` is the opposite
 * half edge, or none at the border. Undefined where three triangles meet at an edge.
 */
function createNet(corners: readonly number[], { orient, inCircle }: Predicates) {
  const starts = [...corners]
  const twins = starts.map(() => NONE)
  const open = new Map<string, number>()
  for (let edge = 0; edge < starts.length; edge++) {
    checkpoint()
    const [from, to] = [starts[edge]!, starts[next(edge)]!]
    const other = open.get(`${to},${from}`)
    if (other !== undefined) {
      link(edge, other)
      open.delete(`${to},${from}`)
    } else if (open.has(`${from},${to}`)) return undefined
    else open.set(`${from},${to}`, edge)
  }

  function link(a: number, b: number): void {
    twins[a] = b
    if (b !== NONE) twins[b] = a
  }

  /** Turns the edge between two triangles into the other diagonal of their quad. */
  function flip(edge: number): void {
    const twin = twins[edge]!
    const [a, b] = [next(edge), next(twin)]
    const [c, d] = [previous(edge), previous(twin)]
    const [p, q] = [starts[c]!, starts[d]!]
    const [outerC, outerD] = [twins[c]!, twins[d]!]
    const [outerA, outerB] = [twins[a]!, twins[b]!]
    // Triangle of `edge`: q, p, and what was between `c` and `edge`; that of `twin`: p, q, and the other end.
    const [from, to] = [starts[edge]!, starts[twin]!]
    starts[edge] = q
    starts[a] = p
    starts[c] = from
    starts[twin] = p
    starts[b] = q
    starts[d] = to
    link(edge, twin)
    link(a, outerC)
    link(c, outerB)
    link(b, outerD)
    link(d, outerA)
  }

  /** Whether the edge between two triangles should be flipped, and can be. */
  function isWrong(edge: number): boolean {
    const twin = twins[edge]!
    if (twin === NONE) return false
    const [a, b] = [starts[edge]!, starts[next(edge)]!]
    const [p, q] = [starts[previous(edge)]!, starts[previous(twin)]!]
    if (orient(p, a, q) <= 0 || orient(q, b, p) <= 0) return false
    return orient(a, b, p) <= 0 || orient(b, a, q) <= 0 || inCircle(a, b, p, q) > 0
  }

  /** Flips edges until all are right. Calls back for each pair of triangles that changed. */
  function repair(pending: number[], changed: (one: number, other: number) => void): void {
    for (let edge = pending.pop(); edge !== undefined; edge = pending.pop()) {
      checkpoint()
      if (!isWrong(edge)) continue
      const twin = twins[edge]!
      flip(edge)
      changed(Math.floor(edge / 3), Math.floor(twin / 3))
      pending.push(next(edge), previous(edge), next(twin), previous(twin))
    }
  }

  const holds = (triangle: number, point: number) => {
    const [a, b, c] = [starts[3 * triangle]!, starts[3 * triangle + 1]!, starts[3 * triangle + 2]!]
    return orient(a, b, point) >= 0 && orient(b, c, point) >= 0 && orient(c, a, point) >= 0
  }

  /** Splits a triangle at a point in it; a point on the border is left out. Returns the new triangles. */
  function split(triangle: number, point: number): number[] {
    const [ab, bc, ca] = [3 * triangle, 3 * triangle + 1, 3 * triangle + 2]
    const onBorder = [ab, bc, ca].some(
      (edge) => twins[edge] === NONE && orient(starts[edge]!, starts[next(edge)]!, point) === 0,
    )
    if (onBorder) return []
    const [a, b, c] = [starts[ab]!, starts[bc]!, starts[ca]!]
    const [outerB, outerC] = [twins[bc]!, twins[ca]!]
    const second = starts.push(b, c, point) - 3
    const third = starts.push(c, a, point) - 3
    twins.push(NONE, NONE, NONE, NONE, NONE, NONE)
    starts[ca] = point
    link(second, outerB)
    link(third, outerC)
    link(bc, second + 2)
    link(second + 1, third + 2)
    link(third + 1, ca)
    return [triangle, second / 3, third / 3]
  }

  return {
    improve: () => repair(Array.from(starts.keys()), () => {}),
    /** Inserts the points from `first` on that lie in a triangle. */
    insertAll(points: readonly Xy[], first: number): void {
      const waiting = assignPoints(points, first, starts, holds)
      const queue = [...waiting.keys()]
      const share = (triangles: readonly number[]) => {
        const all = triangles.flatMap((triangle) => waiting.get(triangle) ?? [])
        for (const triangle of triangles) waiting.delete(triangle)
        for (const point of all) {
          checkpoint()
          const home = triangles.find((triangle) => holds(triangle, point))
          if (home === undefined) continue
          const others = waiting.get(home)
          if (others) others.push(point)
          else waiting.set(home, [point])
        }
        for (const triangle of triangles) if (waiting.has(triangle)) queue.push(triangle)
      }
      for (let triangle = queue.pop(); triangle !== undefined; triangle = queue.pop()) {
        const list = waiting.get(triangle)
        // The point is taken from the middle, so that the remaining ones are shared out evenly.
        const point = list?.splice(list.length >> 1, 1)[0]
        if (point === undefined) continue
        const parts = split(triangle, point)
        share(parts.length > 0 ? parts : [triangle])
        if (parts.length > 0)
          repair(
            parts.map((part) => 3 * part),
            (one, other) => share([one, other]),
          )
      }
    },
    list: () =>
      Array.from({ length: starts.length / 3 }, (_, i): [number, number, number] => [
        starts[3 * i]!,
        starts[3 * i + 1]!,
        starts[3 * i + 2]!,
      ]),
  }
}

/** The points of the grid that lie in each triangle. */
function assignPoints(
  points: readonly Xy[],
  first: number,
  starts: readonly number[],
  holds: (triangle: number, point: number) => boolean,
): Map<number, number[]> {
  const rows = new Map<number, number[]>()
  for (let i = first; i < points.length; i++) {
    const row = rows.get(points[i]!.y)
    if (row) row.push(i)
    else rows.set(points[i]!.y, [i])
  }
  const waiting = new Map<number, number[]>()
  const isTaken = new Uint8Array(points.length)
  for (let triangle = 0; triangle < starts.length / 3; triangle++) {
    const corners = starts.slice(3 * triangle, 3 * triangle + 3).map((corner) => points[corner]!)
    const [low, high] = [Math.min(...corners.map(({ y }) => y)), Math.max(...corners.map(({ y }) => y))]
    const inside: number[] = []
    for (let y = Math.ceil(low); y <= high; y++) {
      const [from, to] = findExtent(corners, y)
      const row = rows.get(y) ?? []
      for (let k = findFirst(row, points, from); k < row.length && points[row[k]!]!.x <= to; k++) {
        checkpoint()
        const point = row[k]!
        if (isTaken[point] === 1 || !holds(triangle, point)) continue
        isTaken[point] = 1
        inside.push(point)
      }
    }
    if (inside.length > 0) waiting.set(triangle, inside)
  }
  return waiting
}

/** The part of a horizontal line inside a triangle, slightly enlarged. */
function findExtent(corners: readonly Xy[], y: number): [number, number] {
  let [from, to] = [Infinity, -Infinity]
  for (const [i, a] of corners.entries()) {
    const b = corners[(i + 1) % 3]!
    if (Math.min(a.y, b.y) > y || Math.max(a.y, b.y) < y) continue
    const xs = a.y === b.y ? [a.x, b.x] : [a.x + ((b.x - a.x) * (y - a.y)) / (b.y - a.y)]
    from = Math.min(from, ...xs)
    to = Math.max(to, ...xs)
  }
  return [from - 1e-6, to + 1e-6]
}

/** The first position in a row, which ascends in x, from `from` on. */
function findFirst(row: readonly number[], points: readonly Xy[], from: number): number {
  let [low, high] = [0, row.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (points[row[middle]!]!.x < from) low = middle + 1
    else high = middle
  }
  return low
}
