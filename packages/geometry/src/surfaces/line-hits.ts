import { checkpoint } from '../budget/budget.ts'
import { halveBezier } from '../curve-intersection/bezier.ts'
import type { Weighted } from '../curves/knots.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { findPlaneFromNormal, toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import { domain } from '../values/value.ts'
import { add, distance, dot, interpolate, length, scale } from '../values/vector.ts'
import { evaluateSurface } from './evaluate-surface.ts'
import { findIsotrim } from './isotrim.ts'

/** A point of a surface on a line. */
export interface LineHit {
  readonly u: number
  readonly v: number
  readonly point: Xyz
  /** The line only touches the surface there, or the surface has no normal. */
  readonly isTouch: boolean
  /** The distance of the surface from the line there. */
  readonly miss: number
}

/** A part of a surface as a Bézier patch, in coordinates of a plane perpendicular to the line. */
interface Patch {
  readonly rows: readonly (readonly Weighted[])[]
  readonly u: Range
  readonly v: Range
  /** The span of the surface that it is part of. */
  readonly span: { readonly u: Range; readonly v: Range }
}

type Range = readonly [start: number, end: number]

/** If more parts than this may meet the line, it is taken to lie on the surface. */
const MAX_PATCHES = 5000
/** How far a patch may be from a bilinear one, relative to its size, for Newton's method to start in its middle. */
const BEND = 0.02

/**
 * Finds where an infinite line meets a surface within the tolerance: patches that the line misses are discarded, the
 * others halved until they are nearly bilinear. Undefined where the line lies on the surface.
 */
export function findLineHits(
  surface: NurbsSurface,
  from: Xyz,
  direction: Xyz,
  tolerance: number,
): LineHit[] | undefined {
  const frame = findPlaneFromNormal(from, direction)
  if (!frame) return []
  const hits: LineHit[] = []
  let patches = listPatches(surface, frame)
  while (patches.length > 0) {
    if (patches.length > MAX_PATCHES) return undefined
    const next: Patch[] = []
    for (const patch of patches) {
      checkpoint(patch.rows.length)
      if (isMissed(patch, tolerance)) continue
      if (!isNearlyBilinear(patch)) {
        next.push(...halve(patch))
        continue
      }
      const hit = refine(surface, frame, patch, tolerance)
      if (hit) addHit(hits, hit, tolerance)
    }
    patches = next
  }
  return hits
}

/** Beside the border of two spans both have a hit, and that of the span which the line misses is less exact. */
function addHit(hits: LineHit[], hit: LineHit, tolerance: number): void {
  const same = hits.findIndex((other) => distance(other.point, hit.point) <= tolerance)
  if (same < 0) hits.push(hit)
  else if (hit.miss < hits[same]!.miss) hits[same] = hit
}

function listPatches(surface: NurbsSurface, frame: Plane): Patch[] {
  const [us, vs] = [listSpans(surface.knotsU, surface.degreeU), listSpans(surface.knotsV, surface.degreeV)]
  const patches: Patch[] = []
  for (const u of us) {
    for (const v of vs) {
      const part = findIsotrim(surface, domain(...u), domain(...v))
      if (!part) continue
      const rows = part.points.map((row, i) =>
        row.map((point, j): Weighted => {
          const w = part.weights?.[i]?.[j] ?? 1
          const { x, y, z } = toLocal(frame, point)
          return { x: x * w, y: y * w, z: z * w, w }
        }),
      )
      patches.push({ rows, u, v, span: { u, v } })
    }
  }
  return patches
}

function listSpans(knots: readonly number[], degree: number): Range[] {
  const inner = knots.slice(degree - 1, knots.length - degree + 1)
  const distinct = inner.filter((knot, i) => i === 0 || knot > (inner[i - 1] as number))
  return distinct.slice(1).map((end, i): Range => [distinct[i] as number, end])
}

/** All control points are on one side of the line. */
function isMissed({ rows }: Patch, tolerance: number): boolean {
  return (['x', 'y'] as const).some(
    (axis) =>
      rows.every((row) => row.every((point) => point[axis] > tolerance * point.w)) ||
      rows.every((row) => row.every((point) => point[axis] < -tolerance * point.w)),
  )
}

function isNearlyBilinear({ rows, u, v }: Patch): boolean {
  const points = rows.map((row) => row.map(({ x, y, z, w }): Xyz => ({ x: x / w, y: y / w, z: z / w })))
  const [lastRow, lastColumn] = [points.length - 1, (points[0]?.length ?? 1) - 1]
  const at = (i: number, j: number) => points[i]?.[j] as Xyz
  const [a, b, c, d] = [at(0, 0), at(0, lastColumn), at(lastRow, 0), at(lastRow, lastColumn)]
  const size = distance(a, d) + distance(b, c)
  if (u[1] - u[0] < 1e-9 * (1 + Math.abs(u[0])) || v[1] - v[0] < 1e-9 * (1 + Math.abs(v[0]))) return true
  return points.every((row, i) =>
    row.every((point, j) => {
      const [s, t] = [i / lastRow, j / lastColumn]
      return distance(point, interpolate(interpolate(a, b, t), interpolate(c, d, t), s)) <= BEND * size
    }),
  )
}

function halve({ rows, u, v, span }: Patch): Patch[] {
  const [middleU, middleV] = [(u[0] + u[1]) / 2, (v[0] + v[1]) / 2]
  const halves = halveRows(rows)
  const turned = halves.map((half) => halveRows(swap(half)).map(swap))
  return turned.flatMap((pair, i) =>
    pair.map((part, j): Patch => {
      // Rows run along v, so the first cut is across v.
      const partV: Range = i === 0 ? [v[0], middleV] : [middleV, v[1]]
      const partU: Range = j === 0 ? [u[0], middleU] : [middleU, u[1]]
      return { rows: part, u: partU, v: partV, span }
    }),
  )
}

/** Cuts each row at its middle. */
function halveRows(rows: readonly (readonly Weighted[])[]): [Weighted[][], Weighted[][]] {
  const cut = rows.map(halveBezier)
  return [cut.map(([left]) => left), cut.map(([, right]) => right)]
}

function swap<T>(rows: readonly (readonly T[])[]): T[][] {
  return (rows[0] ?? []).map((_, j) => rows.map((row) => row[j] as T))
}

/** Newton's method from the middle of a patch, within its span. */
function refine(surface: NurbsSurface, frame: Plane, patch: Patch, tolerance: number): LineHit | undefined {
  const { span } = patch
  let [u, v] = [(patch.u[0] + patch.u[1]) / 2, (patch.v[0] + patch.v[1]) / 2]
  let isTouch = false
  for (let round = 0; round < 40; round++) {
    checkpoint()
    const { point, du, dv } = evaluateSurface(surface, u, v)
    const { x, y } = toLocal(frame, point)
    const [ux, uy, vx, vy] = [
      dot(du, frame.xAxis),
      dot(du, frame.yAxis),
      dot(dv, frame.xAxis),
      dot(dv, frame.yAxis),
    ]
    const size = ux * vy - uy * vx
    isTouch = Math.abs(size) <= 1e-4 * length(du) * length(dv) || length(du) * length(dv) === 0
    // Least squares with a little damping, where the line is nearly tangential.
    const [uu, uv, vv] = [ux * ux + uy * uy, ux * vx + uy * vy, vx * vx + vy * vy]
    const damping = 1e-12 * (uu + vv)
    const determinant = (uu + damping) * (vv + damping) - uv * uv
    if (!(determinant > 0)) break
    const [gu, gv] = [ux * x + uy * y, vx * x + vy * y]
    const nextU = clamp(u - ((vv + damping) * gu - uv * gv) / determinant, span.u)
    const nextV = clamp(v - ((uu + damping) * gv - uv * gu) / determinant, span.v)
    if (nextU === u && nextV === v) break
    u = nextU
    v = nextV
  }
  const { point } = evaluateSurface(surface, u, v)
  const { x, y, z } = toLocal(frame, point)
  const miss = Math.hypot(x, y)
  if (miss > tolerance) return undefined
  return { u, v, point: add(frame.origin, scale(frame.zAxis, z)), isTouch, miss }
}

function clamp(value: number, [low, high]: Range): number {
  return Math.min(high, Math.max(low, value))
}
