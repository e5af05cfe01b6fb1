import { getMeshVolume } from '../../geometry/meshes/mesh-mass.ts'
import { listSolids } from '../../geometry/meshes/pieces.ts'
import { unweld } from '../../geometry/meshes/weld.ts'
import type { MeshKernel, MeshOperation } from '../../kernels/mesh-kernel.ts'
import type { Mesh } from '../../values/mesh.ts'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { list, named, present } from '../declaration/ports.ts'

const OTHER_FACES = 'The meshes have other faces than in Rhino, and no colours'

export const MESH_BOOLEANS: readonly Kind[] = [
  defineKind({
    guid: '88060a82-0bf7-46bb-9af8-bdc860cf7e1d',
    name: 'Mesh Union',
    description: 'The union of closed meshes, one mesh for each solid.',
    inputs: { meshes: named('Meshes (M)', list.mesh) },
    outputs: { result: named('Result (R)', list.mesh) },
    needs: 'mesh',
    solve: ({ meshes }, context) => ({ result: combine('union', present(meshes), [], context) }),
  }),
  defineKind({
    guid: '4f3147f4-9fcd-4a7e-be0e-b1841caa5f97',
    name: 'Mesh Difference',
    description: 'The union of closed meshes without the union of others, one mesh for each solid.',
    inputs: { a: named('Meshes A (A)', list.mesh), b: named('Meshes B (B)', list.mesh) },
    outputs: { result: named('Result (R)', list.mesh) },
    needs: 'mesh',
    solve: ({ a, b }, context) => ({ result: combine('difference', present(a), present(b), context) }),
  }),
  defineKind({
    guid: '95aef4f6-66fc-477e-b8f8-32395a837831',
    name: 'Mesh Intersection',
    description: 'What the unions of two sets of closed meshes have in common, one mesh for each solid.',
    inputs: { a: named('Meshes A (A)', list.mesh), b: named('Meshes B (B)', list.mesh) },
    outputs: { result: named('Result (R)', list.mesh) },
    needs: 'mesh',
    solve: ({ a, b }, context) => ({ result: combine('intersection', present(a), present(b), context) }),
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
  if (all.some((mesh) => !(getMeshVolume(mesh).size > 0))) {
    context.limit('Meshes whose faces look inwards, or which enclose no volume, are not combined')
    return []
  }
  const result = all.length > 0 ? context.kernel.combine(operation, solids, others) : undefined
  if (!result) {
    if (all.length > 0) context.limit('Only closed meshes are combined')
    return []
  }
  context.approximate(OTHER_FACES)
  return listSolids(result).map((solid) => unweld(solid, CREASE))
}
