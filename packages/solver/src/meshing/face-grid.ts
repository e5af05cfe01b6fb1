import { checkpoint } from '../budget/budget.ts'
import { listSpans } from '../drawing/sample-curve.ts'
import { touchSurface } from '../geometry/surfaces/evaluate-surface.ts'
import { getSurfaceDomains } from '../values/curve-domain.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { findPlaneFromNormal, toLocal } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import { cross, distance, dot, findUnit, interpolate, length, subtract } from '../values/vector.ts'
import type { MeshSettings } from './mesh-settings.ts'

/** The lines of a grid in one direction of a surface. */
export interface Scale {
  /** The parameters of the lines, ascending. */
  readonly lines: readonly number[]
  /** The position of a parameter between the lines: line 2 is at 2. */
  measure(t: number): number
}

export interface FaceGrid {
  readonly u: Scale
  readonly v: Scale
  /** The face has no vertices inside: it is plane, and plane faces are to be simple. */
  readonly isSimple: boolean
}

interface Span {
  readonly from: number
  readonly to: number
  readonly pieces: number
  /** The length of the longest isocurve of the samples. */
  readonly size: number
}

/** More lines cannot be distinguished. */
const MAX_LINES = 400
/** The number of isocurves that are sampled in each direction, and the samples in each span. */
const ISOCURVES = 5
const PROBES = 4

/** A grid over a surface as fine as the settings require. */
export function createFaceGrid(surface: NurbsSurface, settings: MeshSettings): FaceGrid {
  const { u, v } = getSurfaceDomains(surface)
  const alongU = listGridSpans(surface.knotsU, surface.degreeU, surface.points.length)
  const alongV = listGridSpans(surface.knotsV, surface.degreeV, surface.points[0]?.length ?? 0)
  const spansU = alongU.map((span) => measureSpan((t, s) => touchAt(surface, t, s, 'u'), span, v, settings))
  const spansV = alongV.map((span) => measureSpan((t, s) => touchAt(surface, t, s, 'v'), span, u, settings))
  const isSimple = settings.hasSimplePlanes && isPlane(surface)
  const [factorU, factorV] = isSimple ? [1, 1] : findFactors(spansU, spansV, settings)
  return { u: createScale(spansU, factorU), v: createScale(spansV, factorV), isSimple }
}

function listGridSpans(knots: readonly number[], degree: number, count: number) {
  return listSpans(knots, degree, count).map(({ from, to }) => ({ from, to }))
}

interface Touch {
  readonly point: Xyz
  readonly along: Xyz
  readonly normal: Xyz | undefined
}

function touchAt(surface: NurbsSurface, t: number, s: number, direction: 'u' | 'v'): Touch {
  const { point, du, dv } = direction === 'u' ? touchSurface(surface, t, s) : touchSurface(surface, s, t)
  return { point, along: direction === 'u' ? du : dv, normal: findUnit(cross(du, dv)) }
}

function measureSpan(
  touch: (t: number, s: number) => Touch,
  { from, to }: { from: number; to: number },
  across: { start: number; end: number },
  { maxAngle, maxEdge, maxDistance }: MeshSettings,
): Span {
  let [turn, size, gap] = [0, 0, 0]
  // A little inside: at a knot, the derivatives are those of this span.
  const inside = 1e-6 * (to - from)
  for (let j = 0; j < ISOCURVES; j++) {
    checkpoint(PROBES)
    const s = across.start + ((across.end - across.start) * (j + 0.01)) / (ISOCURVES - 0.98)
    const samples = Array.from({ length: PROBES + 1 }, (_, i) =>
      touch(Math.min(Math.max(from + ((to - from) * i) / PROBES, from + inside), to - inside), s),
    )
    turn = Math.max(
      turn,
      sumTurn(samples, ({ along }) => findUnit(along)),
      sumTurn(samples, ({ normal }) => normal),
    )
    size = Math.max(size, sumLength(samples))
    gap = Math.max(gap, findGap(samples))
  }
  const forAngle = Math.ceil(turn / maxAngle - 1e-9)
  // Triangles have diagonals.
  const forEdge = maxEdge > 0 ? Math.ceil((size * Math.SQRT2) / maxEdge) : 1
  const forDistance = maxDistance > 0 ? Math.ceil(Math.sqrt(gap / maxDistance)) : 1
  return { from, to, pieces: Math.min(Math.max(forAngle, forEdge, forDistance, 1), MAX_LINES), size }
}

function sumTurn(samples: readonly Touch[], pick: (touch: Touch) => Xyz | undefined): number {
  return samples.reduce((sum, sample, i) => {
    const [a, b] = [i === 0 ? undefined : pick(samples[i - 1]!), pick(sample)]
    return a && b ? sum + Math.acos(Math.min(1, Math.max(-1, dot(a, b)))) : sum
  }, 0)
}

function sumLength(samples: readonly Touch[]): number {
  return samples.reduce(
    (sum, { point }, i) => (i === 0 ? 0 : sum + distance(point, samples[i - 1]!.point)),
    0,
  )
}

/** The largest distance of the samples from the chord. */
function findGap(samples: readonly Touch[]): number {
  const [first, last] = [samples[0]!.point, samples.at(-1)!.point]
  const chord = findUnit(subtract(last, first))
  return Math.max(
    ...samples.map(({ point }, i) =>
      chord
        ? length(cross(subtract(point, first), chord))
        : distance(point, interpolate(first, last, i / (samples.length - 1))),
    ),
  )
}

/** By how much to multiply the pieces in both directions, so that the number of quads is in its limits. */
function findFactors(
  spansU: readonly Span[],
  spansV: readonly Span[],
  { minCount, maxCount }: MeshSettings,
): [number, number] {
  const sum = (spans: readonly Span[], of: (span: Span) => number) =>
    spans.reduce((total, span) => total + of(span), 0)
  const [countU, countV] = [sum(spansU, ({ pieces }) => pieces), sum(spansV, ({ pieces }) => pieces)]
  const count = countU * countV
  if (maxCount > 0 && count > maxCount) return [Math.sqrt(maxCount / count), Math.sqrt(maxCount / count)]
  if (count >= minCount) return [1, 1]
  const [sizeU, sizeV] = [sum(spansU, ({ size }) => size), sum(spansV, ({ size }) => size)]
  if (!(sizeU > 0 && sizeV > 0)) return [1, 1]
  // Quads as nearly square as the counts allow.
  const wantedU = Math.min(
    Math.max(Math.sqrt((minCount * sizeU) / sizeV), countU),
    Math.max(minCount, countU),
  )
  return [wantedU / countU, Math.max(minCount / wantedU, countV) / countV]
}

function createScale(spans: readonly Span[], factor: number): Scale {
  const total = spans.reduce((sum, { pieces }) => sum + pieces * factor, 0)
  const limit = Math.min(1, MAX_LINES / total)
  const counts = spans.map(({ pieces }) => Math.max(1, Math.ceil(pieces * factor * limit - 1e-9)))
  const lines = spans.flatMap(({ from, to }, i) =>
    Array.from({ length: counts[i]! }, (_, k) => from + ((to - from) * k) / counts[i]!),
  )
  return {
    lines: [...lines, spans.at(-1)!.to],
    measure(t) {
      let before = 0
      for (const [i, { from, to }] of spans.entries()) {
        if (t < to || i === spans.length - 1) return before + (counts[i]! * (t - from)) / (to - from)
        before += counts[i]!
      }
      return before
    },
  }
}

/** Whether all control points are in one plane, apart from rounding errors. */
function isPlane({ points }: NurbsSurface): boolean {
  const all = points.flat()
  const first = all[0]!
  const far = all.reduce(
    (best, point) => (distance(point, first) > distance(best, first) ? point : best),
    first,
  )
  const size = distance(far, first)
  const along = subtract(far, first)
  const across = all.reduce(
    (best, point) => {
      const normal = cross(along, subtract(point, first))
      return length(normal) > length(best) ? normal : best
    },
    cross(along, along),
  )
  const plane = findPlaneFromNormal(first, across)
  return !plane || all.every((point) => Math.abs(toLocal(plane, point).z) <= 1e-9 * size)
}
