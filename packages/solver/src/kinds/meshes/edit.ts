import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { listMeshPieces } from '@meadow/geometry/meshes/pieces'
import { flipMesh, joinMeshes, triangulate } from '@meadow/geometry/meshes/rearrange'
import { unweld, weld } from '@meadow/geometry/meshes/weld'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { item, list, present } from '../declaration/ports.ts'

export const MESH_EDITING: readonly Kind[] = [
  defineKind({
    guid: '4bc9dbbf-fec8-4348-a3af-e33e7edc8e7b',
    description: 'Combines several meshes into one, without welding.',
    inputs: { meshes: list.mesh },
    outputs: { mesh: item.mesh },
    solve: ({ meshes }, context) => {
      const known = present(meshes)
      context.reserve(
        known.reduce((sum, { vertices, faces }) => sum + vertices.length + faces.length, 0),
        POINT_BYTES,
      )
      return known.length === 0 ? {} : { mesh: joinMeshes(known) }
    },
  }),
  defineKind({
    guid: '3fba11d5-b30a-4146-8d80-d591e7a0a287',
    description: 'Splits the quads of a mesh along their shorter diagonals, and counts them.',
    inputs: { mesh: item.mesh },
    outputs: { mesh: item.mesh, count: item.integer },
    solve: ({ mesh }) => triangulate(mesh),
  }),
  defineKind({
    guid: '9f6d85c9-1143-4538-bca7-69dcb11a74ef',
    description: 'Merges the vertices of a mesh along edges whose faces meet at most at an angle.',
    inputs: { mesh: item.mesh, angle: item.number },
    outputs: { mesh: item.mesh },
    solve: ({ mesh, angle }, context) => {
      context.reserve(8 * mesh.faces.length, POINT_BYTES)
      return { mesh: weld(mesh, angle) }
    },
  }),
  defineKind({
    guid: '47814a17-ca9e-4305-9400-3a9c8d71c19d',
    description: 'Separates the vertices of a mesh along edges whose faces meet at least at an angle.',
    inputs: { mesh: item.mesh, angle: item.number },
    outputs: { mesh: item.mesh },
    solve: ({ mesh, angle }, context) => {
      context.reserve(8 * mesh.faces.length, POINT_BYTES)
      return { mesh: unweld(mesh, angle) }
    },
  }),
  defineKind({
    guid: '47fbc929-e88a-4a13-882e-dad84763256d',
    description: 'Turns the vertex normals, the face normals and the faces of a mesh around.',
    inputs: {
      mesh: item.mesh,
      turnsVertexNormals: item.boolean,
      turnsFaceNormals: item.boolean,
      turnsFaces: item.boolean,
    },
    outputs: { mesh: item.mesh },
    solve: ({ mesh, turnsVertexNormals, turnsFaceNormals, turnsFaces }, context) => {
      if (turnsFaceNormals !== turnsFaces) {
        context.approximate('Face normals are those of the faces: they turn with these, and only with these')
      }
      const flipped = flipMesh(mesh)
      const { faces } = turnsFaces ? flipped : mesh
      const { normals } = turnsVertexNormals ? flipped : mesh
      return { mesh: { ...mesh, faces, ...(normals ? { normals } : {}) } }
    },
  }),
  defineKind({
    guid: '4dce5963-dc1a-4710-8991-9437ea23888d',
    description: 'The pieces of a mesh that are not connected by edges.',
    inputs: { mesh: item.mesh },
    outputs: { meshes: list.mesh },
    solve: ({ mesh }, context) => {
      context.reserve(4 * mesh.faces.length, POINT_BYTES)
      return { meshes: listMeshPieces(mesh) }
    },
  }),
]
