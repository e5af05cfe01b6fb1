import type { DataValue, ValueType } from '@meadow/contract'
import { type Detail, type Drawing, drawGeometry } from '@meadow/drawing'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { decodeValue } from '@meadow/geometry/values/decode-value'
import { isGeometry } from '@meadow/geometry/values/is-geometry'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Colour, Value } from '@meadow/geometry/values/value'
import { decodeGeometry } from '@meadow/model/decode'

/** The types of values that have a shape. Planes and vectors have none. */
const SHAPES: ReadonlySet<ValueType> = new Set<ValueType>([
  'point',
  'line',
  'polyline',
  'circle',
  'arc',
  'rectangle',
  'box',
  'curve',
  'surface',
  'brep',
  'mesh',
])

/** Whether a value has a shape, or an object of a Rhino model that might. */
export const hasShape = ({ type, geometry }: DataValue): boolean =>
  SHAPES.has(type) || (geometry !== undefined && type !== 'plane' && type !== 'vector')

/** The drawing of a value. */
export interface Shape {
  /** Three numbers for each vertex. */
  positions: readonly number[]
  /** Unit vectors, three numbers for each vertex. */
  normals: readonly number[]
  /** Three vertices for each triangle, counter-clockwise as seen from outside. */
  triangles: readonly number[]
  /** The colours of the vertices of a mesh. */
  colours?: readonly Colour[]
  lines: readonly (readonly Xyz[])[]
  points: readonly Xyz[]
}

export interface ShapeOptions {
  detail: Detail
  /** Whether the shape includes curves. `hasEdges` is the same for the edges of surfaces and solids. */
  hasCurves: boolean
  hasEdges: boolean
  hasPoints: boolean
}

/**
 * Decodes values of the API, each that occurs several times once: equal ones are the same object, as in the solver,
 * where nodes that pass a value on share it.
 */
export interface DecodeCache {
  decode(value: DataValue | null): Value | null
  /** Returns the shape of a value; undefined where its geometry is not in the response, or cannot be drawn. */
  draw(value: Value): Shape | undefined
}

export function createDecodeCache(options: ShapeOptions): DecodeCache {
  const decoded = new Map<DataValue, Value | null>()
  const findEqual = createTextIndex<Value | null>()
  const drawn = new Map<Value, Shape | undefined>()
  return {
    decode(value) {
      if (value === null) return null
      const known = decoded.get(value)
      if (known !== undefined) return known
      const text = value.geometry ? value.geometry.data : `${value.type} ${JSON.stringify(value.value)}`
      const found = findEqual(text, () => decodeValue(value, decodeGeometry))
      decoded.set(value, found)
      return found
    },
    draw(value) {
      if (!drawn.has(value)) drawn.set(value, drawValue(value, options))
      return drawn.get(value)
    },
  }
}

const SAMPLES = 512

/**
 * Creates an index that remembers one thing for each text. A `Map` of texts would take minutes: for those of more than
 * 16,000 characters, V8 uses the length as the hash, and geometry of one kind has one length.
 */
function createTextIndex<T>(): (text: string, create: () => T) => T {
  const buckets = new Map<number, { text: string; found: T }[]>()
  return (text, create) => {
    let hash = text.length
    const step = Math.max(1, text.length / SAMPLES)
    for (let at = 0; at < text.length; at += step) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
    const bucket = buckets.get(hash) ?? []
    const known = bucket.find((entry) => entry.text === text)
    if (known) return known.found
    const found = create()
    bucket.push({ text, found })
    buckets.set(hash, bucket)
    return found
  }
}

function drawValue(value: Value, options: ShapeOptions): Shape | undefined {
  if (!isGeometry(value)) return undefined
  const drawing = drawGeometry(value.type === 'box' ? (toBrep(value) ?? value) : value, options.detail)
  const shape = drawing && toShape(drawing, options)
  if (!shape || !fitsFloats(shape)) return undefined
  const isColoured = value.type === 'mesh' && value.colours?.length === value.vertices.length
  return isColoured ? { ...shape, colours: value.colours ?? [] } : shape
}

function toShape(drawing: Drawing, { hasCurves, hasEdges, hasPoints }: ShapeOptions): Shape {
  const { positions, normals, triangles, curves, edges, points } = drawing
  const lines = [...(hasCurves ? curves : []), ...(hasEdges ? edges : [])].filter(({ length }) => length > 1)
  return { positions, normals, triangles, lines, points: hasPoints ? points : [] }
}

export const isEmpty = ({ triangles, lines, points }: Shape): boolean =>
  triangles.length === 0 && lines.length === 0 && points.length === 0

/** The largest coordinate: larger ones would be infinite in a file. */
const MAX_COORDINATE = 1e30

const fitsFloats = ({ positions, lines, points }: Shape): boolean =>
  positions.every((number) => Math.abs(number) < MAX_COORDINATE) &&
  [...lines, points].every((list) =>
    list.every(({ x, y, z }) => Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) < MAX_COORDINATE),
  )
