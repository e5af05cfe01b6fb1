import { findClosestOnMesh } from '@meadow/geometry/meshes/closest-point'
import { findRayHit, listCurveHits } from '@meadow/geometry/meshes/hits'
import { findMeshCrossings } from '@meadow/geometry/meshes/mesh-crossings'
import { createMeshSections } from '@meadow/geometry/meshes/mesh-section'
import { listMeshPieces } from '@meadow/geometry/meshes/pieces'
import { splitMesh } from '@meadow/geometry/meshes/split-mesh'
import { createMeshTopology } from '@meadow/geometry/meshes/topology'
import { isInsideMesh } from '@meadow/geometry/meshes/winding'
import type { Mesh } from '@meadow/geometry/values/mesh'
import { type Point, toPoint } from '@meadow/geometry/values/points'
import { distance, findUnit } from '@meadow/geometry/values/vector'
import { defineKind, type Kind } from '../declaration/define-kind.ts'

const OTHER_START = 'The curves may start elsewhere than in Rhino, and be in another order'

export const MESH_INTERSECTIONS: readonly Kind[] = [
  defineKind({
    guid: '3b1ae469-0e9b-461d-8c30-fa5a7de8b7a9',
    description: 'The curves in which a mesh and a plane intersect.',
    solve: ([mesh, plane], context) => {
      const curves = createMeshSections(mesh)(plane)
      if (curves.length > 0) context.approximate(OTHER_START)
      return [curves]
    },
  }),
  defineKind({
    guid: '4c02a168-9aba-4f42-8951-2719f24d391f',
    description: 'The first point of a mesh on a ray, and whether there is one.',
    solve: ([mesh, point, direction], context) => {
      const unit = findUnit(direction)
      if (!unit) {
        context.error('The direction has no length')
        return []
      }
      const hit = findRayHit(mesh, point, unit)
      return [hit ? toPoint(hit) : null, hit !== undefined]
    },
  }),
  defineKind({
    guid: '19632848-4b95-4e5e-9e86-b79b47987a46',
    description: 'The points where a curve passes through a mesh, and the indices of their faces.',
    solve: ([mesh, curve], context) => {
      const hits = listCurveHits(mesh, curve, context.tolerance)
      if (hits.length > 1) context.approximate('The points are in order along the curve')
      return [hits.map((hit): Point => toPoint(hit.point)), hits.map(({ face }) => face)]
    },
  }),
  defineKind({
    guid: '21b6a605-9568-4bf8-acc1-631565d609d7',
    description: 'The polylines in which two meshes pass through each other.',
    solve: ([one, other], context) => {
      const curves = findMeshCrossings(one, other)
      if (!curves)
        context.limit('Meshes that touch in a vertex or an edge, or along faces, are not intersected')
      else if (curves.length > 0) context.approximate(OTHER_START)
      return [curves ?? []]
    },
  }),
  defineKind({
    guid: '330eb9c9-0098-4375-9078-e00a419d49fb',
    description: 'The pieces of a mesh on both sides of a plane, open where they were cut.',
    solve: ([mesh, plane], context) => {
      const { above, below } = splitMesh(mesh, plane)
      if (above && below) context.approximate('The meshes have other faces than in Rhino along the cut')
      const listAll = (part: Mesh | undefined) => (part ? listMeshPieces(part) : [])
      return [listAll(above), listAll(below)]
    },
  }),
  defineKind({
    guid: '01e3991d-18bd-474f-9fbd-076a8700159f',
    description: 'Whether a point is inside a closed mesh; strictly, when it is not on it either.',
    solve: ([mesh, point, isStrict], context) => {
      if (!isClosedMesh(mesh)) {
        context.limit('Inclusion is solved for closed meshes only')
        return []
      }
      const closest = findClosestOnMesh(mesh, point)
      if (closest && distance(closest.point, point) <= context.tolerance) return [!isStrict]
      return [isInsideMesh(mesh, point)]
    },
  }),
]

function isClosedMesh(mesh: Mesh): boolean {
  const { edges } = createMeshTopology(mesh)
  return edges.length > 0 && edges.every(({ faces }) => faces.length === 2)
}
