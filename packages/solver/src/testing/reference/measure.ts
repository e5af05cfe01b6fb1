import { getBrepArea, getBrepVolume } from '@meadow/geometry/breps/brep-mass'
import { findCentroid, type Mass } from '@meadow/geometry/breps/mass'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { findTangent, getEnd, getPoint, getStart } from '@meadow/geometry/curves/evaluate'
import { getLength } from '@meadow/geometry/curves/length'
import { isClosed } from '@meadow/geometry/curves/split'
import { findVertices } from '@meadow/geometry/curves/vertices'
import { getMeshArea, getMeshVolume } from '@meadow/geometry/meshes/mesh-mass'
import { createMeshTopology } from '@meadow/geometry/meshes/topology'
import { findNormalAt, getSurfacePoint } from '@meadow/geometry/surfaces/evaluate-surface'
import { getSurface } from '@meadow/geometry/surfaces/get-surface'
import { findTightBounds } from '@meadow/geometry/tight-bounds'
import { getCurveDomain, getSurfaceDomains } from '@meadow/geometry/values/curve-domain'
import { isCurve } from '@meadow/geometry/values/curves'
import { isClosedBrep } from '@meadow/geometry/values/describe-geometry'
import { isGeometry } from '@meadow/geometry/values/is-geometry'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import { xyPlane } from '@meadow/geometry/values/planes'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Curve, Geometry, Value } from '@meadow/geometry/values/value'
import type { Measures, Xyz as Triple } from './case-file.ts'

/** Measures of a geometry: those that `wanted` has, in the form of a case file. */
export function measure(value: Value | null, wanted: Measures): Measures {
  if (value === null || !isGeometry(value)) throw new Error(`Not geometry: ${JSON.stringify(value)}`)
  return Object.fromEntries(
    Object.keys(wanted).map((name) => [name, MEASURES[name as keyof Measures](value, wanted)]),
  )
}

const MEASURES: { readonly [K in keyof Measures]-?: (geometry: Geometry, wanted: Measures) => unknown } = {
  type: ({ type }) => type,
  length: (geometry) => getLength(toCurve(geometry)),
  area: (geometry) => findArea(geometry).size,
  volume: (geometry) => findVolume(geometry).size,
  centroid: (geometry, { volume }) =>
    toTriple(findCentroid(volume === undefined ? findArea(geometry) : findVolume(geometry))),
  start: (geometry) => toTriple(getStart(toCurve(geometry))),
  end: (geometry) => toTriple(getEnd(toCurve(geometry))),
  closed: isClosedGeometry,
  domain: (geometry) => toRange(getCurveDomain(toCurve(geometry))),
  domains: (geometry) => {
    const { u, v } = getSurfaceDomains(toSurface(geometry))
    return [toRange(u), toRange(v)]
  },
  at: (geometry, { at = [] }) =>
    at.map((place) => {
      if (place.length === 2) return [place[0], toTriple(getPoint(toCurve(geometry), place[0]))]
      const [u, v] = place
      return [u, v, toTriple(getSurfacePoint(toSurface(geometry), u, v))]
    }),
  tangentAt: (geometry, { tangentAt = [] }) =>
    tangentAt.map(([t]) => [t, toTriple(findTangent(toCurve(geometry), t))]),
  normalAt: (geometry, { normalAt = [] }) =>
    normalAt.map(([u, v]) => [u, v, toTriple(findOutside(geometry, u, v))]),
  bounds: (geometry) => {
    const bounds = findTightBounds(geometry, xyPlane({ x: 0, y: 0, z: 0 }))
    return bounds && [toTriple(bounds.min), toTriple(bounds.max)]
  },
  degree: (geometry) => (geometry.type === 'nurbsCurve' ? geometry.degree : undefined),
  points: (geometry) => listPoints(geometry).map(toTriple),
  vertexCount: (geometry) =>
    (geometry.type === 'mesh' ? geometry.vertices : getBrep(geometry).vertices).length,
  edgeCount: (geometry) =>
    geometry.type === 'mesh' ? createMeshTopology(geometry).edges.length : getBrep(geometry).edges.length,
  faceCount: (geometry) => (geometry.type === 'mesh' ? geometry.faces : getBrep(geometry).faces).length,
}

function toCurve(geometry: Geometry): Curve {
  if (!isCurve(geometry)) throw new Error(`Not a curve: ${geometry.type}`)
  return geometry
}

function toSurface(geometry: Geometry): NurbsSurface {
  if (geometry.type !== 'nurbsSurface' && geometry.type !== 'brep')
    throw new Error(`Not a surface: ${geometry.type}`)
  return getSurface(geometry).surface
}

function getBrep(geometry: Geometry) {
  const brep = toBrep(geometry)
  if (!brep) throw new Error(`Not a brep: ${geometry.type}`)
  return brep
}

function findArea(geometry: Geometry): Mass {
  return geometry.type === 'mesh' ? getMeshArea(geometry) : getBrepArea(getBrep(geometry))
}

function findVolume(geometry: Geometry): Mass {
  return geometry.type === 'mesh' ? getMeshVolume(geometry) : getBrepVolume(getBrep(geometry))
}

function isClosedGeometry(geometry: Geometry): boolean {
  if (isCurve(geometry)) return isClosed(geometry)
  if (geometry.type !== 'mesh') return isClosedBrep(getBrep(geometry))
  return createMeshTopology(geometry).edges.every(({ faces }) => faces.length === 2)
}

function findOutside(geometry: Geometry, u: number, v: number): Xyz | undefined {
  const normal = findNormalAt(toSurface(geometry), u, v)
  const isReversed = geometry.type === 'brep' && geometry.faces[0]?.isReversed === true
  return normal && isReversed ? { x: -normal.x, y: -normal.y, z: -normal.z } : normal
}

function listPoints(geometry: Geometry): readonly Xyz[] {
  if (geometry.type === 'nurbsCurve') return geometry.points
  const vertices = findVertices(toCurve(geometry))
  if (!vertices) throw new Error(`Without vertices: ${geometry.type}`)
  return vertices
}

function toTriple(xyz: Xyz | undefined): Triple | undefined {
  return xyz && [xyz.x, xyz.y, xyz.z]
}

function toRange({ start, end }: { start: number; end: number }): [number, number] {
  return [start, end]
}
