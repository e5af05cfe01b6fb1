import { checkpoint } from '../budget/budget.ts'
import { AXES } from '../values/box-tree.ts'
import type { Mesh } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'
import { addScaled, distance, dot, subtract } from '../values/vector.ts'
import { listIndices } from './face-geometry.ts'
import { findMeshTree, LEAVES, type Leaf, type MeshTree } from './mesh-tree.ts'

/** A point of a mesh: a face and the barycentric weights of its four corners, with a sum of one. */
export interface MeshPoint {
  readonly face: number
  readonly weights: readonly [number, number, number, number]
  readonly point: Xyz
}

/**
 * The closest point of a mesh; undefined for a mesh without faces.
 */
export function findClosestOnMesh(mesh: Mesh, target: Xyz): MeshPoint | undefined {
  const root = findMeshTree(mesh)
  let [best, bestDistance]: [MeshPoint | undefined, number] = [undefined, Infinity]
  const visit = (branch: MeshTree): void => {
    checkpoint(LEAVES)
    for (const leaf of branch.leaves ?? []) {
      const found = findOnTriangle(leaf, target)
      const gap = distance(found.point, target)
      if (gap < bestDistance) [best, bestDistance] = [found, gap]
    }
    const children = [...(branch.children ?? [])].map((child) => ({ child, gap: getGap(child, target) }))
    for (const { child, gap } of children.sort((a, b) => a.gap - b.gap)) if (gap < bestDistance) visit(child)
  }
  if (root) visit(root)
  return best
}

function getGap({ min, max }: MeshTree, point: Xyz): number {
  return Math.hypot(...AXES.map((axis) => Math.max(min[axis] - point[axis], 0, point[axis] - max[axis])))
}

/** Source: Ericson, Real-Time Collision Detection, 5.1.5. */
function findOnTriangle({ face, corners, points: [a, b, c] }: Leaf, target: Xyz): MeshPoint {
  const [ab, ac, ap] = [subtract(b, a), subtract(c, a), subtract(target, a)]
  const at = (v: number, w: number): MeshPoint => {
    const weights: [number, number, number, number] = [0, 0, 0, 0]
    for (const [i, t] of [1 - v - w, v, w].entries()) weights[corners[i] as number] = t
    return { face, weights, point: addScaled(addScaled(a, ab, v), ac, w) }
  }
  const [d1, d2] = [dot(ab, ap), dot(ac, ap)]
  if (d1 <= 0 && d2 <= 0) return at(0, 0)
  const bp = subtract(target, b)
  const [d3, d4] = [dot(ab, bp), dot(ac, bp)]
  if (d3 >= 0 && d4 <= d3) return at(1, 0)
  const vc = d1 * d4 - d3 * d2
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return at(d1 / (d1 - d3), 0)
  const cp = subtract(target, c)
  const [d5, d6] = [dot(ab, cp), dot(ac, cp)]
  if (d6 >= 0 && d5 <= d6) return at(0, 1)
  const vb = d5 * d2 - d1 * d6
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return at(0, d2 / (d2 - d6))
  const va = d3 * d6 - d5 * d4
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const t = (d4 - d3) / (d4 - d3 + (d5 - d6))
    return at(1 - t, t)
  }
  const sum = va + vb + vc
  return at(vb / sum, vc / sum)
}

/** Formats a mesh point: `17[0.25;0.25;0.5;0]`. */
export function formatMeshPoint({ face, weights }: MeshPoint): string {
  return `${face}[${weights.map((t) => Number(t.toFixed(12))).join(';')}]`
}

/** Parses a mesh point; undefined if the mesh has no such face. */
export function readMeshPoint(mesh: Mesh, text: string): MeshPoint | undefined {
  const [, index, inner] = /^\s*(\d+)\s*\[([^\]]*)\]\s*$/.exec(text) ?? []
  const face = mesh.faces[Number(index)]
  const factors = (inner ?? '').split(';').map(Number)
  if (!face || factors.length !== 4 || !factors.every(Number.isFinite)) return undefined
  const point = listIndices(face).reduce(
    (sum, corner, i) => addScaled(sum, mesh.vertices[corner]!, factors[i] as number),
    { x: 0, y: 0, z: 0 },
  )
  return { face: Number(index), weights: factors as [number, number, number, number], point }
}
