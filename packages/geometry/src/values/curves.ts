import type { Plane, Xyz } from './points.ts'
import type { Curve, Domain } from './value.ts'

/** The domain of a curve if it differs from the default (`getCurveDomain`), as after reparameterising. */
interface WithDomain {
  readonly domain?: Domain
}

export interface Line extends WithDomain {
  readonly type: 'line'
  readonly from: Xyz
  readonly to: Xyz
}

/** A polyline, which is closed when its last vertex repeats the first. */
export interface Polyline extends WithDomain {
  readonly type: 'polyline'
  readonly vertices: readonly Xyz[]
}

/** A circle that runs counter-clockwise in its plane, from the plane's x axis. */
export interface Circle extends WithDomain {
  readonly type: 'circle'
  readonly plane: Plane
  readonly radius: number
}

/** An arc that runs counter-clockwise in its plane from `startAngle` to `endAngle`, which is the larger one. */
export interface Arc extends WithDomain {
  readonly type: 'arc'
  readonly plane: Plane
  readonly radius: number
  readonly startAngle: number
  readonly endAngle: number
}

/** A rectangle that runs from the corner at the starts of `x` and `y`, along x first. */
export interface Rectangle extends WithDomain {
  readonly type: 'rectangle'
  readonly plane: Plane
  readonly x: Domain
  readonly y: Domain
}

/**
 * `knots` as in openNURBS and Grasshopper: `points.length + degree - 1` of them, without the superfluous one at
 * each end. `weights` is omitted when all are one; points are not multiplied by their weights.
 */
export interface NurbsCurve {
  readonly type: 'nurbsCurve'
  readonly degree: number
  readonly points: readonly Xyz[]
  readonly weights?: readonly number[]
  readonly knots: readonly number[]
}

/** Consecutive curves; the parameter runs through the domains of the segments in order. */
export interface PolyCurve extends WithDomain {
  readonly type: 'polyCurve'
  readonly segments: readonly Curve[]
}

export function line(from: Xyz, to: Xyz): Line {
  return { type: 'line', from, to }
}

export function polyline(vertices: readonly Xyz[]): Polyline {
  return { type: 'polyline', vertices }
}

export function circle(plane: Plane, radius: number): Circle {
  return { type: 'circle', plane, radius }
}

export function arc(plane: Plane, radius: number, startAngle: number, endAngle: number): Arc {
  return { type: 'arc', plane, radius, startAngle, endAngle }
}

const CURVES: ReadonlySet<string> = new Set<Curve['type']>([
  'line',
  'polyline',
  'circle',
  'arc',
  'rectangle',
  'nurbsCurve',
  'polyCurve',
])

export function isCurve(value: unknown): value is Curve {
  return typeof value === 'object' && value !== null && 'type' in value && CURVES.has(String(value.type))
}
