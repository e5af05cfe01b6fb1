import { checkpoint } from '../budget/budget.ts'
import { findPlaneCrossings } from '../curve-intersection/intersect-plane.ts'
import { getPoint } from '../curves/evaluate.ts'
import { type Bounds, findBounds, overlap } from '../values/bounding-box.ts'
import { AXES } from '../values/box-tree.ts'
import type { Mesh } from '../values/mesh.ts'
import { findPlaneFromNormal } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { addScaled, areEqual, cross, distance, dot, length, subtract } from '../values/vector.ts'
import { findMeshTree, LEAVES, type Leaf, type MeshTree } from './mesh-tree.ts'

/** The first point of a mesh on a ray; undefined if the ray misses it. */
export function findRayHit(mesh: Mesh, from: Xyz, direction: Xyz): Xyz | undefined {
  let best = Infinity
  const visit = (branch: MeshTree): void => {
    checkpoint(LEAVES)
    if (!meetsBox(branch, from, direction, best)) return
    for (const leaf of branch.leaves ?? []) {
      const t = findOnTriangle(leaf.points, from, direction)
      if (t !== undefined && t < best) best = t
    }
    for (const child of branch.children ?? []) visit(child)
  }
  const root = findMeshTree(mesh)
  if (root) visit(root)
  return best === Infinity ? undefined : addScaled(from, direction, best)
}

function meetsBox({ min, max }: MeshTree, from: Xyz, direction: Xyz, end: number): boolean {
  let [first, last] = [0, end]
  for (const axis of AXES) {
    const [a, b] = [(min[axis] - from[axis]) / direction[axis], (max[axis] - from[axis]) / direction[axis]]
    // The ray runs in a side of the box, so this is 0 / 0.
    if (Number.isNaN(a) || Number.isNaN(b)) continue
    first = Math.max(first, Math.min(a, b))
    last = Math.min(last, Math.max(a, b))
  }
  return first <= last * (1 + 1e-12) + Number.MIN_VALUE
}

/** Rays that pass an edge within this part of its length hit the triangle, so that none slips between two of them. */
const SLACK = 1e-9

/** Source: T. Möller and B. Trumbore, Fast, Minimum Storage Ray/Triangle Intersection, 1997. */
function findOnTriangle([a, b, c]: Leaf['points'], from: Xyz, direction: Xyz): number | undefined {
  const [ab, ac, start] = [subtract(b, a), subtract(c, a), subtract(from, a)]
  const across = cross(direction, ac)
  const determinant = dot(ab, across)
  if (determinant === 0) return undefined
  const u = dot(start, across) / determinant
  const q = cross(start, ab)
  const v = dot(direction, q) / determinant
  const t = dot(ac, q) / determinant
  return u >= -SLACK && v >= -SLACK && u + v <= 1 + SLACK && t >= 0 ? t : undefined
}

/** A point that a curve and a mesh have in common. */
export interface CurveHit {
  readonly parameter: number
  readonly point: Xyz
  readonly face: number
}

/**
 * Lists the points where a curve passes through a mesh, in the order of the curve; for a part that lies in a face, both
 * ends. A point on an edge belongs to one of its faces.
 */
export function listCurveHits(mesh: Mesh, curve: Curve, tolerance: number): CurveHit[] {
  const bounds = findBounds(curve)
  const root = findMeshTree(mesh)
  if (!bounds || !root) return []
  const hits: CurveHit[] = []
  for (const { face, points } of listNear(root, bounds, tolerance)) {
    const [a, b, c] = points
    const plane = findPlaneFromNormal(a, cross(subtract(b, a), subtract(c, a)))
    if (!plane) continue
    for (const parameter of findPlaneCrossings(curve, plane, tolerance)) {
      checkpoint()
      const point = getPoint(curve, parameter)
      if (isInTriangle(points, point, tolerance)) hits.push({ parameter, point, face })
    }
  }
  const ordered = hits.sort((a, b) => a.parameter - b.parameter || a.face - b.face)
  return ordered.filter(({ point }, i) => i === 0 || !areEqual(point, ordered[i - 1]!.point, tolerance))
}

function* listNear(branch: MeshTree, bounds: Bounds, tolerance: number): Generator<Leaf> {
  checkpoint(LEAVES)
  if (!overlap(branch, bounds, tolerance)) return
  yield* branch.leaves ?? []
  for (const child of branch.children ?? []) yield* listNear(child, bounds, tolerance)
}

/** Whether a point in the plane of a triangle is in it, or within the tolerance of its border. */
function isInTriangle([a, b, c]: Leaf['points'], point: Xyz, tolerance: number): boolean {
  const normal = cross(subtract(b, a), subtract(c, a))
  const size = length(normal)
  return [
    [a, b],
    [b, c],
    [c, a],
  ].every(([from, to]) => {
    const side = dot(normal, cross(subtract(to!, from!), subtract(point, from!)))
    return side >= -tolerance * size * distance(from!, to!)
  })
}
