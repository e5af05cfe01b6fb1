import { POINT_BYTES } from '../../budget/budget.ts'
import { triangulatePlaces } from '../../geometry/meshes/delaunay.ts'
import { withNormals } from '../../geometry/meshes/vertex-normals.ts'
import { triangle } from '../../values/mesh.ts'
import { toLocal } from '../../values/planes.ts'
import type { Xyz } from '../../values/points.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list, present } from '../ports.ts'

export const MESH_TRIANGULATION: readonly Kind[] = [
  defineKind({
    guid: '1eb4f6ff-3547-4184-bead-1b01e7cfd668',
    description:
      'A mesh of triangles between points, neighbours as they are seen along the normal of a plane.',
    inputs: { points: list.point, plane: item.plane },
    outputs: { mesh: item.mesh },
    solve: ({ points, plane }, context) => {
      const vertices = present(points).map(({ x, y, z }): Xyz => ({ x, y, z }))
      // Twice as many triangles as vertices, each first as three half edges.
      context.reserve(3 * vertices.length, 2 * POINT_BYTES)
      const triangles = triangulatePlaces(vertices.map((vertex) => toLocal(plane, vertex)))
      if (triangles.length === 0) {
        context.warn('Three points that are not in one line are needed')
        return {}
      }
      return {
        mesh: withNormals({ type: 'mesh', vertices, faces: triangles.map((face) => triangle(...face)) }),
      }
    },
  }),
]
