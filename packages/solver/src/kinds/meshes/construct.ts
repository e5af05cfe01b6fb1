import { POINT_BYTES } from '../../budget/budget.ts'
import { computeVertexNormals, withNormals } from '../../geometry/meshes/vertex-normals.ts'
import type { Mesh } from '../../values/mesh.ts'
import { toPoint, toVector, type Xyz } from '../../values/points.ts'
import type { Colour } from '../../values/value.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list, optional, present } from '../ports.ts'

export const MESH_CONSTRUCTION: readonly Kind[] = [
  defineKind({
    guid: 'e2c0f9db-a862-4bd9-810c-ef2610e7a56f',
    description: 'A mesh of vertices, and of faces that name them by their places.',
    inputs: { vertices: list.point, faces: list.meshFace, colours: optional(list.colour) },
    outputs: { mesh: item.mesh },
    solve: ({ vertices, faces, colours }, context) => {
      const places = present(vertices).map(({ x, y, z }): Xyz => ({ x, y, z }))
      const known = present(faces)
      context.reserve(places.length + known.length, POINT_BYTES)
      const isThere = (index: number) => index >= 0 && index < places.length
      if (!known.every(({ a, b, c, d }) => [a, b, c, d].every(isThere))) {
        context.error('Mesh faces refer to vertices that are not there')
        return {}
      }
      const mesh: Mesh = { type: 'mesh', vertices: places, faces: known }
      return { mesh: withNormals(withColours(mesh, present(colours))) }
    },
  }),
  defineKind({
    guid: 'ba2d8f57-0738-42b4-b5a5-fe4d853517eb',
    description: 'The vertices of a mesh with their colours and normals, and its faces.',
    inputs: { mesh: item.mesh },
    outputs: { vertices: list.point, faces: list.meshFace, colours: list.colour, normals: list.vector },
    solve: ({ mesh }, context) => {
      context.reserve(2 * mesh.vertices.length + mesh.faces.length, POINT_BYTES)
      return {
        vertices: mesh.vertices.map(toPoint),
        faces: mesh.faces,
        colours: mesh.colours ?? [],
        normals: (mesh.normals ?? computeVertexNormals(mesh)).map(toVector),
      }
    },
  }),
  defineKind({
    guid: 'd2cedf38-1149-4adc-8dbf-b06571cb5106',
    description: 'Colours a mesh: one colour per vertex, from the start again when there are too few.',
    inputs: { mesh: item.mesh, colours: list.colour },
    outputs: { mesh: item.mesh },
    solve: ({ mesh, colours }) => ({ mesh: withColours(mesh, present(colours)) }),
  }),
]

/** With a colour per vertex, repeating them; without any where none are given. */
function withColours(mesh: Mesh, colours: readonly Colour[]): Mesh {
  if (colours.length === 0) return mesh
  return { ...mesh, colours: mesh.vertices.map((_, i) => colours[i % colours.length] as Colour) }
}
