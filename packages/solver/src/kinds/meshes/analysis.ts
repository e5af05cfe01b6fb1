import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { findCircleThrough } from '@meadow/geometry/curves/circle-through'
import {
  findClosestOnMesh,
  formatMeshPoint,
  type MeshPoint,
  readMeshPoint,
} from '@meadow/geometry/meshes/closest-point'
import { findFaceNormal, getCorners, getFaceCentre, listIndices } from '@meadow/geometry/meshes/face-geometry'
import { createMeshTopology, type MeshEdge } from '@meadow/geometry/meshes/topology'
import { computeVertexNormals } from '@meadow/geometry/meshes/vertex-normals'
import { line, polyline } from '@meadow/geometry/values/curves'
import { isTriangle, type Mesh, quad, triangle } from '@meadow/geometry/values/mesh'
import { toPoint, toVector, type Vector, type Xyz } from '@meadow/geometry/values/points'
import { type Colour, colour } from '@meadow/geometry/values/value'
import {
  addScaled,
  cross,
  distance,
  findUnit,
  length,
  ORIGIN,
  subtract,
} from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { item } from '../declaration/ports.ts'

export const MESH_FACES: readonly Kind[] = [
  defineKind({
    guid: '1cb59c86-7f6b-4e52-9a0c-6441850e9520',
    description: 'A mesh face of four corners, specified by vertex indices.',
    solve: ([a, b, c, d]) => [quad(a, b, c, d)],
  }),
  defineKind({
    guid: '5a4ddedd-5af9-49e5-bace-12910a8b9366',
    description: 'A mesh face of three corners, specified by vertex indices.',
    solve: ([a, b, c]) => [triangle(a, b, c)],
  }),
  defineKind({
    guid: 'aab142b1-b870-46de-8e86-654c9a554d90',
    description: 'The corners of a mesh face; a triangle has no fourth.',
    solve: ([face]) => [face.a, face.b, face.c, isTriangle(face) ? null : face.d],
  }),
  defineKind({
    guid: 'cb4ca22c-3419-4962-a078-ad4ff7f1f929',
    description: 'The centre and the normal of each face of a mesh.',
    solve: ([mesh], context) => {
      context.reserve(2 * mesh.faces.length, POINT_BYTES)
      return [
        mesh.faces.map((face) => toPoint(getFaceCentre(mesh, face))),
        mesh.faces.map((face) => {
          const normal = findFaceNormal(mesh, face)
          return normal ? toVector(normal) : null
        }),
      ]
    },
  }),
  defineKind({
    guid: '0b4ac802-fc4a-4201-9c66-0078b837c1eb',
    description: 'The closed boundary of each face of a mesh.',
    solve: ([mesh], context) => {
      context.reserve(5 * mesh.faces.length, POINT_BYTES)
      return [
        mesh.faces.map((face) => {
          const corners = getCorners(mesh, face)
          return polyline([...corners, ...corners.slice(0, 1)])
        }),
      ]
    },
  }),
  defineKind({
    guid: '2b9bf01d-5fe5-464c-b0b3-b469eb5f2efb',
    description: 'The edges of a mesh: with one face, with two faces, and with more than two.',
    solve: ([mesh], context) => {
      const { edges, points } = createMeshTopology(mesh)
      context.reserve(edges.length, 2 * POINT_BYTES)
      const pick = (isWanted: (count: number) => boolean) =>
        edges
          .filter(({ faces }) => isWanted(faces.length))
          .map(({ start, end }: MeshEdge) => line(points[start]!, points[end]!))
      return [pick((count) => count === 1), pick((count) => count === 2), pick((count) => count > 2)]
    },
  }),
]

export const MESH_POINTS: readonly Kind[] = [
  defineKind({
    guid: 'a559fee2-4b76-4370-8042-c7440cd75049',
    description: 'The closest point on a mesh to a point, the index of its face, and its mesh parameter.',
    outputs: [item.point, item.integer, item.text],
    solve: ([point, mesh], context) => {
      context.reserve()
      const found = findClosestOnMesh(mesh, point)
      if (!found) return []
      return [toPoint(found.point), found.face, formatMeshPoint(found)]
    },
  }),
  defineKind({
    guid: 'b2dc090f-b022-4264-8889-87e22979336e',
    description: 'The point, normal and colour at a mesh parameter.',
    inputs: [item.mesh, item.text],
    solve: ([mesh, address], context) => {
      const found = readMeshPoint(mesh, address)
      if (!found) {
        context.error('Parameter is not a place on this mesh')
        return []
      }
      return [toPoint(found.point), findNormalAt(mesh, found), findColourAt(mesh, found)]
    },
  }),
  defineKind({
    guid: 'd8cf1555-a0d5-43cb-8a10-46f8c014db3a',
    description:
      'The circles around the triangles of a mesh, and the ratios of their altitudes to their longest edges.',
    solve: ([mesh], context) => {
      context.reserve(mesh.faces.length, 4 * POINT_BYTES)
      const triangles = mesh.faces.filter(isTriangle).map((face) => getCorners(mesh, face) as [Xyz, Xyz, Xyz])
      return [
        triangles.map(([a, b, c]) => findCircleThrough(a, b, c) ?? null),
        triangles.map(([a, b, c]) => {
          const longest = Math.max(distance(a, b), distance(b, c), distance(c, a))
          const area = length(cross(subtract(b, a), subtract(c, a)))
          return longest > 0 ? area / longest ** 2 : null
        }),
      ]
    },
  }),
]

const NORMALS = new WeakMap<Mesh, readonly Xyz[]>()

function findNormalAt(mesh: Mesh, point: MeshPoint): Vector | null {
  const normals = mesh.normals ?? NORMALS.get(mesh) ?? computeVertexNormals(mesh)
  NORMALS.set(mesh, normals)
  let sum = ORIGIN
  for (const [corner, fraction] of listWeights(mesh, point))
    sum = addScaled(sum, normals[corner] ?? ORIGIN, fraction)
  const unit = findUnit(sum)
  return unit ? toVector(unit) : null
}

function findColourAt(mesh: Mesh, point: MeshPoint): Colour | null {
  const { colours } = mesh
  if (!colours) return null
  const mix = (channel: 'red' | 'green' | 'blue' | 'alpha') =>
    Math.round(
      listWeights(mesh, point).reduce(
        (sum, [corner, fraction]) => sum + fraction * colours[corner]![channel],
        0,
      ),
    )
  return colour(mix('red'), mix('green'), mix('blue'), mix('alpha'))
}

function listWeights(
  mesh: Mesh,
  { face, weights }: MeshPoint,
): (readonly [corner: number, weight: number])[] {
  return listIndices(mesh.faces[face]!).map((corner, i) => [corner, weights[i] as number])
}
