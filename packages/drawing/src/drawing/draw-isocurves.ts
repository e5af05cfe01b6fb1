import type { Flat } from '@meadow/geometry/meshing/triangulate-polygon'
import { touchSurface } from '@meadow/geometry/surfaces/evaluate-surface'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import type { Xyz } from '@meadow/geometry/values/points'
import { distance } from '@meadow/geometry/values/vector'
import type { Drawing } from './drawing.ts'
import type { GridLines, SurfaceGrid } from './surface-grid.ts'

/** More lines in one direction than this only darken the drawing. */
const MAX_ISOCURVES = 9

type Direction = 'u' | 'v'
type Polygons = readonly (readonly Flat[])[]

/**
 * Draws lines of constant u and v on a surface, inside of the polygons that trim it: at knots, or in the middle where
 * there are none, across directions in which the surface bends.
 */
export function drawIsocurves(
  drawing: Drawing,
  surface: NurbsSurface,
  { alongU, alongV }: SurfaceGrid,
  polygons?: Polygons,
): void {
  for (const u of chooseLines(alongU))
    drawLines(drawing, surface, { fixed: 'u', at: u, along: alongV, polygons })
  for (const v of chooseLines(alongV))
    drawLines(drawing, surface, { fixed: 'v', at: v, along: alongU, polygons })
}

/** Draws the borders of an untrimmed surface. A seam is drawn once, and a pole not at all: it may be closed then. */
export function drawBorders(drawing: Drawing, surface: NurbsSurface, { alongU, alongV }: SurfaceGrid): void {
  const size = measureSpread(surface.points.flat())
  drawing.isClosed = true
  for (const [fixed, across, along] of [
    ['u', alongU, alongV],
    ['v', alongV, alongU],
  ] as const) {
    const [start, end] = endsOf(across)
    const parameters = along.parts.flat()
    const sides = [start, end].map((at) => parameters.map((t) => evaluate(surface, fixed, at, t)))
    const isSeam = sides[0]!.every((point, i) => distance(point, sides[1]![i]!) <= 1e-6 * size)
    const borders = sides.filter((side) => measureSpread(side) > 1e-6 * size)
    if (borders.length > 0 && !isSeam) drawing.isClosed = false
    drawing.edges.push(...(isSeam ? borders.slice(0, 1) : borders))
  }
}

function chooseLines({ spans, isCurved }: GridLines): number[] {
  if (!isCurved) return []
  if (spans.length === 1) return [(spans[0]!.from + spans[0]!.to) / 2]
  const knots = spans.slice(1).map(({ from }) => from)
  const step = Math.ceil(knots.length / MAX_ISOCURVES)
  return knots.filter((_, i) => i % step === Math.floor(step / 2))
}

interface Line {
  fixed: Direction
  at: number
  /** The grid in the direction that is not fixed. */
  along: GridLines
  polygons: Polygons | undefined
}

function drawLines(drawing: Drawing, surface: NurbsSurface, { fixed, at, along, polygons }: Line): void {
  const parameters = along.parts.flat()
  const [start, end] = endsOf(along)
  for (const [from, to] of polygons ? findInside(polygons, fixed, at) : [[start, end] as const]) {
    const between = parameters.filter((t, i) => t > from && t < to && t !== parameters[i - 1])
    drawing.isocurves.push([from, ...between, to].map((t) => evaluate(surface, fixed, at, t)))
  }
}

/** The intervals of a line that lie inside of an odd number of polygons. */
function findInside(polygons: Polygons, fixed: Direction, at: number): [number, number][] {
  const across = (point: Flat) => (fixed === 'u' ? point.x : point.y)
  const along = (point: Flat) => (fixed === 'u' ? point.y : point.x)
  const crossings: number[] = []
  for (const polygon of polygons) {
    for (const [i, a] of polygon.entries()) {
      const b = polygon[(i + 1) % polygon.length]!
      if (across(a) <= at === across(b) <= at) continue
      const share = (at - across(a)) / (across(b) - across(a))
      crossings.push(along(a) + share * (along(b) - along(a)))
    }
  }
  crossings.sort((a, b) => a - b)
  const intervals: [number, number][] = []
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    if (crossings[i + 1]! > crossings[i]!) intervals.push([crossings[i]!, crossings[i + 1]!])
  }
  return intervals
}

const evaluate = (surface: NurbsSurface, fixed: Direction, at: number, t: number): Xyz =>
  fixed === 'u' ? touchSurface(surface, at, t).point : touchSurface(surface, t, at).point

const endsOf = ({ parts }: GridLines): readonly [number, number] => [parts[0]![0]!, parts.at(-1)!.at(-1)!]

const measureSpread = (points: readonly Xyz[]): number =>
  Math.max(...points.map((point) => distance(point, points[0]!)))
