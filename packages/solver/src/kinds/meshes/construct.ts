import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { triangulatePoints } from '@meadow/geometry/meshes/delaunay'
import { createGridMesh } from '@meadow/geometry/meshes/grid'
import { computeVertexNormals, withNormals } from '@meadow/geometry/meshes/vertex-normals'
import { type Mesh, triangle } from '@meadow/geometry/values/mesh'
import { pointAt, toLocal } from '@meadow/geometry/values/planes'
import { toPoint, toVector, type Xyz } from '@meadow/geometry/values/points'
import type { Colour } from '@meadow/geometry/values/value'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'
import { interpolateDomain } from '../maths/domains.ts'

export const MESH_CONSTRUCTION: readonly Kind[] = [
  defineKind({
    guid: 'e2c0f9db-a862-4bd9-810c-ef2610e7a56f',
    description: 'A mesh from vertices, and from faces that refer to them by index.',
    solve: ([vertices, faces, colours], context) => {
      const points = present(vertices).map(({ x, y, z }): Xyz => ({ x, y, z }))
      const known = present(faces)
      context.reserve(points.length + known.length, POINT_BYTES)
      const isThere = (index: number) => index >= 0 && index < points.length
      if (!known.every(({ a, b, c, d }) => [a, b, c, d].every(isThere))) {
        context.error('Mesh faces refer to vertices that are not there')
        return []
      }
      const mesh: Mesh = { type: 'mesh', vertices: points, faces: known }
      return [withNormals(withColours(mesh, present(colours)))]
    },
  }),
  defineKind({
    guid: 'ba2d8f57-0738-42b4-b5a5-fe4d853517eb',
    description: 'The vertices of a mesh with their colours and normals, and its faces.',
    solve: ([mesh], context) => {
      context.reserve(2 * mesh.vertices.length + mesh.faces.length, POINT_BYTES)
      return [
        mesh.vertices.map(toPoint),
        mesh.faces,
        mesh.colours ?? [],
        (mesh.normals ?? computeVertexNormals(mesh)).map(toVector),
      ]
    },
  }),
  defineKind({
    guid: 'd2cedf38-1149-4adc-8dbf-b06571cb5106',
    description: 'Colours a mesh with one colour per vertex; a shorter list of colours is repeated.',
    solve: ([mesh, colours]) => [withColours(mesh, present(colours))],
  }),
]

/** Adds a colour for each vertex, repeating the last ones as necessary; none if there are no colours. */
function withColours(mesh: Mesh, colours: readonly Colour[]): Mesh {
  if (colours.length === 0) return mesh
  return { ...mesh, colours: mesh.vertices.map((_, i) => colours[i % colours.length] as Colour) }
}

export const MESH_PRIMITIVES: readonly Kind[] = [
  defineKind({
    guid: '8adbf481-7589-4a40-b490-006531ea001d',
    description: 'A mesh of equal quads over a rectangle, and its area.',
    solve: ([{ plane, x, y }, width, height], context) => {
      if (width < 1 || height < 1) {
        context.error('Counts must be 1 or more')
        return []
      }
      context.reserve(2 * (width + 1) * (height + 1), 2 * POINT_BYTES)
      const rows = Array.from({ length: height + 1 }, (_, j) =>
        Array.from({ length: width + 1 }, (_, i) => {
          const point = pointAt(plane, interpolateDomain(x, i / width), interpolateDomain(y, j / height))
          return { x: point.x, y: point.y, z: point.z }
        }),
      )
      return [createGridMesh(rows), Math.abs((x.end - x.start) * (y.end - y.start))]
    },
  }),
]

export const MESH_TRIANGULATION: readonly Kind[] = [
  defineKind({
    guid: '1eb4f6ff-3547-4184-bead-1b01e7cfd668',
    description: 'A Delaunay mesh of triangles between points, seen along the normal of a plane.',
    solve: ([points, plane], context) => {
      const vertices = present(points).map(({ x, y, z }): Xyz => ({ x, y, z }))
      // There are about twice as many triangles as vertices, each with three half edges.
      context.reserve(3 * vertices.length, 2 * POINT_BYTES)
      const triangles = triangulatePoints(vertices.map((vertex) => toLocal(plane, vertex)))
      if (triangles.length === 0) {
        context.warn('Three points that are not in one line are needed')
        return []
      }
      return [withNormals({ type: 'mesh', vertices, faces: triangles.map((face) => triangle(...face)) })]
    },
  }),
]
