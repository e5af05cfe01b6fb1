import type {
  DataValue,
  EncodedGeometry,
  UnknownValue,
  Domain as WireDomain,
  Plane as WirePlane,
  Xyz as WireXyz,
} from '@meadow/contract'
import { decodeNumber, findPath } from '@meadow/document'
import { arc, circle, line, polyline } from './curves.ts'
import { quad, triangle } from './mesh.ts'
import { findPlaneFromAxes } from './planes.ts'
import { type Plane, point, vector, type Xyz } from './points.ts'
import { toShader } from './shader.ts'
import {
  type Colour,
  colour,
  type Domain,
  domain,
  type Geometry,
  integer,
  pathValue,
  type Shader,
  type Value,
} from './value.ts'

/** Decodes an openNURBS object; undefined for unsupported objects. Implemented by the host. */
export type DecodeGeometry = (encoded: EncodedGeometry) => Geometry | undefined

/**
 * Decodes a value of the wire format. `decodeGeometry` decodes geometry; geometry that it cannot decode,
 * references to a Rhino model and unknown types stay opaque and are passed on unchanged.
 */
export function decodeValue(wire: DataValue | null, decodeGeometry?: DecodeGeometry): Value | null {
  if (wire === null) return null
  const geometry = wire.geometry && decodeGeometry?.(wire.geometry)
  return geometry ?? fromShape(wire) ?? { type: 'opaque', wire }
}

function fromShape(wire: DataValue): Value | undefined {
  switch (wire.type) {
    case 'boolean':
    case 'string':
      return wire.value
    case 'integer':
      return integer(wire.value)
    case 'number':
      return decodeNumber(wire.value)
    case 'colour':
      return findHexColour(wire.value)
    case 'domain':
      return readDomain(wire.value)
    case 'vector':
      return vector(...readNumbers(wire.value))
    case 'point':
      return point(...readNumbers(wire.value))
    case 'plane':
      return readPlane(wire.value)
    case 'line':
      return line(readXyz(wire.value.from), readXyz(wire.value.to))
    case 'polyline':
      return polyline(wire.value.map(readXyz))
    case 'circle':
      return onPlane(wire.value.plane, (plane) => circle(plane, decodeNumber(wire.value.radius)))
    case 'arc': {
      const { radius, startAngle, endAngle } = wire.value
      return onPlane(wire.value.plane, (plane) =>
        arc(plane, decodeNumber(radius), decodeNumber(startAngle), decodeNumber(endAngle)),
      )
    }
    case 'rectangle': {
      const { x, y } = wire.value
      return onPlane(wire.value.plane, (plane) => ({
        type: 'rectangle',
        plane,
        x: readDomain(x),
        y: readDomain(y),
      }))
    }
    case 'box': {
      const { x, y, z } = wire.value
      return onPlane(wire.value.plane, (plane) => ({
        type: 'box',
        plane,
        x: readDomain(x),
        y: readDomain(y),
        z: readDomain(z),
      }))
    }
    case 'path': {
      const path = findPath(wire.value)
      return path && pathValue(path)
    }
    case 'unknown':
      return readDescribed(wire.value)
    default:
      return undefined
  }
}

function readNumbers([x, y, z]: WireXyz): [number, number, number] {
  return [decodeNumber(x), decodeNumber(y), decodeNumber(z)]
}

function readXyz(xyz: WireXyz): Xyz {
  const [x, y, z] = readNumbers(xyz)
  return { x, y, z }
}

function readDomain({ start, end }: WireDomain): Domain {
  return domain(decodeNumber(start), decodeNumber(end))
}

function readPlane({ origin, xAxis, yAxis }: WirePlane): Plane | undefined {
  return findPlaneFromAxes(readXyz(origin), readXyz(xAxis), readXyz(yAxis))
}

function onPlane<T>(wire: WirePlane, make: (plane: Plane) => T): T | undefined {
  const plane = readPlane(wire)
  return plane && make(plane)
}

/** `#rrggbbaa` */
export function findHexColour(text: string): Colour | undefined {
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text)?.slice(1)
  const [red, green, blue, alpha] = parts?.map((part) => Number.parseInt(part, 16)) ?? []
  if (red === undefined || green === undefined || blue === undefined) return undefined
  return colour(red, green, blue, alpha)
}

const MESH_FACE = /^Mesh face (-?\d+), (-?\d+), (-?\d+), (-?\d+)$/
const MATERIAL = /^Material (#[0-9a-f]{8})$/
/** The description of materials in solutions that were made before materials had properties. */
const SHADER = /^Shader\((\d+),(\d+),(\d+)(?: \((\d+)\))?\)$/

/**
 * What components that nobody changed have at their inputs, as texts that mean the same: the mask of all coordinates, and
 * the invariant culture, whose identifier is 127 and whose name is empty.
 */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ['Coordinate mask 4', 'XYZ'],
  ['Culture 127', ''],
])

/** Types without a wire format, by the descriptions and properties that an import writes. */
function readDescribed(value: UnknownValue): Value | undefined {
  const corners = MESH_FACE.exec(value.description)?.slice(1).map(Number)
  if (corners) {
    const [a = 0, b = 0, c = 0, d = c] = corners
    return d < 0 || d === c ? triangle(a, b, c) : quad(a, b, c, d)
  }
  return TEXTS.get(value.description) ?? readMaterial(value)
}

/**
 * Reads a material. For a property that is missing or has another form, it takes that of its diffuse colour
 * (`toShader`). The shine of a shader goes to 100.
 */
function readMaterial({ description, kind, properties = {} }: UnknownValue): Shader | undefined {
  const named = kind === 'material' ? String(properties.diffuse) : ''
  const diffuse = findHexColour(MATERIAL.exec(description)?.[1] ?? named) ?? readShaderColour(description)
  if (!diffuse) return undefined
  const { specular, emission, transparency, shine } = toShader(diffuse)
  const readColour = (name: string) => findHexColour(String(properties[name]))
  const readShare = (name: string) => {
    const share = properties[name]
    return typeof share === 'number' && share >= 0 && share <= 1 ? share : undefined
  }
  return {
    type: 'shader',
    diffuse,
    specular: readColour('specular') ?? specular,
    emission: readColour('emission') ?? emission,
    transparency: readShare('transparency') ?? transparency,
    shine: 100 * (readShare('shine') ?? shine / 100),
  }
}

function readShaderColour(description: string): Colour | undefined {
  const [red, green, blue, alpha = 255] = (SHADER.exec(description)?.slice(1) ?? []).flatMap((part) =>
    part === undefined ? [] : Number(part),
  )
  return red === undefined || green === undefined || blue === undefined
    ? undefined
    : colour(red, green, blue, alpha)
}
