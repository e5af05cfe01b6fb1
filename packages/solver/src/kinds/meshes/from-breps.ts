import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { createGridMesh } from '@meadow/geometry/meshes/grid'
import { getMeshVolume } from '@meadow/geometry/meshes/mesh-mass'
import { flipMesh, joinMeshes } from '@meadow/geometry/meshes/rearrange'
import { withNormals } from '@meadow/geometry/meshes/vertex-normals'
import { isUntrimmed } from '@meadow/geometry/meshing/face-polygon'
import { meshBrep } from '@meadow/geometry/meshing/mesh-brep'
import {
  DEFAULT_SETTINGS,
  describeMeshSettings,
  readMeshSettings,
} from '@meadow/geometry/meshing/mesh-settings'
import { getSurfacePoint } from '@meadow/geometry/surfaces/evaluate-surface'
import { getSurface } from '@meadow/geometry/surfaces/get-surface'
import type { Brep } from '@meadow/geometry/values/brep'
import { getSurfaceDomains } from '@meadow/geometry/values/curve-domain'
import { type Mesh, type MeshFace, quad, triangle } from '@meadow/geometry/values/mesh'
import { pointAt } from '@meadow/geometry/values/planes'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Opaque } from '@meadow/geometry/values/value'
import { OTHER_MESH } from '../../conversions/convert.ts'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { item, optional } from '../declaration/ports.ts'
import { interpolateDomain } from '../maths/domains.ts'

const OTHER_ORDER = 'The vertices and faces may be in another order than in Rhino'

export const MESHES_OF_BREPS: readonly Kind[] = [
  defineKind({
    guid: '60e7defa-8b21-4ee1-99aa-a9223d6134ff',
    description: 'A mesh that approximates a brep; closed if the brep is.',
    inputs: [item.brep, optional(item.opaque)],
    solve: ([brep, settings], context) => {
      const known = settings ? readMeshSettings(describe(settings)) : DEFAULT_SETTINGS
      if (!known) {
        context.limit('These mesh settings are not known')
        return []
      }
      const mesh = meshBrep(brep, known)
      if (mesh) context.approximate(OTHER_MESH)
      else context.limit('A face of the brep could not be meshed')
      return [mesh]
    },
  }),
  defineKind({
    guid: 'c3f9cea5-6fd4-4db5-959b-08cd08ed9fe1',
    description: 'A mesh with one face for each face of a brep, between its three or four corners.',
    solve: ([brep], context) => {
      const faces = listSimpleFaces(brep)
      if (!faces) {
        context.limit('Only breps whose faces have three or four edges are meshed simply')
        return []
      }
      context.reserve(brep.vertices.length + faces.length, POINT_BYTES)
      context.approximate(OTHER_ORDER)
      return [withNormals({ type: 'mesh', vertices: brep.vertices, faces })]
    },
  }),
  defineKind({
    guid: '58cf422f-19f7-42f7-9619-fc198c51c657',
    description: 'A mesh of quads between points at equal steps of the parameters of a surface.',
    solve: ([surface, countU, countV, , isEqual], context) => {
      if (!areCounts([countU, countV], context)) return []
      if (isEqual || (surface.type === 'brep' && !surface.faces.every(isUntrimmed))) {
        context.limit(isEqual ? 'Spans of equal length are not solved' : 'Trimmed surfaces are not solved')
        return []
      }
      const { surface: whole, isReversed } = getSurface(surface)
      const { u, v } = getSurfaceDomains(whole)
      context.approximate(OTHER_ORDER)
      const mesh = createGrid(countU, countV, context, (s, t) =>
        getSurfacePoint(whole, interpolateDomain(u, s), interpolateDomain(v, t)),
      )
      return [isReversed ? flipMesh(mesh) : mesh]
    },
  }),
]

export const MESH_SOLIDS: readonly Kind[] = [
  defineKind({
    guid: '2696bd14-3fb5-4750-827f-86df6c31d664',
    description: 'A mesh of quads over the six sides of a box.',
    solve: ([box, countX, countY, countZ], context) => {
      if (!areCounts([countX, countY, countZ], context)) return []
      context.approximate(OTHER_ORDER)
      const at = (x: number, y: number, z: number): Xyz =>
        pointAt(
          box.plane,
          interpolateDomain(box.x, x),
          interpolateDomain(box.y, y),
          interpolateDomain(box.z, z),
        )
      const mesh = joinMeshes([
        createGrid(countY, countX, context, (s, t) => at(t, s, 0)),
        createGrid(countX, countY, context, (s, t) => at(s, t, 1)),
        createGrid(countX, countZ, context, (s, t) => at(s, 0, t)),
        createGrid(countZ, countX, context, (s, t) => at(t, 1, s)),
        createGrid(countZ, countY, context, (s, t) => at(0, t, s)),
        createGrid(countY, countZ, context, (s, t) => at(1, s, t)),
      ])
      return [getMeshVolume(mesh).size < 0 ? flipMesh(mesh) : mesh]
    },
  }),
  defineKind({
    guid: '0a391eac-5048-443c-9c1b-f592299b6dd6',
    description: 'A mesh of a sphere, with U faces around and V faces from pole to pole.',
    solve: ([base, radius, countU, countV], context) => {
      if (!(radius > 0) || countU < 3 || countV < 2) {
        context.error('A sphere needs a radius above zero, three faces around and two from pole to pole')
        return []
      }
      context.reserve(2 * countU * countV, 2 * POINT_BYTES)
      context.approximate(OTHER_ORDER)
      const at = (i: number, j: number): Xyz => {
        const [longitude, latitude] = [(2 * Math.PI * i) / countU, (Math.PI * j) / countV - Math.PI / 2]
        const ring = radius * Math.cos(latitude)
        const { x, y, z } = pointAt(
          base,
          ring * Math.cos(longitude),
          ring * Math.sin(longitude),
          radius * Math.sin(latitude),
        )
        return { x, y, z }
      }
      const rings = Array.from({ length: countV - 1 }, (_, j) =>
        Array.from({ length: countU }, (_, i) => at(i, j + 1)),
      )
      const vertices = [at(0, 0), ...rings.flat(), at(0, countV)]
      return [withNormals({ type: 'mesh', vertices, faces: listSphereFaces(countU, countV) })]
    },
  }),
]

export const MESH_SETTINGS: readonly Kind[] = [
  defineKind({
    guid: '255ca3e9-2c1e-443a-a404-e76b5c63f4cb',
    description: 'The settings "jagged and faster" of meshes of breps.',
    outputs: [item.opaque],
    solve: () => [createSettings({})],
  }),
  defineKind({
    guid: '1b0ee096-cc76-4847-8941-04a9e256de76',
    description: 'The settings "smooth and slower" of meshes of breps.',
    outputs: [item.opaque],
    solve: () => [createSettings({ RefineAngle: toRadians(20), RelativeTolerance: 0.8 })],
  }),
  defineKind({
    guid: '4a0180e5-d8f9-46e7-bd34-ced804601462',
    description: 'Settings of meshes of breps.',
    outputs: [item.opaque],
    solve: ([
      stitches,
      hasSimplePlanes,
      refines,
      minCount,
      maxCount,
      ,
      maxDistance,
      maxAngle,
      minEdge,
      maxEdge,
    ]) => [
      createSettings({
        JaggedSeams: !stitches,
        SimplePlanes: hasSimplePlanes,
        Refine: refines,
        GridMinCount: minCount,
        GridMaxCount: maxCount,
        Tolerance: maxDistance,
        RefineAngle: toRadians(maxAngle),
        MinEdgeLength: minEdge,
        MaxEdgeLength: maxEdge,
      }),
    ],
  }),
]

const toRadians = (degrees: number) => (degrees * Math.PI) / 180

function createSettings(items: Parameters<typeof describeMeshSettings>[0]): Opaque {
  return { type: 'opaque', wire: { type: 'unknown', value: { description: describeMeshSettings(items) } } }
}

function describe({ wire }: Opaque): string {
  return wire.type === 'unknown' ? wire.value.description : ''
}

function areCounts(counts: readonly number[], context: KindContext): boolean {
  const isPossible = counts.every((count) => count >= 1)
  if (!isPossible) context.error('Counts must be 1 or more')
  return isPossible
}

function createGrid(
  countS: number,
  countT: number,
  context: KindContext,
  at: (s: number, t: number) => Xyz,
): Mesh {
  context.reserve(2 * (countS + 1) * (countT + 1), 2 * POINT_BYTES)
  const rows = Array.from({ length: countT + 1 }, (_, j) =>
    Array.from({ length: countS + 1 }, (_, i) => {
      const { x, y, z } = at(i / countS, j / countT)
      return { x, y, z }
    }),
  )
  return createGridMesh(rows)
}

/** The corners of each face; undefined if one has holes, or not three or four corners. */
function listSimpleFaces({ faces, edges }: Brep): MeshFace[] | undefined {
  const simple: MeshFace[] = []
  for (const { loops, isReversed } of faces) {
    const trims = loops.flat().filter(({ edge }) => edge !== undefined)
    const corners = trims.map((trim) => (trim.isReversed ? edges[trim.edge!]!.end : edges[trim.edge!]!.start))
    if (loops.length !== 1 || new Set(corners).size !== corners.length) return undefined
    const [a, b, c, d, ...more] = isReversed ? corners.toReversed() : corners
    if (a === undefined || b === undefined || c === undefined || more.length > 0) return undefined
    simple.push(d === undefined ? triangle(a, b, c) : quad(a, b, c, d))
  }
  return simple
}

/** The first vertex is the pole below, the last one the pole above. */
function listSphereFaces(around: number, upwards: number): MeshFace[] {
  const last = around * (upwards - 1) + 1
  const at = (i: number, ring: number) => 1 + ring * around + (i % around)
  const rows = Array.from({ length: upwards - 2 }, (_, ring) =>
    Array.from({ length: around }, (_, i) =>
      quad(at(i, ring), at(i + 1, ring), at(i + 1, ring + 1), at(i, ring + 1)),
    ),
  )
  return [
    ...Array.from({ length: around }, (_, i) => triangle(0, at(i + 1, 0), at(i, 0))),
    ...rows.flat(),
    ...Array.from({ length: around }, (_, i) => triangle(at(i, upwards - 2), at(i + 1, upwards - 2), last)),
  ]
}
