import type { DataValue } from '@meadow/contract'
import type { Path } from '@meadow/document'
import type { Brep } from './brep.ts'
import type { Arc, Circle, Line, NurbsCurve, PolyCurve, Polyline, Rectangle } from './curves.ts'
import type { Mesh, MeshFace } from './mesh.ts'
import type { NurbsSurface } from './nurbs-surface.ts'
import type { Box, Plane, Point, TwistedBox, Vector } from './points.ts'

/**
 * A value on a wire. Numbers, booleans and texts are JavaScript primitives; all others have a `type`. Values
 * are immutable, so branches and nodes share them. Lengths are in the document's unit, angles in radians.
 */
export type Value =
  | number
  | boolean
  | string
  | Integer
  | Complex
  | Time
  | Colour
  | Domain
  | Domain2
  | PathValue
  | Transform
  | Matrix
  | Shader
  | MeshFace
  | Vector
  | TwistedBox
  | Geometry
  | Opaque

/** Values that can be transformed. */
export type Geometry = Point | Plane | Curve | Box | NurbsSurface | Brep | Mesh | Group

export type Curve = Line | Polyline | Circle | Arc | Rectangle | NurbsCurve | PolyCurve

/** An untrimmed surface, or a brep with a single face. */
export type Surface = NurbsSurface | Brep

/** An integer, distinct from the number `3.0`, as in the wire format. */
export interface Integer {
  readonly type: 'integer'
  readonly value: number
}

/** A number with a real and an imaginary part. */
export interface Complex {
  readonly type: 'complex'
  readonly real: number
  readonly imaginary: number
}

/**
 * A date with a time of day, or a time of day alone. `day` counts the days from 1 January 1970 on in the Gregorian
 * calendar, also before it was in use, `ms` the milliseconds from midnight on.
 */
export interface Time {
  readonly type: 'time'
  readonly day: number | null
  readonly ms: number
}

/** Red, green, blue and alpha from 0 to 255. */
export interface Colour {
  readonly type: 'colour'
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly alpha: number
}

/** `end` may be smaller than `start`. */
export interface Domain {
  readonly type: 'domain'
  readonly start: number
  readonly end: number
}

export interface Domain2 {
  readonly type: 'domain2'
  readonly u: Domain
  readonly v: Domain
}

export interface PathValue {
  readonly type: 'path'
  readonly path: Path
}

/** A 4 by 4 matrix in row-major order, for column vectors. */
export interface Transform {
  readonly type: 'transform'
  readonly matrix: readonly number[]
}

/** A grid of numbers of any size, row by row. */
export interface Matrix {
  readonly type: 'matrix'
  readonly rows: number
  readonly columns: number
  readonly values: readonly number[]
}

/** How a surface is drawn. `transparency` from 0 to 1, `shine` from 0 to 100. */
export interface Shader {
  readonly type: 'shader'
  readonly diffuse: Colour
  readonly specular: Colour
  readonly emission: Colour
  readonly transparency: number
  readonly shine: number
}

export interface Group {
  readonly type: 'group'
  readonly members: readonly Geometry[]
}

/** A value that the solver passes on unchanged, in its wire format. */
export interface Opaque {
  readonly type: 'opaque'
  readonly wire: DataValue
}

type Tagged = Extract<Value, { type: string }>
export type ValueKind = 'number' | 'boolean' | 'text' | Tagged['type']

const PRIMITIVES = { number: 'number', boolean: 'boolean', string: 'text' } as const

export function kindOf(value: Value): ValueKind {
  return typeof value === 'object' ? value.type : PRIMITIVES[typeof value as keyof typeof PRIMITIVES]
}

export function integer(value: number): Integer {
  return { type: 'integer', value }
}

export function domain(start: number, end: number): Domain {
  return { type: 'domain', start, end }
}

export function colour(red: number, green: number, blue: number, alpha = 255): Colour {
  return { type: 'colour', red, green, blue, alpha }
}

export function pathValue(path: Path): PathValue {
  return { type: 'path', path }
}
