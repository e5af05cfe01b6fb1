import type { DataValue } from '@meadow/contract'
import type { Path } from '@meadow/document'
import type { Brep } from './brep.ts'
import type { Arc, Circle, Line, NurbsCurve, PolyCurve, Polyline, Rectangle } from './curves.ts'
import type { Mesh, MeshFace } from './mesh.ts'
import type { NurbsSurface } from './nurbs-surface.ts'
import type { Box, Plane, Point, Vector } from './points.ts'

/**
 * What flows along wires. A number, a truth value and a text are JavaScript's own; all else tells its `type`.
 * Values are never changed once made, so they are shared freely between branches and nodes.
 * Lengths are in the document's unit, angles in radians.
 */
export type Value =
  | number
  | boolean
  | string
  | Integer
  | Colour
  | Domain
  | Domain2
  | PathValue
  | Transform
  | Shader
  | MeshFace
  | Vector
  | Geometry
  | Opaque

/** What has a point in space and can be moved. */
export type Geometry = Point | Plane | Curve | Box | NurbsSurface | Brep | Mesh | Group

export type Curve = Line | Polyline | Circle | Arc | Rectangle | NurbsCurve | PolyCurve

/** One surface: whole, or trimmed as the only face of a brep. */
export type Surface = NurbsSurface | Brep

/** A whole number that is told apart from `3.0`, as the wire does. */
export interface Integer {
  readonly type: 'integer'
  readonly value: number
}

/** Red, green, blue and alpha from 0 to 255. */
export interface Colour {
  readonly type: 'colour'
  readonly red: number
  readonly green: number
  readonly blue: number
  readonly alpha: number
}

/** From `start` to `end`, which may be the smaller one. */
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

/** A 4 by 4 matrix, row by row; it multiplies column vectors. */
export interface Transform {
  readonly type: 'transform'
  readonly matrix: readonly number[]
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

/** What the solver passes on but cannot look into: it keeps its form on the wire. */
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
