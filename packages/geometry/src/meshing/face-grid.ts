import { checkpoint } from '../budget/budget.ts'
import { listKnotSpans } from '../curves/sample-curve.ts'
import { touchSurface } from '../surfaces/evaluate-surface.ts'
import { getSurfaceDomains } from '../values/curve-domain.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { findPlaneFromNormal, toLocal } from '../values/planes.ts'
import type { Xyz } from '../values/points.ts'
import { cross, distance, dot, findUnit, interpolate, length, subtract } from '../values/vector.ts'
import type { MeshSettings } from './mesh-settings.ts'
import { placeStops, type Stretch } from './place-stops.ts'

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

interface Span extends Stretch {
  /** The length of the longest isocurve of the samples. */
  readonly size: number
}

/** More lines cannot be distinguished. */
const MAX_LINES = 400
/** The number of isocurves that are sampled in each direction, and the samples in each span. */
const ISOCURVES = 5
const PROBES = 4

/** A grid over a surface as fine as the settings require; undefined for a surface without an extent. */
export function createFaceGrid(surface: NurbsSurface, settings: MeshSettings): FaceGrid | undefined {
  const { u, v } = getSurfaceDomains(surface)
  const alongU = listGridSpans(surface.knotsU, surface.degreeU, surface.points.length)
  const alongV = listGridSpans(surface.knotsV, surface.degreeV, surface.points[0]?.length ?? 0)
  if (alongU.length === 0 || alongV.length === 0) return undefined
  const spansU = alongU.map((span) => measureSpan((t, s) => touchAt(surface, t, s, 'u'), span, v, settings))
  const spansV = alongV.map((span) => measureSpan((t, s) => touchAt(surface, t, s, 'v'), span, u, settings))
  const isSimple = settings.hasSimplePlanes && isPlane(surface)
  return isSimple
    ? { u: createScale(spansU), v: createScale(spansV), isSimple }
    : { ...adjustCounts(spansU, spansV, settings), isSimple }
}

/** The spans between knots. A knot whose multiplicity is the degree may be a kink. */
function listGridSpans(knots: readonly number[], degree: number, count: number) {
  const multiplicities = new Map<number, number>()
  for (const knot of knots) multiplicities.set(knot, (multiplicities.get(knot) ?? 0) + 1)
  return listKnotSpans(knots, degree, count).map(({ from, to }) => ({
    from,
    to,
    isSmooth: multiplicities.get(to)! < degree,
  }))
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
  { from, to, isSmooth }: Omit<Stretch, 'need'>,
  across: { start: number; end: number },
  { maxAngle, maxEdge, maxDistance }: MeshSettings,
): Span {
  let [turn, size, gap] = [0, 0, 0]
  // The samples are a little inside, so that the derivatives at a knot are those of this span.
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
  // The diagonals of quads must not be too long either, since they are edges of triangles.
  const forEdge = maxEdge > 0 ? (size * Math.SQRT2) / maxEdge : 0
  const forDistance = maxDistance > 0 ? Math.sqrt(gap / maxDistance) : 0
  return { from, to, isSmooth, size, need: Math.max(turn / maxAngle, forEdge, forDistance) }
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

/** The lines in both directions, so that the number of quads is in its limits. */
function adjustCounts(
  spansU: readonly Span[],
  spansV: readonly Span[],
  { minCount, maxCount }: MeshSettings,
): { u: Scale; v: Scale } {
  const [u, v] = [createScale(spansU), createScale(spansV)]
  const [countU, countV] = [u.lines.length - 1, v.lines.length - 1]
  const count = countU * countV
  if (maxCount > 0 && count > maxCount) {
    const factor = Math.sqrt(maxCount / count)
    return {
      u: createScale(spansU, Math.floor(countU * factor)),
      v: createScale(spansV, Math.floor(countV * factor)),
    }
  }
  const [sizeU, sizeV] = [sumSizes(spansU), sumSizes(spansV)]
  if (count >= minCount || !(sizeU > 0 && sizeV > 0)) return { u, v }
  // The quads are as nearly square as the counts allow.
  const wantedU = Math.min(
    Math.max(Math.sqrt((minCount * sizeU) / sizeV), countU),
    Math.max(minCount, countU),
  )
  return { u: createScale(widen(spansU, wantedU)), v: createScale(widen(spansV, minCount / wantedU)) }
}

const sumSizes = (spans: readonly Span[]): number => spans.reduce((sum, { size }) => sum + size, 0)

/** Spans that need at least a number of pieces together, shared out by their length. */
function widen(spans: readonly Span[], count: number): Span[] {
  const total = sumSizes(spans)
  return spans.map((span) => ({ ...span, need: Math.max(span.need, (Math.ceil(count) * span.size) / total) }))
}

function createScale(spans: readonly Span[], most = MAX_LINES): Scale {
  const lines = [...placeStops(spans, Math.min(Math.max(most, 1), MAX_LINES)), spans.at(-1)!.to]
  return {
    lines,
    measure(t) {
      let [low, high] = [0, lines.length - 2]
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (lines[middle]! <= t) low = middle
        else high = middle - 1
      }
      const [from, to] = [lines[low]!, lines[low + 1]!]
      return low + (t - from) / (to - from)
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
