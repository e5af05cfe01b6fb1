import type {
  DataValue,
  EncodedGeometry,
  UnknownValue,
  Domain as WireDomain,
  Plane as WirePlane,
  Xyz as WireXyz,
} from '@meadow/contract'
import { encodeNumber, formatPath } from '@meadow/document'
import { findLooseBounds } from '@meadow/geometry/loose-bounds'
import { describeGeometry } from '@meadow/geometry/values/describe-geometry'
import { formatValue } from '@meadow/geometry/values/format-value'
import { isGeometry } from '@meadow/geometry/values/is-geometry'
import type { Plane, Xyz } from '@meadow/geometry/values/points'
import type { Colour, Domain, Geometry, Shader, Value } from '@meadow/geometry/values/value'

/** Encodes a geometry as an openNURBS object; undefined for unsupported geometry. Implemented by the host. */
export type EncodeGeometry = (geometry: Geometry) => EncodedGeometry | undefined

/**
 * Encodes a value in the wire format (decision 22), with its openNURBS object if `encodeGeometry` returns one.
 */
export function encodeValue(value: Value | null, encodeGeometry?: EncodeGeometry): DataValue | null {
  if (value === null) return null
  const wire = toWire(value)
  if (!encodeGeometry || !isGeometry(value)) return wire
  const geometry = encodeGeometry(value)
  return geometry ? { ...wire, geometry } : wire
}

function toWire(value: Value): DataValue {
  switch (typeof value) {
    case 'number':
      return { type: 'number', value: encodeNumber(value) }
    case 'boolean':
      return { type: 'boolean', value }
    case 'string':
      return { type: 'string', value }
  }
  switch (value.type) {
    case 'integer':
      return { type: 'integer', value: value.value }
    case 'colour':
      return { type: 'colour', value: encodeColour(value) }
    case 'domain':
      return { type: 'domain', value: encodeDomain(value) }
    case 'path':
      return { type: 'path', value: formatPath(value.path) }
    case 'point':
    case 'vector':
      return { type: value.type, value: encodeXyz(value) }
    case 'plane':
      return { type: 'plane', value: encodePlane(value) }
    case 'line':
      return { type: 'line', value: { from: encodeXyz(value.from), to: encodeXyz(value.to) } }
    case 'polyline':
      return { type: 'polyline', value: value.vertices.map(encodeXyz) }
    case 'circle':
      return {
        type: 'circle',
        value: { plane: encodePlane(value.plane), radius: encodeNumber(value.radius) },
      }
    case 'arc':
      return {
        type: 'arc',
        value: {
          plane: encodePlane(value.plane),
          radius: encodeNumber(value.radius),
          startAngle: encodeNumber(value.startAngle),
          endAngle: encodeNumber(value.endAngle),
        },
      }
    case 'rectangle':
      return {
        type: 'rectangle',
        value: { plane: encodePlane(value.plane), x: encodeDomain(value.x), y: encodeDomain(value.y) },
      }
    case 'box':
      return {
        type: 'box',
        value: {
          plane: encodePlane(value.plane),
          x: encodeDomain(value.x),
          y: encodeDomain(value.y),
          z: encodeDomain(value.z),
        },
      }
    case 'nurbsCurve':
    case 'polyCurve':
      return { type: 'curve', value: summarise(value) }
    case 'nurbsSurface':
      return { type: 'surface', value: summarise(value) }
    case 'brep':
    case 'mesh':
      return { type: value.type, value: summarise(value) }
    case 'shader':
      return { type: 'unknown', value: describeMaterial(value) }
    case 'opaque':
      return value.wire
    default:
      return { type: 'unknown', value: { description: formatValue(value) } }
  }
}

/**
 * Describes a material in the form that an import writes, so that it can be decoded. The shine of a shader goes to 100.
 */
function describeMaterial(shader: Shader): UnknownValue {
  const { diffuse, specular, emission, transparency, shine } = shader
  const colours = {
    diffuse: encodeColour(diffuse),
    specular: encodeColour(specular),
    emission: encodeColour(emission),
  }
  return {
    description: formatValue(shader),
    kind: 'material',
    properties: { ...colours, transparency, shine: shine / 100 },
  }
}

function summarise(geometry: Geometry) {
  const bounds = findLooseBounds(geometry)
  const boundingBox: [WireXyz, WireXyz] | null = bounds
    ? [encodeXyz(bounds.min), encodeXyz(bounds.max)]
    : null
  return { description: describeGeometry(geometry), boundingBox }
}

function encodeXyz({ x, y, z }: Xyz): WireXyz {
  return [encodeNumber(x), encodeNumber(y), encodeNumber(z)]
}

function encodeDomain({ start, end }: Domain): WireDomain {
  return { start: encodeNumber(start), end: encodeNumber(end) }
}

function encodePlane({ origin, xAxis, yAxis }: Plane): WirePlane {
  return { origin: encodeXyz(origin), xAxis: encodeXyz(xAxis), yAxis: encodeXyz(yAxis) }
}

/** `#rrggbbaa` */
function encodeColour({ red, green, blue, alpha }: Colour): string {
  return `#${[red, green, blue, alpha].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
