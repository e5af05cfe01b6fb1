import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { listMeshPieces } from '@meadow/geometry/meshes/pieces'
import { flipMesh, joinMeshes, triangulate } from '@meadow/geometry/meshes/rearrange'
import { unweld, weld } from '@meadow/geometry/meshes/weld'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

export const MESH_EDITING: readonly Kind[] = [
  defineKind({
    guid: '4bc9dbbf-fec8-4348-a3af-e33e7edc8e7b',
    description: 'Combines several meshes into one, without welding.',
    solve: ([meshes], context) => {
      const known = present(meshes)
      context.reserve(
        known.reduce((sum, { vertices, faces }) => sum + vertices.length + faces.length, 0),
        POINT_BYTES,
      )
      return known.length === 0 ? [] : [joinMeshes(known)]
    },
  }),
  defineKind({
    guid: '3fba11d5-b30a-4146-8d80-d591e7a0a287',
    description: 'Splits the quads of a mesh along their shorter diagonals, and counts them.',
    solve: ([mesh]) => {
      const triangulated = triangulate(mesh)
      return [triangulated.mesh, triangulated.count]
    },
  }),
  defineKind({
    guid: '9f6d85c9-1143-4538-bca7-69dcb11a74ef',
    description: 'Merges the vertices of a mesh along edges whose faces meet at most at an angle.',
    solve: ([mesh, angle], context) => {
      context.reserve(8 * mesh.faces.length, POINT_BYTES)
      return [weld(mesh, angle)]
    },
  }),
  defineKind({
    guid: '47814a17-ca9e-4305-9400-3a9c8d71c19d',
    description: 'Separates the vertices of a mesh along edges whose faces meet at least at an angle.',
    solve: ([mesh, angle], context) => {
      context.reserve(8 * mesh.faces.length, POINT_BYTES)
      return [unweld(mesh, angle)]
    },
  }),
  defineKind({
    guid: '47fbc929-e88a-4a13-882e-dad84763256d',
    description: 'Turns the vertex normals, the face normals and the faces of a mesh around.',
    solve: ([mesh, turnsVertexNormals, turnsFaceNormals, turnsFaces], context) => {
      if (turnsFaceNormals !== turnsFaces) {
        context.approximate('Face normals are those of the faces: they turn with these, and only with these')
      }
      const flipped = flipMesh(mesh)
      const { faces } = turnsFaces ? flipped : mesh
      const { normals } = turnsVertexNormals ? flipped : mesh
      return [{ ...mesh, faces, ...(normals ? { normals } : {}) }]
    },
  }),
  defineKind({
    guid: '4dce5963-dc1a-4710-8991-9437ea23888d',
    description: 'The pieces of a mesh that are not connected by edges.',
    solve: ([mesh], context) => {
      context.reserve(4 * mesh.faces.length, POINT_BYTES)
      return [listMeshPieces(mesh)]
    },
  }),
]
