import { checkpoint, POINT_BYTES, reserveValues } from '../budget/budget.ts'
import { getSurfaceDomains } from '../values/curve-domain.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import type { Xyz } from '../values/points.ts'
import type { Domain } from '../values/value.ts'
import { distance, dot, findUnit, length, ORIGIN, scale, subtract } from '../values/vector.ts'
import { evaluateSurface, getSurfacePoint, touchSurface } from './evaluate-surface.ts'

/** A point on a surface by its parameters. */
export interface SurfaceParameter {
  readonly u: number
  readonly v: number
}

const PER_SPAN = 6
const STARTS = 8
const SAME_POINT = 1e-9

interface Sample extends SurfaceParameter {
  readonly point: Xyz
}

/** The samples of a side that is a single point, with the direction in which the surface leaves it. */
type Pole = readonly (Sample & { readonly inward: Xyz })[]

interface Samples {
  readonly spread: readonly Sample[]
  readonly poles: readonly Pole[]
}

const SAMPLES = new WeakMap<NurbsSurface, Samples>()

/**
 * The parameters of the closest point of a surface: from the closest of points sampled in each span, by
 * Newton's method within the domain.
 */
export function findClosestOnSurface(surface: NurbsSurface, target: Xyz): SurfaceParameter {
  const samples = SAMPLES.get(surface) ?? sample(surface)
  SAMPLES.set(surface, samples)
  const candidates = [...samples.spread, ...samples.poles.map((pole) => findFacing(pole, target))]
  const starts = pickNearest(candidates, target)
  let best: SurfaceParameter = { u: 0, v: 0 }
  let bestGap = Infinity
  for (const start of starts) {
    const found = improve(surface, start, target)
    const gap = distance(getSurfacePoint(surface, found.u, found.v), target)
    if (gap < bestGap) [best, bestGap] = [found, gap]
  }
  return best
}

function sample(surface: NurbsSurface): Samples {
  const [us, vs] = [listStops(surface.knotsU), listStops(surface.knotsV)]
  reserveValues(us.length * vs.length, POINT_BYTES)
  const rows = us.map((u) => vs.map((v): Sample => ({ u, v, point: getSurfacePoint(surface, u, v) })))
  const sides = [
    { samples: rows[0] ?? [], across: 'du', sign: 1 },
    { samples: rows.at(-1) ?? [], across: 'du', sign: -1 },
    { samples: rows.map((row) => row[0] as Sample), across: 'dv', sign: 1 },
    { samples: rows.map((row) => row.at(-1) as Sample), across: 'dv', sign: -1 },
  ] as const
  const collapsed = sides.filter(({ samples: [first, ...others] }) =>
    others.every(({ point }) => first && distance(point, first.point) <= SAME_POINT),
  )
  const repeated = new Set(collapsed.flatMap(({ samples }) => samples))
  return {
    spread: rows.flat().filter((sample) => !repeated.has(sample)),
    poles: collapsed.map(({ samples, across, sign }) =>
      samples.map((sample) => ({
        ...sample,
        inward: findUnit(scale(touchSurface(surface, sample.u, sample.v)[across], sign)) ?? ORIGIN,
      })),
    ),
  }
}

/**
 * The sample of a pole from which the surface leads towards a target. The others are as near, but from most of them
 * the way leads out of the domain.
 */
function findFacing(pole: Pole, target: Xyz): Sample {
  const slope = ({ point, inward }: Pole[number]) => dot(subtract(target, point), inward)
  return pole.reduce((best, sample) => (slope(sample) > slope(best) ? sample : best))
}

function listStops(knots: readonly number[]): number[] {
  const distinct = knots.filter((knot, i) => i === 0 || knot > (knots[i - 1] as number))
  const [first = 0, ...others] = distinct
  return [
    first,
    ...others.flatMap((knot, i) => {
      const from = distinct[i] as number
      return Array.from({ length: PER_SPAN }, (_, k) =>
        k === PER_SPAN - 1 ? knot : from + ((knot - from) * (k + 1)) / PER_SPAN,
      )
    }),
  ]
}

function pickNearest<T extends { readonly point: Xyz }>(samples: readonly T[], target: Xyz): T[] {
  checkpoint(samples.length)
  const nearest: { sample: T; gap: number }[] = []
  for (const sample of samples) {
    const gap = distance(sample.point, target)
    if (nearest.length === STARTS && gap >= (nearest.at(-1)?.gap ?? 0)) continue
    nearest.push({ sample, gap })
    nearest.sort((a, b) => a.gap - b.gap)
    if (nearest.length > STARTS) nearest.pop()
  }
  return nearest.map((entry) => entry.sample)
}

const MAX_ROUNDS = 60
const MAX_HALVINGS = 12

/**
 * Newton's method for perpendicularity in both directions, at a side of the domain along that side only. A step
 * that increases the distance is halved.
 */
function improve(surface: NurbsSurface, start: SurfaceParameter, target: Xyz): SurfaceParameter {
  const { u: rangeU, v: rangeV } = getSurfaceDomains(surface)
  let at = start
  let gap = distance(getSurfacePoint(surface, at.u, at.v), target)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const step = findStep(surface, at, target)
    let next: SurfaceParameter | undefined
    for (let factor = 1, halvings = 0; halvings < MAX_HALVINGS && !next; factor /= 2, halvings++) {
      const tried = { u: clamp(at.u + step.u * factor, rangeU), v: clamp(at.v + step.v * factor, rangeV) }
      const reached = distance(getSurfacePoint(surface, tried.u, tried.v), target)
      if (reached < gap) [next, gap] = [tried, reached]
    }
    if (!next) break
    at = next
  }
  return polish(surface, at, target)
}

const POLISHING = 3

/**
 * Near the minimum, distances are only accurate to half of the digits: the last steps are accepted as long as
 * they get shorter.
 */
function polish(surface: NurbsSurface, start: SurfaceParameter, target: Xyz): SurfaceParameter {
  const { u: rangeU, v: rangeV } = getSurfaceDomains(surface)
  let at = start
  let last = 1e-4 * Math.hypot(getWidth(rangeU), getWidth(rangeV))
  for (let round = 0; round < POLISHING; round++) {
    const step = findStep(surface, at, target)
    const size = Math.hypot(step.u, step.v)
    if (size === 0 || size >= last) break
    at = { u: clamp(at.u + step.u, rangeU), v: clamp(at.v + step.v, rangeV) }
    last = size
  }
  return at
}

const POLE = 1e-9

/** The Newton step in both parameters. */
function findStep(surface: NurbsSurface, { u, v }: SurfaceParameter, target: Xyz): SurfaceParameter {
  const { u: rangeU, v: rangeV } = getSurfaceDomains(surface)
  const { point, du, dv, duu, duv, dvv } = evaluateSurface(surface, u, v)
  const offset = subtract(point, target)
  const [f, g] = [dot(offset, du), dot(offset, dv)]
  const [uu, uv, vv] = [dot(du, du), dot(du, dv), dot(dv, dv)]
  const [sizeU, sizeV] = [length(du) * getWidth(rangeU), length(dv) * getWidth(rangeV)]
  // At a pole one derivative is a rounding error, by which nothing is divided.
  const isHeldU = (u <= rangeU.start && f > 0) || (u >= rangeU.end && f < 0) || sizeU < POLE * sizeV
  const isHeldV = (v <= rangeV.start && g > 0) || (v >= rangeV.end && g < 0) || sizeV < POLE * sizeU
  let [a, b, d] = [uu + dot(offset, duu), uv + dot(offset, duv), vv + dot(offset, dvv)]
  // Where the surface curves away from the target, use the Gauss-Newton step, which descends.
  if (a <= 0 || d <= 0 || a * d - b * b <= 1e-12 * a * d) [a, b, d] = [uu, uv, vv]
  const determinant = a * d - b * b
  if (!isHeldU && !isHeldV && determinant > 1e-14 * a * d) {
    return { u: (-f * d + g * b) / determinant, v: (-g * a + f * b) / determinant }
  }
  return { u: isHeldU || a <= 0 ? 0 : -f / a, v: isHeldV || d <= 0 ? 0 : -g / d }
}

function getWidth({ start, end }: Domain): number {
  return end - start
}

function clamp(value: number, { start, end }: Domain): number {
  return Math.min(Math.max(value, start), end)
}
