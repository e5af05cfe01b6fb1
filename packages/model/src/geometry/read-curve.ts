import type { Arc, Circle, Line, NurbsCurve, PolyCurve, Polyline } from '@meadow/geometry/values/curves'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import type { ChunkReader } from '../opennurbs/chunk-reader.ts'
import { CLASS } from '../opennurbs/class-ids.ts'
import { ModelFault, UnsupportedForm } from '../opennurbs/model-fault.ts'
import { readObject } from '../opennurbs/object-chunk.ts'
import { readPlane, readXyz } from '../opennurbs/primitives.ts'
import { getDomain, getKnotDomain, withDomain } from './domains.ts'

/** The limit of nested curves: real ones have two or three levels. */
const DEEPEST = 16

/** Reads the next curve. Fails: `UnsupportedForm` for classes that the solver has no value for. */
export function readCurve(reader: ChunkReader, depth = 0): Curve {
  const { classId, data } = readObject(reader)
  const curve = findCurve(classId, data, depth)
  if (!curve) throw new UnsupportedForm(`no curve: an object of class ${classId}`)
  return curve
}

/** Reads a curve; undefined for objects that are not curves. */
export function findCurve(classId: string, data: ChunkReader, depth = 0): Curve | undefined {
  switch (classId) {
    case CLASS.lineCurve:
      return readLine(data)
    case CLASS.polylineCurve:
      return readPolyline(data)
    case CLASS.arcCurve:
      return readArc(data)
    case CLASS.nurbsCurve:
      return readNurbsCurve(data)
    case CLASS.polyCurve:
      return readPolyCurve(data, depth)
    default:
      return undefined
  }
}

function readLine(data: ChunkReader): Line {
  data.version()
  const from = readXyz(data)
  const to = readXyz(data)
  const domain = readDomain(data)
  checkDimension(data)
  return withDomain({ type: 'line', from, to }, ...domain)
}

function checkDimension(data: ChunkReader): void {
  const dimension = data.int32()
  if (dimension !== 2 && dimension !== 3) throw new ModelFault(`a curve in ${dimension} dimensions`)
}

function readDomain(data: ChunkReader): readonly [number, number] {
  return toDomain(data.float64(), data.float64())
}

/** Reads the angles of an arc. Fails: `ModelFault` for more than a full turn. */
export function readAngles(data: ChunkReader): readonly [number, number] {
  const [start, end] = readDomain(data)
  if (end - start > 2 * Math.PI + 1e-9) throw new ModelFault('more than a whole turn')
  return [start, end]
}

/** Checks a domain. Fails: `ModelFault` for a domain that is not ascending. */
export function toDomain(start: number, end: number): readonly [number, number] {
  if (!(start < end)) throw new ModelFault('a domain that does not grow')
  return [start, end]
}

/** A polyline with uneven parameters becomes a NURBS curve of degree one. */
function readPolyline(data: ChunkReader): Polyline | NurbsCurve {
  data.version()
  const vertices = Array.from({ length: data.count(24) }, () => readXyz(data))
  const parameters = data.float64Array()
  checkDimension(data)
  if (vertices.length < 2 || parameters.length !== vertices.length)
    throw new ModelFault('a polyline without parameters')
  const [start, end] = toDomain(parameters[0]!, parameters.at(-1)!)
  const step = (end - start) / (vertices.length - 1)
  const isEven = parameters.every(
    (parameter, i) => Math.abs(parameter - start - i * step) <= 1e-9 * Math.abs(step),
  )
  if (isEven) return withDomain({ type: 'polyline', vertices }, start, end)
  return { type: 'nurbsCurve', degree: 1, points: vertices, knots: parameters }
}

function readArc(data: ChunkReader): Circle | Arc {
  data.version()
  const plane = readPlane(data)
  const radius = data.float64()
  data.skip(72)
  const [startAngle, endAngle] = readAngles(data)
  const domain = readDomain(data)
  checkDimension(data)
  const isWhole = startAngle === 0 && Math.abs(endAngle - 2 * Math.PI) < 1e-12
  const curve: Circle | Arc = isWhole
    ? { type: 'circle', plane, radius }
    : { type: 'arc', plane, radius, startAngle, endAngle }
  return withDomain(curve, ...domain)
}

function readNurbsCurve(data: ChunkReader): NurbsCurve {
  data.version()
  const dimension = data.int32()
  const isRational = data.int32() !== 0
  const order = data.int32()
  const count = data.int32()
  data.skip(8 + 48)
  const knots = data.float64Array()
  const numbers = dimension + (isRational ? 1 : 0)
  const read = data.count(8 * numbers)
  if (!isSize(dimension, order, count) || read !== count || knots.length !== count + order - 2) {
    throw new ModelFault('a NURBS curve whose counts do not fit')
  }
  toDomain(...getKnotDomain(knots, order - 1))
  const { points, weights } = readControlPoints(data, count, dimension, isRational)
  return { type: 'nurbsCurve', degree: order - 1, points, ...(weights && { weights }), knots }
}

/** Whether numbers are possible sizes of a curve. Modelers create no degrees above 32. */
export function isSize(dimension: number, order: number, count: number): boolean {
  return (dimension === 2 || dimension === 3) && order >= 2 && order <= 33 && count >= order
}

/** Reads control points, divided by their weights, and the weights unless all are one. */
export function readControlPoints(
  data: ChunkReader,
  count: number,
  dimension: number,
  isRational: boolean,
): { points: Xyz[]; weights?: number[] } {
  const points: Xyz[] = []
  const weights: number[] = []
  for (let i = 0; i < count; i++) {
    const [x, y] = [data.float64(), data.float64()]
    const z = dimension === 3 ? data.float64() : 0
    const weight = isRational ? data.float64() : 1
    if (weight === 0) throw new ModelFault('a control point at infinity')
    points.push({ x: x / weight, y: y / weight, z: z / weight })
    weights.push(weight)
  }
  return weights.every((weight) => weight === 1) ? { points } : { points, weights }
}

/** Each segment gets the domain that the polycurve assigns to it. */
function readPolyCurve(data: ChunkReader, depth: number): PolyCurve {
  if (depth > DEEPEST) throw new ModelFault('curves inside curves inside curves')
  data.version()
  const count = data.int32()
  data.skip(8 + 48)
  const parameters = data.float64Array()
  if (count < 1 || parameters.length !== count + 1) throw new ModelFault('a polycurve without parameters')
  const segments = Array.from({ length: count }, (_, i) => {
    const segment = readCurve(data, depth + 1)
    const [start, end] = toDomain(parameters[i]!, parameters[i + 1]!)
    const [from, to] = getDomain(segment)
    return to - from === end - start ? segment : withDomain(segment, start, end)
  })
  return withDomain({ type: 'polyCurve', segments }, parameters[0]!, parameters[count]!)
}
