import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { listIndices } from '@meadow/geometry/meshes/face-geometry'
import { listMeshPieces, pickFaces } from '@meadow/geometry/meshes/pieces'
import { flipFaces, flipMesh, joinMeshes, triangulate } from '@meadow/geometry/meshes/rearrange'
import { listMisturned } from '@meadow/geometry/meshes/topology'
import { unweld, weld } from '@meadow/geometry/meshes/weld'
import { type Mesh, type MeshFace, triangle } from '@meadow/geometry/values/mesh'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'
import { areWithin } from '../sets/resolve-index.ts'

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
  defineKind({
    guid: '57edd208-760a-4f0f-87e6-ca1bbd74133b',
    description:
      'Removes the faces of a mesh where a repeated pattern is false, and vertices that no face has then.',
    solve: ([mesh, pattern], context) => {
      const known = present(pattern)
      if (known.length > 0)
        return [
          keepFaces(
            mesh,
            mesh.faces.filter((_, i) => known[i % known.length] === true),
            context,
          ),
        ]
      context.error('A pattern is needed')
      return []
    },
  }),
  defineKind({
    guid: 'd0f1311b-8287-4484-b2ea-1475c6770926',
    description: 'Removes faces of a mesh by their indices, and vertices that no face has then.',
    solve: ([mesh, indices], context) => {
      const removed = new Set(present(indices))
      if (!areWithin(removed, mesh.faces, context, BEYOND_MESH)) return []
      return [
        keepFaces(
          mesh,
          mesh.faces.filter((_, i) => !removed.has(i)),
          context,
        ),
      ]
    },
  }),
  defineKind({
    guid: '9d50bf9b-46bc-403a-9ec9-1052f51dd6b6',
    description:
      'Removes the vertices of a mesh where a repeated pattern is false, with their faces; quads can become triangles.',
    solve: ([mesh, pattern, shrinks], context) => {
      const known = present(pattern)
      if (known.length > 0)
        return [removeVertices(mesh, (i) => known[i % known.length] === false, shrinks, context)]
      context.error('A pattern is needed')
      return []
    },
  }),
  defineKind({
    guid: '23d715f7-4bc6-4e69-b76d-7c04ca2ebf5f',
    description: 'Removes vertices of a mesh by their indices, with their faces; quads can become triangles.',
    solve: ([mesh, indices, shrinks], context) => {
      const removed = new Set(present(indices))
      if (!areWithin(removed, mesh.vertices, context, BEYOND_MESH)) return []
      return [removeVertices(mesh, (i) => removed.has(i), shrinks, context)]
    },
  }),
  defineKind({
    guid: 'ca6a48f4-b681-4989-b0c1-301a2929a84c',
    description: 'Turns faces of a mesh around until neighbours look to the same side, and counts them.',
    solve: ([mesh], context) => {
      context.reserve(4 * mesh.faces.length, POINT_BYTES)
      const flipped = listMisturned(mesh)
      if (flipped.length === 0) return [mesh, 0]
      context.approximate('Rhino may turn the other faces around')
      return [flipFaces(mesh, new Set(flipped)), flipped.length]
    },
  }),
]

const BEYOND_MESH = 'What indices beyond a mesh give is not published'

/** The mesh without the faces that have a removed vertex; with `shrinks` a quad that loses one vertex stays as a triangle. */
function removeVertices(
  mesh: Mesh,
  isRemoved: (index: number) => boolean,
  shrinks: boolean,
  context: KindContext,
): Mesh | undefined {
  context.reserve(mesh.vertices.length + mesh.faces.length, POINT_BYTES)
  const kept = mesh.faces.map((face) => {
    const corners = listIndices(face)
    const left = corners.filter((index) => !isRemoved(index))
    if (left.length === corners.length) return face
    const [a, b, c] = left
    return shrinks && left.length === 3 ? triangle(a!, b!, c!) : undefined
  })
  const faces = kept.filter((face) => face !== undefined)
  return keepFaces(mesh, faces, context)
}

/** The mesh of the faces that are kept, without vertices that none of them has. */
function keepFaces(mesh: Mesh, faces: readonly MeshFace[], context: KindContext): Mesh | undefined {
  if (faces.length === mesh.faces.length && faces.every((face, i) => face === mesh.faces[i])) return mesh
  context.approximate('Rhino may have kept vertices that no face has')
  context.reserve(mesh.vertices.length + faces.length, POINT_BYTES)
  if (faces.length === 0) {
    context.warn('No face is left')
    return undefined
  }
  return pickFaces({ ...mesh, faces }, [...faces.keys()])
}
