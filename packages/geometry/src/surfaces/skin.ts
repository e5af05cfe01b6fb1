import { createNurbs, createPeriodicKnots, type Weighted } from '../curves/knots.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { clampNurbs } from './compatible.ts'

/** The control points of one curve for each section, all with the same degree and knots. */
export interface Skin {
  readonly degreeU: number
  readonly knotsU: readonly number[]
  readonly sections: readonly (readonly Weighted[])[]
  /** The parameter of each section, growing. */
  readonly parameters: readonly number[]
}

/**
 * The skinned surface through sections: a C2 cubic across them, linear for two. Its ends have the tangents of
 * the parabola through three sections.
 * Source: global interpolation (Piegl and Tiller, The NURBS Book, 9.2 and 10.3), for each control point.
 */
export function createSkin({ degreeU, knotsU, sections, parameters }: Skin): NurbsSurface {
  const rows = sections.length > 2 ? interpolateRows(sections, parameters) : sections
  const knotsV = sections.length > 2 ? clamp(parameters) : parameters
  return createSurface(rows, degreeU, knotsU, sections.length > 2 ? 3 : 1, knotsV)
}

/**
 * The surface whose control points are those of the sections, so that it passes through the first and the last alone:
 * of a degree across them, by default cubic, or a lower one for few sections, with uniform knots.
 */
export function createLooseSkin(
  { degreeU, knotsU, sections }: Omit<Skin, 'parameters'>,
  most = 3,
): NurbsSurface {
  const degree = Math.min(most, sections.length - 1)
  const last = sections.length - degree
  const inner = Array.from({ length: last + 1 }, (_, i) => i)
  const knotsV = [...Array(degree - 1).fill(0), ...inner, ...Array(degree - 1).fill(last)]
  return createSurface(sections, degreeU, knotsU, degree, knotsV)
}

/** How many sections away one still counts: each step halves its influence at least, so it ends below rounding. */
const REACH = 56

/**
 * The skinned surface through three or more sections and back to the first, C2 everywhere. There is one parameter more
 * than sections, for the first section at the end.
 */
export function createClosedSkin({ degreeU, knotsU, sections, parameters }: Skin): NurbsSurface {
  const count = sections.length
  const period = (parameters[count] as number) - (parameters[0] as number)
  const around = Array.from({ length: count + 1 + 2 * REACH }, (_, i) => {
    const turns = Math.floor((i - REACH) / count)
    const own = i - REACH - turns * count
    return { section: sections[own] as Weighted[], at: (parameters[own] as number) + turns * period }
  })
  const rows = interpolateRows(
    around.map(({ section }) => section),
    around.map(({ at }) => at),
  ).slice(REACH, REACH + count + 3)
  const knotsV = around.slice(REACH - 2, REACH + count + 3).map(({ at }) => at)
  return createSurface(rows, degreeU, knotsU, 3, knotsV)
}

/** The surface whose control points are those of three or more sections and the first again, uniform and cubic. */
export function createClosedLooseSkin({ degreeU, knotsU, sections }: Skin): NurbsSurface {
  const rows = [...sections, ...sections.slice(0, 3)]
  return createSurface(rows, degreeU, knotsU, 3, createPeriodicKnots(rows.length, 3))
}

/**
 * A surface from homogeneous control points, `rows[j][i]`: row j along v, index i along u. Along v it becomes clamped.
 */
function createSurface(
  rows: readonly (readonly Weighted[])[],
  degreeU: number,
  knotsU: readonly number[],
  degreeV: number,
  knotsV: readonly number[],
): NurbsSurface {
  const columns = (rows[0] ?? []).map((_, i) =>
    clampNurbs(
      createNurbs(
        rows.map((row) => row[i] as Weighted),
        degreeV,
        knotsV,
      ),
    ),
  )
  const isRational = columns.some(({ weights }) => weights)
  return {
    type: 'nurbsSurface',
    degreeU,
    degreeV,
    points: columns.map(({ points }) => points),
    ...(isRational ? { weights: columns.map(({ points, weights }) => weights ?? points.map(() => 1)) } : {}),
    knotsU,
    knotsV: columns[0]?.knots ?? knotsV,
  }
}

/** Clamped cubic knots: one at each parameter, three at both ends. */
function clamp(parameters: readonly number[]): number[] {
  const [first, last] = [parameters[0] as number, parameters.at(-1) as number]
  return [first, first, ...parameters, last, last]
}

/** The rows of control points of the cubic through the sections: two more than sections. */
function interpolateRows(sections: readonly (readonly Weighted[])[], t: readonly number[]): Weighted[][] {
  const last = sections.length - 1
  const knots = clamp(t)
  const second = findSecond(sections.slice(0, 3), t.slice(0, 3))
  const beforeLast = findSecond(sections.slice(-3).reverse(), t.slice(-3).reverse())
  const factors: number[] = []
  const values: Weighted[][] = []
  for (let i = 1; i < last; i++) {
    const [k0, k1, k, k3, k4] = knots.slice(i, i + 5) as [number, number, number, number, number]
    const below = ((k3 - k) * (k3 - k)) / ((k3 - k0) * (k3 - k1))
    const above = ((k - k1) * (k - k1)) / ((k4 - k1) * (k3 - k1))
    const pivot = 1 - below - above - below * (factors.at(-1) ?? 0)
    factors.push(above / pivot)
    values.push(combine(sections[i] as Weighted[], 1 / pivot, values.at(-1) ?? second, -below / pivot))
  }
  let next = beforeLast
  const solved: Weighted[][] = []
  for (let i = values.length - 1; i >= 0; i--) {
    next = combine(values[i] as Weighted[], 1, next, -(factors[i] as number))
    solved.push(next)
  }
  return [
    [...(sections[0] as Weighted[])],
    second,
    ...solved.reverse(),
    beforeLast,
    [...(sections[last] as Weighted[])],
  ]
}

/**
 * The second row of control points, from the parabola through three sections with its degree elevated to three.
 */
function findSecond(
  [a, b, c]: readonly (readonly Weighted[])[],
  [t0, t1, t2]: readonly number[],
): Weighted[] {
  const [p, q, r] = [a as Weighted[], b as Weighted[], c as Weighted[]]
  const [h1, h2] = [(t1 as number) - (t0 as number), (t2 as number) - (t1 as number)]
  // A third of the first step times the derivative at the first section.
  const [toP, toQ, toR] = [-(2 * h1 + h2) / (h1 + h2), (h1 + h2) / h2, -(h1 * h1) / (h2 * (h1 + h2))]
  return p.map((point, i) =>
    mix([
      [point, 1 + toP / 3],
      [q[i] as Weighted, toQ / 3],
      [r[i] as Weighted, toR / 3],
    ]),
  )
}

function combine(one: readonly Weighted[], a: number, other: readonly Weighted[], b: number): Weighted[] {
  return one.map((point, i) =>
    mix([
      [point, a],
      [other[i] as Weighted, b],
    ]),
  )
}

function mix(parts: readonly (readonly [Weighted, number])[]): Weighted {
  let [x, y, z, w] = [0, 0, 0, 0]
  for (const [point, t] of parts) {
    x += t * point.x
    y += t * point.y
    z += t * point.z
    w += t * point.w
  }
  return { x, y, z, w }
}
