import { checkpoint } from '../budget/budget.ts'
import type { Mesh } from '../values/mesh.ts'
import type { Xyz } from '../values/points.ts'
import { getCorners } from './face-geometry.ts'

/** A triangle of a mesh: a face, or half of one. */
export interface Leaf {
  readonly face: number
  /** The triangle's corners, as numbers of the face's corners. */
  readonly corners: readonly [number, number, number]
  readonly points: readonly [Xyz, Xyz, Xyz]
}

/** A tree of bounding boxes over the triangles of a mesh. */
export interface MeshTree {
  readonly min: Xyz
  readonly max: Xyz
  readonly leaves?: readonly Leaf[]
  readonly children?: readonly [MeshTree, MeshTree]
}

const KNOWN = new WeakMap<Mesh, MeshTree | undefined>()
export const LEAVES = 8

/** The tree of a mesh, which is cached; undefined for a mesh without faces. */
export function findMeshTree(mesh: Mesh): MeshTree | undefined {
  if (!KNOWN.has(mesh)) KNOWN.set(mesh, createTree(listLeaves(mesh)))
  return KNOWN.get(mesh)
}

function listLeaves(mesh: Mesh): Leaf[] {
  return mesh.faces.flatMap((face, index) => {
    const [a, b, c, d] = getCorners(mesh, face) as [Xyz, Xyz, Xyz, Xyz?]
    const first: Leaf = { face: index, corners: [0, 1, 2], points: [a, b, c] }
    return d ? [first, { face: index, corners: [0, 2, 3], points: [a, c, d] }] : [first]
  })
}

function createTree(leaves: readonly Leaf[]): MeshTree | undefined {
  if (leaves.length === 0) return undefined
  checkpoint(leaves.length)
  const min = { x: Infinity, y: Infinity, z: Infinity }
  const max = { x: -Infinity, y: -Infinity, z: -Infinity }
  for (const { points } of leaves) {
    for (const point of points) {
      for (const axis of AXES) {
        min[axis] = Math.min(min[axis], point[axis])
        max[axis] = Math.max(max[axis], point[axis])
      }
    }
  }
  if (leaves.length <= LEAVES) return { min, max, leaves }
  const axis = AXES.reduce((widest, other) =>
    max[other] - min[other] > max[widest] - min[widest] ? other : widest,
  )
  const middle = ({ points: [a, b, c] }: Leaf) => a[axis] + b[axis] + c[axis]
  const sorted = [...leaves].sort((a, b) => middle(a) - middle(b))
  const half = sorted.length >> 1
  const [low, high] = [createTree(sorted.slice(0, half)), createTree(sorted.slice(half))]
  return low && high ? { min, max, children: [low, high] } : { min, max, leaves }
}

export const AXES = ['x', 'y', 'z'] as const
