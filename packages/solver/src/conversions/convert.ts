import { findPath, type Path } from '@meadow/document'
import { toBrep, toSurface } from '@meadow/geometry/breps/to-brep'
import { reserveText } from '@meadow/geometry/budget/budget'
import type { meshBrep } from '@meadow/geometry/meshing/mesh-brep'
import { DEFAULT_SETTINGS } from '@meadow/geometry/meshing/mesh-settings'
import { getSurface } from '@meadow/geometry/surfaces/get-surface'
import { createCornerSurface } from '@meadow/geometry/surfaces/ruled'
import { findTightBounds } from '@meadow/geometry/tight-bounds'
import type { Brep } from '@meadow/geometry/values/brep'
import { getCurveDomain, getSurfaceDomains } from '@meadow/geometry/values/curve-domain'
import { isCurve } from '@meadow/geometry/values/curves'
import { formatValue, hasText } from '@meadow/geometry/values/format-value'
import { isGeometry } from '@meadow/geometry/values/is-geometry'
import type { MeshFace } from '@meadow/geometry/values/mesh'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import { pointAt, WORLD_XY } from '@meadow/geometry/values/planes'
import { type Box, toXyz } from '@meadow/geometry/values/points'
import { toShader } from '@meadow/geometry/values/shader'
import {
  type Colour,
  type Complex,
  type Curve,
  type Domain,
  type Domain2,
  domain,
  integer,
  kindOf,
  pathValue,
  type Shader,
  type Value,
} from '@meadow/geometry/values/value'
import { length } from '@meadow/geometry/values/vector'
import { findColour, findDomain, findFace } from './from-text.ts'
import type { PortType, PortValues } from './port-types.ts'
import { toArc, toCircle, toCurve, toLine, toRectangle } from './to-curve.ts'
import { toBoolean, toInteger, toNumber } from './to-number.ts'
import { toPlaneValue, toPointValue, toVectorValue } from './to-point.ts'

type Converters = { readonly [T in PortType]: (value: Value) => PortValues[T] | undefined }

const ofKind =
  <K extends string>(kind: K) =>
  (value: Value): Extract<Value, { type: K }> | undefined =>
    kindOf(value) === kind ? (value as Extract<Value, { type: K }>) : undefined

/** The conversions of a value to each type of port (rules C-1 to C-22, `CONVERSIONS`); undefined if it has none. */
const CONVERTERS: Converters = {
  any: (value) => value,
  boolean: toBoolean,
  integer: toInteger,
  number: (value) => toNumber(value) ?? measure(value),
  text: toText,
  complex: toComplex,
  time: ofKind('time'),
  colour: toColour,
  domain: toDomain,
  domain2: toDomain2,
  path: toPath,
  point: toPointValue,
  vector: toVectorValue,
  plane: toPlaneValue,
  line: toLine,
  circle: toCircle,
  arc: toArc,
  rectangle: toRectangle,
  box: toBox,
  curve: toCurve,
  surface: (value) => toSurface(value) ?? toFlatSurface(value),
  brep: toBrep,
  mesh: ofKind('mesh'),
  meshFace: toFace,
  geometry: (value) =>
    kindOf(value) === 'vector' ? toPointValue(value) : isGeometry(value) ? value : undefined,
  group: (value) => (isGeometry(value) ? toGroup(value) : undefined),
  transform: ofKind('transform'),
  matrix: ofKind('matrix'),
  twistedBox: ofKind('twistedBox'),
  shader: readShader,
  opaque: ofKind('opaque'),
}

/** Makers of shapes. They are handed over, so that a bundle that only reads values has none of their code. */
export interface ShapeMakers {
  readonly meshBrep: typeof meshBrep
  /** The flat face inside a closed curve; undefined for other curves. */
  readonly fillOutline: (outline: Curve) => Brep | undefined
}

/**
 * Converts a value to the type of a port; undefined where there is no conversion. Without makers breps become no meshes,
 * and curves no breps.
 */
export function convert<T extends PortType>(
  value: Value,
  type: T,
  makers?: ShapeMakers,
): PortValues[T] | undefined {
  const converted = CONVERTERS[type](value) as PortValues[T] | undefined
  if (converted !== undefined || !makers) return converted
  if ((type === 'brep' || type === 'surface') && isCurve(value))
    return makers.fillOutline(value) as PortValues[T] | undefined
  const brep = type === 'mesh' ? toBrep(value) : undefined
  return brep && (makers.meshBrep(brep, DEFAULT_SETTINGS) as PortValues[T])
}

/** Converts the result of a kind back into a value: integers and paths get their type tag again. */
export function toValue(native: unknown, type: PortType): Value {
  if (type === 'integer' && typeof native === 'number') return integer(native)
  if (type === 'path') return pathValue(native as Path)
  return native as Value
}

/** The length of a vector, and the distance of a point from the origin. */
const measure = (value: Value): number | undefined =>
  typeof value === 'object' && (value.type === 'point' || value.type === 'vector') ? length(value) : undefined

/** What Grasshopper writes for complex numbers and times is not published, or depends on the computer. */
function toText(value: Value): string | undefined {
  if (typeof value === 'string') return value
  if (!hasText(value)) return undefined
  const text = formatValue(value)
  reserveText(text.length)
  return text
}

/** A number has no imaginary part. */
function toComplex(value: Value): Complex | undefined {
  if (typeof value === 'object' && value.type === 'complex') return value
  const real = typeof value === 'number' || kindOf(value) === 'integer' ? toNumber(value) : undefined
  return real === undefined || Number.isNaN(real) ? undefined : { type: 'complex', real, imaginary: 0 }
}

function toColour(value: Value): Colour | undefined {
  if (typeof value === 'string') return findColour(value)
  if (typeof value !== 'object') return undefined
  if (value.type === 'shader') return value.diffuse
  return value.type === 'colour' ? value : undefined
}

function readShader(value: Value): Shader | undefined {
  if (typeof value === 'object' && value.type === 'shader') return value
  const diffuse = toColour(value)
  if (!diffuse) return undefined
  return toShader(diffuse)
}

/** A single number is the domain from 0 to that number. */
function toDomain(value: Value): Domain | undefined {
  if (typeof value === 'string') return findDomain(value)
  if (isCurve(value)) return getCurveDomain(value)
  if (typeof value === 'object' && value.type === 'domain') return value
  const end = toNumber(value)
  return end === undefined ? undefined : domain(0, end)
}

function toDomain2(value: Value): Domain2 | undefined {
  if (typeof value === 'object' && value.type === 'domain2') return value
  const surface = toSurface(value)
  return surface && { type: 'domain2', ...getSurfaceDomains(getSurface(surface).surface) }
}

/** Returns the rectangle of a box without height; undefined for a line or a point. */
function toFlatSurface(value: Value): NurbsSurface | undefined {
  if (typeof value !== 'object' || value.type !== 'box') return undefined
  const { plane, x, y, z } = value
  if (z.start !== z.end || x.start === x.end || y.start === y.end) return undefined
  const corner = (u: number, v: number) => toXyz(pointAt(plane, u, v, z.start))
  return createCornerSurface(
    corner(x.start, y.start),
    corner(x.end, y.start),
    corner(x.end, y.end),
    corner(x.start, y.end),
  )
}

/** The remark on a mesh that was made of a brep. */
export const OTHER_MESH = 'The mesh approximates the same surface as in Rhino, with other vertices and faces'

function toFace(value: Value): MeshFace | undefined {
  if (typeof value === 'string') return findFace(value)
  return typeof value === 'object' && value.type === 'meshFace' ? value : undefined
}

/** A single integer is a path with one index. */
function toPath(value: Value): Path | undefined {
  if (typeof value === 'object' && value.type === 'path') return value.path
  const path = typeof value === 'string' ? findPath(value) : undefined
  if (path) return path
  const index = toInteger(value)
  return index === undefined ? undefined : [index]
}

/** A box is returned unchanged, other geometry as its bounding box along the world axes. */
function toBox(value: Value): Box | undefined {
  if (!isGeometry(value)) return undefined
  if (value.type === 'box') return value
  const bounds = findTightBounds(value, WORLD_XY)
  if (!bounds) return undefined
  const { min, max } = bounds
  return {
    type: 'box',
    plane: WORLD_XY,
    x: domain(min.x, max.x),
    y: domain(min.y, max.y),
    z: domain(min.z, max.z),
  }
}

function toGroup(value: PortValues['geometry']): PortValues['group'] {
  return value.type === 'group' ? value : { type: 'group', members: [value] }
}
