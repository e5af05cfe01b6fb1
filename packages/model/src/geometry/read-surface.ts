import type { NurbsCurve } from '@meadow/geometry/values/curves'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { CLASS } from '../opennurbs/class-ids.ts'
import { ModelFault, UnsupportedForm } from '../opennurbs/model-fault.ts'
import { readObject } from '../opennurbs/object-chunk.ts'
import { readPlane, readXyz } from '../opennurbs/primitives.ts'
import { arcToNurbs } from './arc-to-nurbs.ts'
import { getDomain, getKnotDomain } from './domains.ts'
import { isSize, readAngles, readControlPoints, readCurve, toDomain } from './read-curve.ts'
import { revolve } from './revolve.ts'
import { pointAt } from './xyz.ts'

/** Maps a parameter of a surface to that of its NURBS form, where the two differ. */
export type ParameterMap = ((parameter: number) => number) | undefined

/** The NURBS form of a surface, and the maps of its parameters. */
export interface ReadSurface {
  surface: NurbsSurface
  mapU?: ParameterMap
  mapV?: ParameterMap
}

/** Reads the next surface. Fails: `UnsupportedForm` for classes without an exact NURBS form. */
export function readSurface(reader: ChunkReader): ReadSurface {
  const { classId, data } = readObject(reader)
  const surface = findSurface(classId, data)
  if (!surface) throw new UnsupportedForm(`no surface: an object of class ${classId}`)
  return surface
}

/** Reads a surface; undefined for objects that are not surfaces. */
export function findSurface(classId: string, data: ChunkReader): ReadSurface | undefined {
  switch (classId) {
    case CLASS.nurbsSurface:
      return { surface: readNurbsSurface(data) }
    case CLASS.planeSurface:
      return { surface: readPlaneSurface(data) }
    case CLASS.revolvedSurface:
      return readRevolvedSurface(data)
    case CLASS.sumSurface:
      return readSumSurface(data)
    default:
      return undefined
  }
}

function readNurbsSurface(data: ChunkReader): NurbsSurface {
  data.version()
  const dimension = data.int32()
  const isRational = data.int32() !== 0
  const [orderU, orderV] = [data.int32(), data.int32()]
  const [countU, countV] = [data.int32(), data.int32()]
  data.skip(8 + 48)
  const knotsU = data.float64Array()
  const knotsV = data.float64Array()
  const count = data.count(8 * (dimension + (isRational ? 1 : 0)))
  const fits =
    isSize(dimension, orderU, countU) &&
    isSize(dimension, orderV, countV) &&
    count === countU * countV &&
    knotsU.length === countU + orderU - 2 &&
    knotsV.length === countV + orderV - 2
  if (!fits) throw new ModelFault('a NURBS surface whose counts do not fit')
  toDomain(...getKnotDomain(knotsU, orderU - 1))
  toDomain(...getKnotDomain(knotsV, orderV - 1))
  const { points, weights } = readControlPoints(data, count, dimension, isRational)
  return {
    type: 'nurbsSurface',
    degreeU: orderU - 1,
    degreeV: orderV - 1,
    points: toRows(points, countV),
    ...(weights && { weights: toRows(weights, countV) }),
    knotsU,
    knotsV,
  }
}

function toRows<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: items.length / size }, (_, row) => items.slice(row * size, (row + 1) * size))
}

/** The extents locate the surface in its plane; in the oldest version they equal the domains. */
function readPlaneSurface(data: ChunkReader): NurbsSurface {
  const { minor } = data.version()
  const plane = readPlane(data)
  const [knotsU, knotsV] = [data.float64s(2), data.float64s(2)]
  const [x, y] = minor >= 1 ? [data.float64s(2), data.float64s(2)] : [knotsU, knotsV]
  const points = x.map((u) => y.map((v) => pointAt(plane, u, v)))
  return { type: 'nurbsSurface', degreeU: 1, degreeV: 1, points, knotsU, knotsV }
}

function readRevolvedSurface(data: ChunkReader): ReadSurface {
  const { major } = data.version()
  const axis = { from: readXyz(data), to: readXyz(data) }
  const angles = readAngles(data)
  const domain = major >= 2 ? toDomain(data.float64(), data.float64()) : angles
  data.skip(48)
  const isTransposed = data.int32() !== 0
  if (!data.bool()) throw new ModelFault('a revolved surface without its curve')
  const profile = toNurbs(readCurve(data))
  const { surface, mapAngle } = revolve(profile.curve, axis, angles, domain)
  const turned: ReadSurface = { surface, mapU: mapAngle, mapV: profile.map }
  return isTransposed ? transpose(turned) : turned
}

function transpose({ surface, mapU, mapV }: ReadSurface): ReadSurface {
  const { degreeU, degreeV, points, weights, knotsU, knotsV } = surface
  return {
    surface: {
      type: 'nurbsSurface',
      degreeU: degreeV,
      degreeV: degreeU,
      points: turn(points),
      ...(weights && { weights: turn(weights) }),
      knotsU: knotsV,
      knotsV: knotsU,
    },
    mapU: mapV,
    mapV: mapU,
  }
}

function turn<T>(rows: readonly (readonly T[])[]): T[][] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]!))
}

/** A point of the surface is the sum of points of both curves and a base point. */
function readSumSurface(data: ChunkReader): ReadSurface {
  data.version()
  const base = readXyz(data)
  data.skip(48)
  const [along, across] = [toNurbs(readCurve(data)), toNurbs(readCurve(data))]
  const [u, v] = [along.curve, across.curve]
  const points = u.points.map((a) => v.points.map((b) => add(add(a, b), base)))
  const weights =
    (u.weights ?? v.weights) &&
    u.points.map((_, i) => v.points.map((__, j) => (u.weights?.[i] ?? 1) * (v.weights?.[j] ?? 1)))
  return {
    surface: {
      type: 'nurbsSurface',
      degreeU: u.degree,
      degreeV: v.degree,
      points,
      ...(weights && { weights }),
      knotsU: u.knots,
      knotsV: v.knots,
    },
    mapU: along.map,
    mapV: across.map,
  }
}

function add(a: Xyz, b: Xyz): Xyz {
  return { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z }
}

/** Converts a profile curve. Fails: `UnsupportedForm` for polycurves. */
function toNurbs(curve: Curve): { curve: NurbsCurve; map: ParameterMap } {
  switch (curve.type) {
    case 'nurbsCurve':
      return { curve, map: undefined }
    case 'circle':
    case 'arc': {
      const { curve: nurbs, toNurbs: map } = arcToNurbs(curve)
      return { curve: nurbs, map }
    }
    case 'line':
    case 'polyline': {
      const points = curve.type === 'line' ? [curve.from, curve.to] : curve.vertices
      const [start, end] = getDomain(curve)
      const last = points.length - 1
      const knots = points.map((_, i) => (i === last ? end : start + ((end - start) * i) / last))
      return { curve: { type: 'nurbsCurve', degree: 1, points, knots }, map: undefined }
    }
    default:
      throw new UnsupportedForm(`a surface of a ${curve.type}`)
  }
}
