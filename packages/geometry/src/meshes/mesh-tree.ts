import { AXES, type BoxTree, type BoxTreeOf, createBoxTree } from '../values/box-tree.ts'
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
export type MeshTree = BoxTree<Leaf>

const KNOWN = new WeakMap<Mesh, MeshTree | undefined>()
export const LEAVES = 8

/** The tree of a mesh, which is cached; undefined for a mesh without faces. */
export function findMeshTree(mesh: Mesh): MeshTree | undefined {
  if (!KNOWN.has(mesh)) KNOWN.set(mesh, createBoxTree(listLeaves(mesh), TREE_OF_LEAVES))
  return KNOWN.get(mesh)
}

function listLeaves(mesh: Mesh): Leaf[] {
  return mesh.faces.flatMap((face, index) => {
    const [a, b, c, d] = getCorners(mesh, face) as [Xyz, Xyz, Xyz, Xyz?]
    const first: Leaf = { face: index, corners: [0, 1, 2], points: [a, b, c] }
    return d ? [first, { face: index, corners: [0, 2, 3], points: [a, c, d] }] : [first]
  })
}

const TREE_OF_LEAVES: BoxTreeOf<Leaf> = {
  most: LEAVES,
  findBounds(leaves) {
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
    return { min, max }
  },
  locate: ({ points: [a, b, c] }, axis) => a[axis] + b[axis] + c[axis],
}
