import { toBrep } from '../breps/to-brep.ts'
import type { Brep, BrepEdge } from '../values/brep.ts'
import { isClosedBrep } from '../values/describe-geometry.ts'
import type { Mesh } from '../values/mesh.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { type Box, toPoint, type Xyz } from '../values/points.ts'
import type { Geometry, Group, Transform } from '../values/value.ts'
import { findUnit } from '../values/vector.ts'
import { getDeterminant, transformNormal, transformPoint } from './matrix.ts'
import { findTransformedCurve, scaleSide, scaleSides } from './transform-curve.ts'
import { findFrame, findTransformedPlane } from './transform-plane.ts'

/**
 * Transforms a geometry. The type is kept where possible: otherwise a circle or arc becomes a NURBS curve, a
 * rectangle a polyline, a box a brep. Undefined for degenerate results, such as a circle scaled to zero or a
 * plane without axes.
 */
export function applyTransform(geometry: Geometry, transform: Transform): Geometry | undefined {
  switch (geometry.type) {
    case 'point':
      return toPoint(transformPoint(transform, geometry))
    case 'plane':
      return findTransformedPlane(geometry, transform)
    case 'box':
      return findTransformedBox(geometry, transform)
    case 'nurbsSurface':
      return transformSurface(geometry, transform)
    case 'brep':
      return findTransformedBrep(geometry, transform)
    case 'mesh':
      return transformMesh(geometry, transform)
    case 'group':
      return findTransformedGroup(geometry, transform)
    default:
      return findTransformedCurve(geometry, transform)
  }
}

function findTransformedBox(box: Box, transform: Transform): Geometry | undefined {
  const frame = findFrame(box.plane, transform)
  if (frame?.isSquare && frame.isUpright) {
    return { ...box, plane: frame.plane, ...scaleSides(box, frame), z: scaleSide(box.z, frame.factors.z) }
  }
  const brep = toBrep(box)
  return brep && findTransformedBrep(brep, transform)
}

function transformSurface(surface: NurbsSurface, transform: Transform): NurbsSurface {
  const points = surface.points.map((row) => row.map((point) => transformPoint(transform, point)))
  return { ...surface, points }
}

/** A mirrored solid keeps its outside: its faces are flipped. */
function findTransformedBrep(brep: Brep, transform: Transform): Brep | undefined {
  const edges: BrepEdge[] = []
  for (const edge of brep.edges) {
    const curve = findTransformedCurve(edge.curve, transform)
    if (!curve) return undefined
    edges.push({ ...edge, curve })
  }
  const turnsOver = getDeterminant(transform) < 0 && isClosedBrep(brep)
  return {
    ...brep,
    vertices: brep.vertices.map((vertex) => transformPoint(transform, vertex)),
    edges,
    faces: brep.faces.map((face) => ({
      ...face,
      surface: transformSurface(face.surface, transform),
      isReversed: turnsOver ? !face.isReversed : face.isReversed,
    })),
  }
}

/**
 * Faces keep the order of their corners, so mirroring inverts faces and normals. A mesh without volume after
 * the transform loses its normals. Source: `ON_Mesh::Transform`.
 */
function transformMesh({ normals, ...mesh }: Mesh, transform: Transform): Mesh {
  const moved = { ...mesh, vertices: mesh.vertices.map((vertex) => transformPoint(transform, vertex)) }
  const units = normals && getDeterminant(transform) !== 0 ? findNormals(normals, transform) : undefined
  return units ? { ...moved, normals: units } : moved
}

function findNormals(normals: readonly Xyz[], transform: Transform): Xyz[] | undefined {
  const units: Xyz[] = []
  for (const normal of normals) {
    const unit = findUnit(transformNormal(transform, normal))
    if (!unit) return undefined
    units.push(unit)
  }
  return units
}

function findTransformedGroup({ members, ...group }: Group, transform: Transform): Group | undefined {
  const moved: Geometry[] = []
  for (const member of members) {
    const geometry = applyTransform(member, transform)
    if (!geometry) return undefined
    moved.push(geometry)
  }
  return { ...group, members: moved }
}
