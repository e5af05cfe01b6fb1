import type { MeshKernel, MeshOperation } from '@meadow/geometry/kernels/mesh-kernel'
import { getMeshVolume } from '@meadow/geometry/meshes/mesh-mass'
import { listMeshPieces, listSolids } from '@meadow/geometry/meshes/pieces'
import { createMeshTopology } from '@meadow/geometry/meshes/topology'
import { unweld } from '@meadow/geometry/meshes/weld'
import type { Mesh } from '@meadow/geometry/values/mesh'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

const NOT_CLOSED = 'Only closed meshes that do not cross themselves are combined'
const OTHER_FACES = 'The meshes have other faces than in Rhino, and no colours'

export const MESH_BOOLEANS: readonly Kind[] = [
  defineKind({
    guid: '88060a82-0bf7-46bb-9af8-bdc860cf7e1d',
    description: 'The union of closed meshes, one mesh for each solid.',
    needs: 'mesh',
    solve: ([meshes], context) => [combine('union', present(meshes), [], context)],
  }),
  defineKind({
    guid: '4f3147f4-9fcd-4a7e-be0e-b1841caa5f97',
    description: 'The union of closed meshes without the union of others, one mesh for each solid.',
    needs: 'mesh',
    solve: ([a, b], context) => [combine('difference', present(a), present(b), context)],
  }),
  defineKind({
    guid: '95aef4f6-66fc-477e-b8f8-32395a837831',
    description: 'What the unions of two sets of closed meshes have in common, one mesh for each solid.',
    needs: 'mesh',
    solve: ([a, b], context) => [combine('intersection', present(a), present(b), context)],
  }),
  defineKind({
    guid: 'afbf2fe0-4965-48d2-8470-9e991540093b',
    description: 'The pieces of the surface of a closed mesh between the lines where closed meshes cut it.',
    needs: 'mesh',
    solve: ([mesh, splitters], context) => {
      const cutters = present(splitters).filter(({ faces }) => faces.length > 0)
      if (!areSolids([mesh, ...cutters], context)) return []
      const parts = context.kernel.split(mesh, cutters)
      if (!parts) {
        context.limit(NOT_CLOSED)
        return []
      }
      const isCut = parts.outside.faces.length > 0 && parts.inside.faces.length > 0
      if (!isCut) return [listMeshPieces(mesh)]
      context.approximate(OTHER_FACES)
      return [[parts.outside, parts.inside].flatMap(listMeshPieces).map((piece) => unweld(piece, CREASE))]
    },
  }),
]

/** Edges where faces meet at more than this angle are creases: the faces do not share vertices and normals. */
const CREASE = Math.PI / 6

function combine(
  operation: MeshOperation,
  solids: readonly Mesh[],
  others: readonly Mesh[],
  context: KindContext & { kernel: MeshKernel },
): Mesh[] {
  const all = [...solids, ...others].filter(({ faces }) => faces.length > 0)
  if (all.length === 0 || !areSolids(all, context)) return []
  const result = context.kernel.combine(operation, solids, others)
  // Meshes that cross themselves may give an open one.
  if (!result || createMeshTopology(result).edges.some(({ faces }) => faces.length % 2 === 1)) {
    context.limit(NOT_CLOSED)
    return []
  }
  context.approximate(OTHER_FACES)
  return listSolids(result).map((solid) => unweld(solid, CREASE))
}

function areSolids(meshes: readonly Mesh[], context: KindContext): boolean {
  const areRight = meshes.every((mesh) => getMeshVolume(mesh).size > 0)
  if (!areRight)
    context.limit('Meshes whose faces look inwards, or which enclose no volume, are not combined')
  return areRight
}
