import { checkpoint } from '../budget/budget.ts'
import type { Weighted } from '../curves/knots.ts'
import { type Bounds, findBoundsOfPoints, overlap, unite } from '../values/bounding-box.ts'
import type { BoxTree, BoxTreeOf } from '../values/box-tree.ts'
import type { Xyz } from '../values/points.ts'
import { add, distance, dot, scale, subtract } from '../values/vector.ts'
import { type Bezier, halveBezier } from './bezier.ts'

/** A part of a Bézier curve between two of its parameters, with its bounding box. */
export interface Stretch extends Bounds {
  readonly points: readonly Weighted[]
  readonly bezier: Bezier
  readonly from: number
  readonly to: number
}

export function createStretch(
  bezier: Bezier,
  points: readonly Weighted[],
  from: number,
  to: number,
): Stretch {
  const bounds = findBoundsOfPoints(points.map(({ x, y, z, w }) => ({ x: x / w, y: y / w, z: z / w })))
  const nowhere = { x: Infinity, y: Infinity, z: Infinity }
  return { points, bezier, from, to, min: bounds?.min ?? nowhere, max: bounds?.max ?? nowhere }
}

/** Each stretch is a leaf of its own. */
export const TREE_OF_STRETCHES: BoxTreeOf<Stretch> = {
  most: 1,
  findBounds: (stretches) => unite(stretches) ?? (stretches[0] as Stretch),
  locate: ({ min, max }, axis) => min[axis] + max[axis],
}

/** The stretches of a tree whose boxes overlap that of another, in the order of their curve. */
export function listOverlapping(tree: BoxTree<Stretch>, other: Stretch, tolerance: number): Stretch[] {
  const found: Stretch[] = []
  const visit = (part: BoxTree<Stretch>) => {
    checkpoint()
    if (!overlap(part, other, tolerance)) return
    if (part.leaves) found.push(...part.leaves)
    part.children?.forEach(visit)
  }
  visit(tree)
  return found.sort((a, b) => a.bezier.start - b.bezier.start)
}

export function isStraight({ points }: Stretch): boolean {
  return points.length === 2
}

export function halve({ points, bezier, from, to }: Stretch): [Stretch, Stretch] {
  const [left, right] = halveBezier(points)
  const middle = (from + to) / 2
  return [createStretch(bezier, left, from, middle), createStretch(bezier, right, middle, to)]
}

/** Whether the control points are close to the chord, relative to its length (`sag`). */
export function isNearlyStraight({ points, from, to }: Stretch, tolerance: number, sag = 1e-3): boolean {
  if (points.length === 2 || to - from < 1e-7) return true
  const locations = points.map(({ x, y, z, w }) => ({ x: x / w, y: y / w, z: z / w }))
  const [start, end] = [locations[0] as Xyz, locations.at(-1) as Xyz]
  const chord = distance(start, end)
  const last = locations.length - 1
  const strays = locations.map((point, i) =>
    distance(point, add(start, scale(subtract(end, start), i / last))),
  )
  return Math.max(...strays) <= Math.max(sag * chord, 1e-3 * tolerance)
}

/** The closest parameters of two chords; for parallel chords the ends of each projected on the other. */
export function listStraightStarts(a: Stretch, b: Stretch): [number, number][] {
  const [a0, a1, b0, b1] = [getEnd(a, 0), getEnd(a, -1), getEnd(b, 0), getEnd(b, -1)]
  const [u, v, w] = [subtract(a1, a0), subtract(b1, b0), subtract(a0, b0)]
  const [uu, uv, vv, uw, vw] = [dot(u, u), dot(u, v), dot(v, v), dot(u, w), dot(v, w)]
  const size = uu * vv - uv * uv
  const at = ({ from, to }: Stretch, t: number) => from + (to - from) * Math.min(1, Math.max(0, t))
  if (size > 1e-14 * uu * vv) return [[at(a, (uv * vw - vv * uw) / size), at(b, (uu * vw - uv * uw) / size)]]
  if (uu === 0 || vv === 0) return [[a.from, b.from]]
  const onB = (point: Xyz) => dot(subtract(point, b0), v) / vv
  const onA = (point: Xyz) => dot(subtract(point, a0), u) / uu
  return [
    [a.from, at(b, onB(a0))],
    [a.to, at(b, onB(a1))],
    [at(a, onA(b0)), b.from],
    [at(a, onA(b1)), b.to],
  ]
}

function getEnd({ points }: Stretch, index: 0 | -1): Xyz {
  const { x, y, z, w } = points.at(index) as Weighted
  return { x: x / w, y: y / w, z: z / w }
}
