import { type DataValue, decodeNumber, type ValueType } from '@meadow/document'
import { SUMMARISED } from '../../compare/same-tree.ts'
import { findGeometryClass } from './pack-geometry.ts'

/** A value as a port's type can hold it. `how` tells what became of it, where that is worth a word. */
export interface Fitted {
  value: DataValue
  how?: 'converted' | 'uncertain'
}

/** What ports of a type hold. Those that are not here (Guid, Shader …) hold nothing that a document can tell. */
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

/** The types that hold values of any kind, each with its class beside it. */
const ANY_TYPES: readonly string[] = ['Data', 'Geometry', 'Script Variable', 'Script Parameter', 'Variant']
/** What a Geometry port does not hold. */
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

/** The value as a port of this type holds it, converted as Grasshopper does; undefined for what it cannot hold. */
export function fitValue(value: DataValue, typeName: string): Fitted | undefined {
  if (value.type === 'integer' && !isInt32(value.value)) return undefined
  if (typeName === 'Unknown') return { value: asCurve(value) ?? value }
  if (holdsAny(typeName)) return fitAny(value, typeName)
  const held = HELD[typeName]
  // What stands in a Rhino model alone is an id, whatever it is.
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

/** Grasshopper keeps surfaces as breps with one face, and only the newest an extrusion as it is. */
function checkClass(value: DataValue, typeName: string): Pick<Fitted, 'how'> {
  if (!value.geometry || !['surface', 'brep'].includes(value.type)) return {}
  const className = findGeometryClass(value)
  const isUsual = className === 'Brep' || (className === 'Extrusion' && typeName === 'Data')
  return isUsual ? {} : { how: 'uncertain' }
}

/** Polylines and arcs have no form of their own in files; those that carry their geometry are curves. */
function asCurve(value: DataValue): DataValue | undefined {
  const { type, geometry } = value
  if ((type !== 'polyline' && type !== 'arc') || !geometry) return undefined
  return { type: 'curve', value: { description: type, boundingBox: null }, geometry }
}

/** A whole number is as good of the one type as of the other. */
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

/** A value that has a short form, as the geometry that it carries. */
function withGeometry(value: DataValue, type: 'curve' | 'brep' | 'mesh'): DataValue | undefined {
  const { geometry } = value
  const fits = type === 'curve' ? CURVE_TYPES.includes(value.type) : type === 'brep' && value.type === 'box'
  if (!geometry || !fits || SUMMARISED.includes(value.type)) return undefined
  return { type, value: { description: value.type, boundingBox: null }, geometry }
}
