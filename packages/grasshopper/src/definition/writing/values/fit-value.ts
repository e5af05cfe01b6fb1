import { type DataValue, decodeNumber, SUMMARISED, type ValueType } from '@meadow/document'
import { findGeometryClass } from './pack-geometry.ts'

/** A value as the type of a port holds it. `how` is set if the user should know. */
export interface Fitted {
  value: DataValue
  how?: 'converted' | 'uncertain'
}

/** The values that ports of a type hold. Other types (Guid, Shader …) hold no values that a document can contain. */
const HELD: Readonly<Record<string, readonly ValueType[]>> = {
  Boolean: ['boolean'],
  Integer: ['integer'],
  Number: ['number'],
  Text: ['string'],
  'File Path': ['string'],
  Colour: ['colour'],
  Domain: ['domain'],
  Vector: ['vector'],
  Plane: ['plane'],
  Point: ['point'],
  Line: ['line'],
  Circle: ['circle'],
  Rectangle: ['rectangle'],
  Box: ['box'],
  'Data Path': ['path'],
  Curve: ['curve'],
  Surface: ['surface', 'brep'],
  Brep: ['brep', 'surface'],
  Mesh: ['mesh'],
  SubD: ['unknown'],
}

/** The types that hold values of any type, each with its class. */
const ANY_TYPES: readonly string[] = ['Data', 'Geometry', 'Script Variable', 'Script Parameter', 'Variant']
/** The values that a Geometry port cannot hold. */
const NO_GEOMETRY: readonly ValueType[] = [
  'boolean',
  'integer',
  'number',
  'string',
  'colour',
  'domain',
  'path',
]

export function holdsAny(typeName: string): boolean {
  return ANY_TYPES.includes(typeName)
}

/** The value as a port of this type holds it, converted as in Grasshopper; undefined if it cannot hold the value. */
export function fitValue(value: DataValue, typeName: string): Fitted | undefined {
  if (value.type === 'integer' && !isInt32(value.value)) return undefined
  if (typeName === 'Unknown') return { value: asCurve(value) ?? value }
  if (holdsAny(typeName)) return fitAny(value, typeName)
  const held = HELD[typeName]
  // A reference to a Rhino model is stored as an id for any type.
  if (value.type === 'unknown' && value.referenceId !== undefined) return { value }
  if (held?.includes(value.type)) return { value, ...checkClass(value, typeName) }
  const converted = held?.[0] && convert(value, held[0])
  if (!converted) return undefined
  return isLossless(value, converted) ? { value: converted } : { value: converted, how: 'converted' }
}

function fitAny(value: DataValue, typeName: string): Fitted | undefined {
  if (typeName === 'Geometry' && NO_GEOMETRY.includes(value.type)) return undefined
  const curve = asCurve(value)
  if (curve) return { value: curve, how: 'converted' }
  return { value, ...checkClass(value, 'Data') }
}

/** Grasshopper stores surfaces as breps with one face; only recent versions store extrusions. */
function checkClass(value: DataValue, typeName: string): Pick<Fitted, 'how'> {
  if (!value.geometry || !['surface', 'brep'].includes(value.type)) return {}
  const className = findGeometryClass(value)
  const isUsual = className === 'Brep' || (className === 'Extrusion' && typeName === 'Data')
  return isUsual ? {} : { how: 'uncertain' }
}

/** Files have no polylines and arcs; those with geometry become curves. */
function asCurve(value: DataValue): DataValue | undefined {
  const { type, geometry } = value
  if ((type !== 'polyline' && type !== 'arc') || !geometry) return undefined
  return { type: 'curve', value: { description: type, boundingBox: null }, geometry }
}

/** An integer is the same value in both number types. */
function isLossless(a: DataValue, b: DataValue): boolean {
  return typeof a.value === 'number' && a.value === b.value
}

function convert(value: DataValue, type: ValueType): DataValue | undefined {
  switch (type) {
    case 'number':
    case 'integer':
      return toNumeric(value, type)
    case 'string':
      return isPlain(value) ? { type, value: String(value.value) } : undefined
    case 'boolean':
      return value.type === 'number' || value.type === 'integer'
        ? { type, value: value.value !== 0 }
        : undefined
    case 'point':
      return value.type === 'vector' ? { type, value: value.value } : undefined
    case 'vector':
      return value.type === 'point' ? { type, value: value.value } : undefined
    case 'curve':
    case 'brep':
    case 'mesh':
      return withGeometry(value, type)
    default:
      return undefined
  }
}

const isPlain = ({ type }: DataValue) => ['boolean', 'integer', 'number', 'path'].includes(type)

function toNumeric(value: DataValue, type: 'number' | 'integer'): DataValue | undefined {
  const number = toNumber(value)
  if (number === undefined || Number.isNaN(number)) return undefined
  if (type === 'number') return { type, value: number }
  const whole = Math.round(number)
  return isInt32(whole) ? { type, value: whole } : undefined
}

function isInt32(value: number): boolean {
  return value === (value | 0)
}

function toNumber(value: DataValue): number | undefined {
  if (value.type === 'boolean') return value.value ? 1 : 0
  if (value.type === 'integer' || value.type === 'number') return decodeNumber(value.value)
  return value.type === 'string' && value.value.trim() !== '' ? Number(value.value) : undefined
}

const CURVE_TYPES: readonly ValueType[] = ['polyline', 'arc', 'line', 'circle', 'rectangle']

/** Converts a value with a short form to the geometry that it carries. */
function withGeometry(value: DataValue, type: 'curve' | 'brep' | 'mesh'): DataValue | undefined {
  const { geometry } = value
  const fits = type === 'curve' ? CURVE_TYPES.includes(value.type) : type === 'brep' && value.type === 'box'
  if (!geometry || !fits || SUMMARISED.includes(value.type)) return undefined
  return { type, value: { description: value.type, boundingBox: null }, geometry }
}
