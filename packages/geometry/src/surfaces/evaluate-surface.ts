import { checkpoint } from '../budget/budget.ts'
import { getSurfaceDomains } from '../values/curve-domain.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { findPlaneAcross, toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import { addScaled, cross, dot, findUnit, length, ORIGIN, scale } from '../values/vector.ts'
import { findBasis } from './basis.ts'

/** A point of a surface and its first derivatives. */
export interface SurfaceTouch {
  readonly point: Xyz
  readonly du: Xyz
  readonly dv: Xyz
}

/** A point of a surface and its first and second derivatives. */
export interface SurfacePoint extends SurfaceTouch {
  readonly duu: Xyz
  readonly duv: Xyz
  readonly dvv: Xyz
}

/** Evaluates a surface; outside the domain the first or last span is extrapolated. */
export function evaluateSurface(surface: NurbsSurface, u: number, v: number): SurfacePoint {
  const sums = sumUp(surface, u, v, 2)
  const touch = toTouch(sums)
  const { point, du, dv } = touch
  const [whole, alongU, alongV] = [at(sums, 0, 0), at(sums, 1, 0), at(sums, 0, 1)]
  const [uu, uv, vv] = [at(sums, 2, 0), at(sums, 1, 1), at(sums, 0, 2)]
  return {
    ...touch,
    duu: divide(whole.w, uu, [2 * alongU.w, du], [uu.w, point]),
    duv: divide(whole.w, uv, [alongU.w, dv], [alongV.w, du], [uv.w, point]),
    dvv: divide(whole.w, vv, [2 * alongV.w, dv], [vv.w, point]),
  }
}

/** Evaluates the point and its first derivatives only. */
export function touchSurface(surface: NurbsSurface, u: number, v: number): SurfaceTouch {
  return toTouch(sumUp(surface, u, v, 1))
}

/** Faster evaluation of many u at one v: the isocurve and its cross derivative are computed once. */
export function touchAlong(surface: NurbsSurface, v: number): (u: number) => SurfaceTouch {
  const { points, weights, degreeU, degreeV, knotsU, knotsV } = surface
  const { first, values } = findBasis(knotsV, degreeV, points[0]?.length ?? 0, v, 1)
  checkpoint(points.length)
  const [here, across] = values.map((factors) =>
    points.map((row, i) => combine(row, weights?.[i], factors, first)),
  )
  return (u) => {
    const alongU = findBasis(knotsU, degreeU, points.length, u, 1)
    const sum = (row: readonly Homogeneous[] | undefined, order: number) =>
      combine(row ?? [], undefined, alongU.values[order] ?? [], alongU.first)
    return toTouch([[sum(here, 0), sum(across, 0)], [sum(here, 1)]])
  }
}

/** Points of a surface with its unit normals, three numbers each. A normal without length is zero. */
export interface SurfaceSamples {
  readonly positions: Float64Array
  readonly normals: Float64Array
}

/**
 * Evaluates a surface at all pairs of parameters, along u first. As exact as `touchSurface`, and several times faster:
 * basis functions are computed once for each parameter, and nothing is allocated for a point.
 */
export function evaluateGrid(
  surface: NurbsSurface,
  us: readonly number[],
  vs: readonly number[],
): SurfaceSamples {
  const { points, weights, degreeU, degreeV, knotsU, knotsV } = surface
  const alongU = us.map((u) => findBasis(knotsU, degreeU, points.length, u, 1))
  const positions = new Float64Array(3 * us.length * vs.length)
  const normals = new Float64Array(positions.length)
  // These hold the point at v of each row, and the derivative there, in homogeneous coordinates.
  const here = new Float64Array(4 * points.length)
  const across = new Float64Array(4 * points.length)
  const sums = new Float64Array(12)
  let at = 0
  for (const v of vs) {
    checkpoint(points.length + us.length)
    const alongV = findBasis(knotsV, degreeV, points[0]?.length ?? 0, v, 1)
    for (let i = 0; i < points.length; i++) {
      const row = points[i] as readonly Xyz[]
      addRow(here, i, row, weights?.[i], alongV.values[0]!, alongV.first)
      addRow(across, i, row, weights?.[i], alongV.values[1]!, alongV.first)
    }
    for (const { first, values } of alongU) {
      addColumns(sums, 0, here, first, values[0]!)
      addColumns(sums, 4, here, first, values[1]!)
      addColumns(sums, 8, across, first, values[0]!)
      writeTouch(positions, normals, at, sums)
      at += 3
    }
  }
  return { positions, normals }
}

/** Writes the combination of a row's points from index `first`. */
function addRow(
  into: Float64Array,
  index: number,
  row: readonly Xyz[],
  weights: readonly number[] | undefined,
  factors: readonly number[],
  first: number,
): void {
  let [x, y, z, w] = [0, 0, 0, 0]
  for (let j = 0; j < factors.length; j++) {
    const point = row[first + j] as Xyz
    const t = (factors[j] as number) * (weights?.[first + j] ?? 1)
    x += t * point.x
    y += t * point.y
    z += t * point.z
    w += t
  }
  const at = 4 * index
  into[at] = x
  into[at + 1] = y
  into[at + 2] = z
  into[at + 3] = w
}

/** Writes the combination of homogeneous points from index `first`. */
function addColumns(
  into: Float64Array,
  at: number,
  points: Float64Array,
  first: number,
  factors: readonly number[],
): void {
  let [x, y, z, w] = [0, 0, 0, 0]
  for (let j = 0; j < factors.length; j++) {
    const t = factors[j] as number
    const from = 4 * (first + j)
    x += t * (points[from] as number)
    y += t * (points[from + 1] as number)
    z += t * (points[from + 2] as number)
    w += t * (points[from + 3] as number)
  }
  into[at] = x
  into[at + 1] = y
  into[at + 2] = z
  into[at + 3] = w
}

/** `sums`: the point and its derivatives along u and v, in homogeneous coordinates. */
function writeTouch(positions: Float64Array, normals: Float64Array, at: number, sums: Float64Array): void {
  const [w, wu, wv] = [sums[3] as number, sums[7] as number, sums[11] as number]
  const [x, y, z] = [(sums[0] as number) / w, (sums[1] as number) / w, (sums[2] as number) / w]
  const ux = ((sums[4] as number) - wu * x) / w
  const uy = ((sums[5] as number) - wu * y) / w
  const uz = ((sums[6] as number) - wu * z) / w
  const vx = ((sums[8] as number) - wv * x) / w
  const vy = ((sums[9] as number) - wv * y) / w
  const vz = ((sums[10] as number) - wv * z) / w
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
  const size = Math.sqrt(nx * nx + ny * ny + nz * nz)
  const factor = size > 0 && size < Number.POSITIVE_INFINITY ? 1 / size : 0
  positions[at] = x
  positions[at + 1] = y
  positions[at + 2] = z
  normals[at] = nx * factor
  normals[at + 1] = ny * factor
  normals[at + 2] = nz * factor
}

/**
 * The linear combination of points from index `first`. Points without a weight are homogeneous already or have
 * weight one.
 */
function combine(
  points: readonly (Xyz & { readonly w?: number })[],
  weights: readonly number[] | undefined,
  factors: readonly number[],
  first: number,
): Homogeneous {
  let [x, y, z, w] = [0, 0, 0, 0]
  for (let i = 0; i < factors.length; i++) {
    const point = points[first + i] as Xyz & { readonly w?: number }
    const weight = weights?.[first + i] ?? 1
    const t = (factors[i] as number) * weight
    x += t * point.x
    y += t * point.y
    z += t * point.z
    w += t * (point.w ?? 1)
  }
  return { x, y, z, w }
}

function toTouch(sums: readonly (readonly Homogeneous[])[]): SurfaceTouch {
  const [whole, alongU, alongV] = [at(sums, 0, 0), at(sums, 1, 0), at(sums, 0, 1)]
  const point = divide(whole.w, whole)
  return {
    point,
    du: divide(whole.w, alongU, [alongU.w, point]),
    dv: divide(whole.w, alongV, [alongV.w, point]),
  }
}

/** The quotient rule: a derivative of a point from lower derivatives (Piegl and Tiller, 4.5). */
function divide(weight: number, { x, y, z }: Xyz, ...parts: readonly (readonly [number, Xyz])[]): Xyz {
  const rest = { x, y, z }
  for (const [factor, lower] of parts) {
    rest.x -= factor * lower.x
    rest.y -= factor * lower.y
    rest.z -= factor * lower.z
  }
  return { x: rest.x / weight, y: rest.y / weight, z: rest.z / weight }
}

function at(sums: readonly (readonly Homogeneous[])[], i: number, j: number): Homogeneous {
  return sums[i]?.[j] as Homogeneous
}

interface Homogeneous extends Xyz {
  readonly w: number
}

/** `sums[i][j]`: the i-th derivative along u of the j-th along v, in homogeneous coordinates. */
function sumUp(surface: NurbsSurface, u: number, v: number, order: number): Homogeneous[][] {
  const { points, weights, degreeU, degreeV, knotsU, knotsV } = surface
  const alongU = findBasis(knotsU, degreeU, points.length, u, order)
  const alongV = findBasis(knotsV, degreeV, points[0]?.length ?? 0, v, order)
  return alongU.values.map((rowU, i) =>
    alongV.values.slice(0, order + 1 - i).map((rowV) => {
      let [x, y, z, w] = [0, 0, 0, 0]
      for (const [a, basisU] of rowU.entries()) {
        const row = points[alongU.first + a] as readonly Xyz[]
        const rowWeights = weights?.[alongU.first + a]
        for (const [b, basisV] of rowV.entries()) {
          const point = row[alongV.first + b] as Xyz
          const t = basisU * basisV * (rowWeights?.[alongV.first + b] ?? 1)
          x += t * point.x
          y += t * point.y
          z += t * point.z
          w += t
        }
      }
      return { x, y, z, w }
    }),
  )
}

const SMALL = 1e-9

/**
 * Returns the unit normal; at a pole, where one derivative vanishes, the normal of adjacent points. Undefined where the
 * surface has no normal.
 */
export function findNormalAt(surface: NurbsSurface, u: number, v: number): Xyz | undefined {
  const point = evaluateSurface(surface, u, v)
  const { du, dv, duv } = point
  const { u: rangeU, v: rangeV } = getSurfaceDomains(surface)
  // Near a pole the vanishing derivative is the mixed one times the distance to the pole.
  const isPoleInV = length(du) <= SMALL * length(duv) * (rangeV.end - rangeV.start)
  const isPoleInU = length(dv) <= SMALL * length(duv) * (rangeU.end - rangeU.start)
  if (isPoleInV) return findUnit(scale(cross(duv, dv), isUpper(v, rangeV) ? -1 : 1))
  if (isPoleInU) return findUnit(scale(cross(du, duv), isUpper(u, rangeU) ? -1 : 1))
  return findUnit(cross(du, dv))
}

/** At an upper end the inward direction is negative. */
function isUpper(t: number, { start, end }: { readonly start: number; readonly end: number }): boolean {
  return t > (start + end) / 2
}

/** Returns the plane with x along u and z along the normal; undefined where the surface has no normal. */
export function findFrameAt(surface: NurbsSurface, u: number, v: number): Plane | undefined {
  const { point, du, dv } = touchSurface(surface, u, v)
  const normal = findNormalAt(surface, u, v)
  if (!normal) return undefined
  // The component of du perpendicular to the normal: only rounding errors at a pole, where dv is used.
  const alongU = addScaled(du, normal, -dot(du, normal))
  return findPlaneAcross(point, normal, length(alongU) > SMALL * length(dv) ? alongU : cross(dv, normal))
}

/**
 * The plane of a flat surface, at the middle of its domains with x along u; undefined if a control point is further away
 * than the tolerance. Source: openNURBS, `ON_NurbsSurface::IsPlanar`.
 */
export function findSurfacePlane(surface: NurbsSurface, tolerance: number): Plane | undefined {
  const { u, v } = getSurfaceDomains(surface)
  const plane = findFrameAt(surface, (u.start + u.end) / 2, (v.start + v.end) / 2)
  const isFlat = (row: readonly Xyz[]) =>
    row.every((point) => plane && Math.abs(toLocal(plane, point).z) <= tolerance)
  return surface.points.every(isFlat) ? plane : undefined
}

export function getSurfacePoint(surface: NurbsSurface, u: number, v: number): Xyz {
  const sum = sumUp(surface, u, v, 0)[0]?.[0]
  return sum ? scale(sum, 1 / sum.w) : ORIGIN
}
