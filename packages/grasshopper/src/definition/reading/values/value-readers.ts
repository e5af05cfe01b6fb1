import { type DataValue, type Domain, encodeNumber, type Plane, type Xyz } from '@meadow/document'
import type { Chunk, ItemValues } from '../../../archive/tree/archive.ts'
import { findItem } from '../../../archive/tree/find.ts'
import { formatColour } from '../../model/colour.ts'
import { findText } from '../../model/text.ts'

/** Reads a value from the items of its chunk; undefined if they have other types. */
export type ValueReader = (chunk: Chunk) => DataValue | null | undefined

/**
 * Parsers by the names of all items, sorted and joined by `,`, without those that any value may have (a class, a
 * reference to a Rhino model). Plug-ins use the same names together with others for different values.
 */
export const VALUE_READERS: ReadonlyMap<string, ValueReader> = new Map<string, ValueReader>([
  ['number', readNumber],
  ['boolean', readBoolean],
  ['string', readString],
  ['null_string,string', readString],
  ['null_string', readString],
  ['color', readColour],
  ['vector', readVector],
  ['Coordinate', readPoint],
  ['plane', readPlane],
  ['Line', readLine],
  ['Plane,Radius', readCircle],
  ['Plane,Size', readRectangle],
  ['Plane,X,Y,Z', readBox],
  ['Interval', readDomain],
  ['path', readPath],
])

function wrap<T>(item: T | undefined, make: (item: T) => DataValue): DataValue | undefined {
  return item === undefined ? undefined : make(item)
}

/** Numbers and integers have the same item name and differ in its type. */
function readNumber(chunk: Chunk): DataValue | undefined {
  const integer = findItem(chunk, 'number', 'int32') ?? toSafe(findItem(chunk, 'number', 'int64'))
  if (integer !== undefined) return { type: 'integer', value: integer }
  const number = findItem(chunk, 'number', 'double') ?? findItem(chunk, 'number', 'single')
  return wrap(number, (it) => ({ type: 'number', value: encodeNumber(it) }))
}

function toSafe(long: bigint | undefined): number | undefined {
  return long !== undefined && Number.isSafeInteger(Number(long)) ? Number(long) : undefined
}

function readBoolean(chunk: Chunk): DataValue | undefined {
  return wrap(findItem(chunk, 'boolean', 'bool'), (value) => ({ type: 'boolean', value }))
}

function readString(chunk: Chunk): DataValue | null | undefined {
  if (findItem(chunk, 'null_string', 'bool')) return null
  return wrap(findText(chunk, 'string'), (value) => ({ type: 'string', value }))
}

function readColour(chunk: Chunk): DataValue | undefined {
  const colour = findItem(chunk, 'color', 'drawing_color')
  return wrap(colour, (it) => ({ type: 'colour', value: formatColour(it) }))
}

function readVector(chunk: Chunk): DataValue | undefined {
  return wrap(findItem(chunk, 'vector', 'point3d'), (it) => ({ type: 'vector', value: toXyz(it) }))
}

function readPoint(chunk: Chunk): DataValue | undefined {
  return wrap(findItem(chunk, 'Coordinate', 'point3d'), (it) => ({ type: 'point', value: toXyz(it) }))
}

function readPlane(chunk: Chunk): DataValue | undefined {
  return wrap(findItem(chunk, 'plane', 'plane'), (it) => ({ type: 'plane', value: toPlane(it) }))
}

function readLine(chunk: Chunk): DataValue | undefined {
  return wrap(findItem(chunk, 'Line', 'line'), ({ from, to }) => ({
    type: 'line',
    value: { from: toXyz(from), to: toXyz(to) },
  }))
}

function readCircle(chunk: Chunk): DataValue | undefined {
  const plane = findItem(chunk, 'Plane', 'plane')
  const radius = findItem(chunk, 'Radius', 'double')
  if (!plane || radius === undefined) return undefined
  return { type: 'circle', value: { plane: toPlane(plane), radius: encodeNumber(radius) } }
}

function readRectangle(chunk: Chunk): DataValue | undefined {
  const plane = findItem(chunk, 'Plane', 'plane')
  const size = findItem(chunk, 'Size', 'interval2d')
  if (!plane || !size) return undefined
  return { type: 'rectangle', value: { plane: toPlane(plane), x: toDomain(size.u), y: toDomain(size.v) } }
}

function readBox(chunk: Chunk): DataValue | undefined {
  const plane = findItem(chunk, 'Plane', 'plane')
  const [x, y, z] = ['X', 'Y', 'Z'].map((name) => findItem(chunk, name, 'interval1d'))
  if (!plane || !x || !y || !z) return undefined
  return { type: 'box', value: { plane: toPlane(plane), x: toDomain(x), y: toDomain(y), z: toDomain(z) } }
}

function readDomain(chunk: Chunk): DataValue | undefined {
  return wrap(findItem(chunk, 'Interval', 'interval1d'), (it) => ({ type: 'domain', value: toDomain(it) }))
}

function readPath(chunk: Chunk): DataValue | undefined {
  return wrap(findText(chunk, 'path'), (value) => ({ type: 'path', value }))
}

function toXyz({ x, y, z }: ItemValues['point3d']): Xyz {
  return [encodeNumber(x), encodeNumber(y), encodeNumber(z)]
}

function toDomain({ a, b }: ItemValues['interval1d']): Domain {
  return { start: encodeNumber(a), end: encodeNumber(b) }
}

function toPlane({ origin, xAxis, yAxis }: ItemValues['plane']): Plane {
  return { origin: toXyz(origin), xAxis: toXyz(xAxis), yAxis: toXyz(yAxis) }
}
