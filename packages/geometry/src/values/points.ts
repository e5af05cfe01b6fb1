import type { Domain } from './value.ts'

/** Three coordinates, the common part of points and vectors. */
export interface Xyz {
  readonly x: number
  readonly y: number
  readonly z: number
}

export interface Point extends Xyz {
  readonly type: 'point'
}

export interface Vector extends Xyz {
  readonly type: 'vector'
}

/** The axes are perpendicular unit vectors; `zAxis` is the normal. */
export interface Plane {
  readonly type: 'plane'
  readonly origin: Xyz
  readonly xAxis: Xyz
  readonly yAxis: Xyz
  readonly zAxis: Xyz
}

/** The ranges along the axes of the plane, from its origin. */
export interface Box {
  readonly type: 'box'
  readonly plane: Plane
  readonly x: Domain
  readonly y: Domain
  readonly z: Domain
}

/** The image of a box: eight corners, around the bottom, then around the top from the one above the first. */
export interface TwistedBox {
  readonly type: 'twistedBox'
  readonly corners: readonly Xyz[]
}

export function point(x: number, y: number, z: number): Point {
  return { type: 'point', x, y, z }
}

export function vector(x: number, y: number, z: number): Vector {
  return { type: 'vector', x, y, z }
}

export function toPoint({ x, y, z }: Xyz): Point {
  return point(x, y, z)
}

export function toVector({ x, y, z }: Xyz): Vector {
  return vector(x, y, z)
}

/** The coordinates of a point or vector, without its type. */
export function toXyz({ x, y, z }: Xyz): Xyz {
  return { x, y, z }
}
