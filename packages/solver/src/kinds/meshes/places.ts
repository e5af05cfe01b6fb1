import {
  findClosestOnMesh,
  formatMeshPlace,
  type MeshPlace,
  readMeshPlace,
} from '../../geometry/meshes/closest-point.ts'
import { listIndices } from '../../geometry/meshes/face-geometry.ts'
import { computeVertexNormals } from '../../geometry/meshes/vertex-normals.ts'
import type { Mesh } from '../../values/mesh.ts'
import { toPoint, toVector, type Vector, type Xyz } from '../../values/points.ts'
import { type Colour, colour } from '../../values/value.ts'
import { addScaled, findUnit, ORIGIN } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, named } from '../ports.ts'

export const MESH_PLACES: readonly Kind[] = [
  defineKind({
    guid: 'a559fee2-4b76-4370-8042-c7440cd75049',
    name: 'Mesh Closest Point',
    description: 'The place on a mesh that is nearest to a point, its face, and its address in the mesh.',
    inputs: { point: named('Point (P)', item.point), mesh: named('Mesh (M)', item.mesh) },
    outputs: {
      place: named('Point (P)', item.point),
      face: named('Index (I)', item.integer),
      address: named('Parameter (P)', item.text),
    },
    solve: ({ point, mesh }, context) => {
      context.reserve()
      const found = findClosestOnMesh(mesh, point)
      if (!found) return {}
      return { place: toPoint(found.place), face: found.face, address: formatMeshPlace(found) }
    },
  }),
  defineKind({
    guid: 'b2dc090f-b022-4264-8889-87e22979336e',
    name: 'Mesh Eval',
    description: 'Place, normal and colour at an address in a mesh.',
    inputs: { mesh: named('Mesh (M)', item.mesh), address: named('Parameter (P)', item.text) },
    outputs: {
      place: named('Point (P)', item.point),
      normal: named('Normal (N)', item.vector),
      colour: named('Colour (C)', item.colour),
    },
    solve: ({ mesh, address }, context) => {
      const found = readMeshPlace(mesh, address)
      if (!found) {
        context.error('Parameter is not a place on this mesh')
        return {}
      }
      return {
        place: toPoint(found.place),
        normal: findNormalAt(mesh, found),
        colour: findColourAt(mesh, found),
      }
    },
  }),
]

const NORMALS = new WeakMap<Mesh, readonly Xyz[]>()

function findNormalAt(mesh: Mesh, place: MeshPlace): Vector | null {
  const normals = mesh.normals ?? NORMALS.get(mesh) ?? computeVertexNormals(mesh)
  NORMALS.set(mesh, normals)
  let sum = ORIGIN
  for (const [corner, share] of listShares(mesh, place))
    sum = addScaled(sum, normals[corner] ?? ORIGIN, share)
  const unit = findUnit(sum)
  return unit ? toVector(unit) : null
}

function findColourAt(mesh: Mesh, place: MeshPlace): Colour | null {
  const { colours } = mesh
  if (!colours) return null
  const mix = (channel: 'red' | 'green' | 'blue' | 'alpha') =>
    Math.round(
      listShares(mesh, place).reduce((sum, [corner, share]) => sum + share * colours[corner]![channel], 0),
    )
  return colour(mix('red'), mix('green'), mix('blue'), mix('alpha'))
}

function listShares(mesh: Mesh, { face, shares }: MeshPlace): (readonly [corner: number, share: number])[] {
  return listIndices(mesh.faces[face]!).map((corner, i) => [corner, shares[i] as number])
}
