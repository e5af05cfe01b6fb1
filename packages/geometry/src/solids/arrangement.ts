import { checkpoint } from '../budget/budget.ts'

/** Coordinates in a plane. */
export interface Xy {
  readonly x: number
  readonly y: number
}

/** A line from one point to another, by their numbers. */
export type Segment = readonly [from: number, to: number]

/** Numbered points of a plane; points within the tolerance have the same number. */
export interface PlanePoints {
  get(index: number): Xy
  take(point: Xy): number
}

/** Closed polygons by the numbers of their points: the outline counter-clockwise, its holes clockwise. */
export interface Region {
  readonly outline: readonly number[]
  readonly holes: readonly (readonly number[])[]
}

/** Splits segments where they meet or overlap. Each piece appears once. Quadratic in segments that are near. */
export function splitSegments(
  segments: readonly Segment[],
  points: PlanePoints,
  tolerance: number,
): Segment[] {
  const lines = segments
    .map(([from, to]) => createLine(from, to, points))
    .sort((a, b) => {
      checkpoint()
      return a.minX - b.minX
    })
  for (const [i, one] of lines.entries()) {
    for (let j = i + 1; j < lines.length; j++) {
      checkpoint()
      const other = lines[j] as Line
      if (other.minX > one.maxX + tolerance) break
      if (other.minY > one.maxY + tolerance || one.minY > other.maxY + tolerance) continue
      meet(one, other, points, tolerance)
    }
  }
  const pieces = new Map<string, Segment>()
  for (const line of lines) {
    const stops = [...line.stops].sort((a, b) => a[1] - b[1])
    for (const [i, [to]] of stops.entries()) {
      const from = stops[i - 1]?.[0]
      if (from !== undefined && from !== to)
        pieces.set(from < to ? `${from},${to}` : `${to},${from}`, [from, to])
    }
  }
  return [...pieces.values()]
}

interface Line {
  readonly from: Xy
  readonly direction: Xy
  readonly size: number
  readonly minX: number
  readonly maxX: number
  readonly minY: number
  readonly maxY: number
  /** Points on the line, with their distance from its start. */
  readonly stops: Map<number, number>
}

function createLine(start: number, end: number, points: PlanePoints): Line {
  const [from, to] = [points.get(start), points.get(end)]
  const size = Math.hypot(to.x - from.x, to.y - from.y)
  return {
    from,
    direction: { x: (to.x - from.x) / size, y: (to.y - from.y) / size },
    size,
    minX: Math.min(from.x, to.x),
    maxX: Math.max(from.x, to.x),
    minY: Math.min(from.y, to.y),
    maxY: Math.max(from.y, to.y),
    stops: new Map([
      [start, 0],
      [end, size],
    ]),
  }
}

/** Adds the points where two lines meet to both: ends on the other line, or else the crossing. */
function meet(one: Line, other: Line, points: PlanePoints, tolerance: number): void {
  const touches = [addEnds(one, other, points, tolerance), addEnds(other, one, points, tolerance)]
  if (touches.includes(true)) return
  const sine = one.direction.x * other.direction.y - one.direction.y * other.direction.x
  if (sine === 0) return
  const [x, y] = [other.from.x - one.from.x, other.from.y - one.from.y]
  const along = (x * other.direction.y - y * other.direction.x) / sine
  const alongOther = (x * one.direction.y - y * one.direction.x) / sine
  if (!(along > 0 && along < one.size && alongOther > 0 && alongOther < other.size)) return
  const crossing = points.take({
    x: one.from.x + along * one.direction.x,
    y: one.from.y + along * one.direction.y,
  })
  one.stops.set(crossing, along)
  other.stops.set(crossing, alongOther)
}

/** Adds the ends of a line that are on another one; false if none is. */
function addEnds(line: Line, other: Line, points: PlanePoints, tolerance: number): boolean {
  let isTouched = false
  for (const [end, distance] of other.stops) {
    if (distance !== 0 && distance !== other.size) continue
    if (line.stops.has(end)) {
      isTouched = true
      continue
    }
    const { x, y } = points.get(end)
    const [dx, dy] = [x - line.from.x, y - line.from.y]
    const along = dx * line.direction.x + dy * line.direction.y
    const aside = Math.abs(dx * line.direction.y - dy * line.direction.x)
    if (aside > tolerance || along < 0 || along > line.size) continue
    line.stops.set(end, along)
    isTouched = true
  }
  return isTouched
}

/** The regions into which segments divide the plane, without the one around them all. */
export function listRegions(segments: readonly Segment[], points: PlanePoints): Region[] {
  const both = segments.flatMap(([from, to]): Segment[] => [
    [from, to],
    [to, from],
  ])
  return traceRegions(both, points)
}

/**
 * Joins directed segments, with their region on the left, to outlines and holes. Where several meet at a point,
 * regions that touch there only are separate.
 */
export function traceRegions(segments: readonly Segment[], points: PlanePoints): Region[] {
  const spokes = sortSpokes(segments, points)
  const open = new Set(segments.map(([from, to]) => `${from},${to}`))
  const polygons: { points: number[]; area: number }[] = []
  for (const [start, next] of segments) {
    if (!open.has(`${start},${next}`)) continue
    const polygon: number[] = []
    for (let [from, to] = [start, next]; open.delete(`${from},${to}`); ) {
      checkpoint()
      polygon.push(from)
      const onward = turn(spokes.get(to) ?? [], from, points, to)
      if (onward === undefined) break
      ;[from, to] = [to, onward]
    }
    const area = getArea(polygon, points)
    if (area !== 0) polygons.push({ points: polygon, area })
  }
  return nestPolygons(polygons, points)
}

/** The ends of the segments that leave each point, counter-clockwise. */
function sortSpokes(segments: readonly Segment[], points: PlanePoints): Map<number, number[]> {
  const spokes = new Map<number, number[]>()
  for (const [from, to] of segments) {
    const ends = spokes.get(from)
    if (ends) ends.push(to)
    else spokes.set(from, [to])
  }
  for (const [from, ends] of spokes) {
    checkpoint(ends.length)
    if (ends.length > 1) ends.sort((a, b) => getAngle(from, a, points) - getAngle(from, b, points))
  }
  return spokes
}

function getAngle(from: number, to: number, points: PlanePoints): number {
  const [a, b] = [points.get(from), points.get(to)]
  return Math.atan2(b.y - a.y, b.x - a.x)
}

/** The segment that leaves a point clockwise next to the way back: the region on the left continues along it. */
function turn(ends: readonly number[], back: number, points: PlanePoints, at: number): number | undefined {
  const others = ends.filter((end) => end !== back)
  if (others.length < 2) return others[0] ?? ends[0]
  const angle = getAngle(at, back, points)
  return others.findLast((end) => getAngle(at, end, points) < angle) ?? others.at(-1)
}

function getArea(polygon: readonly number[], points: PlanePoints): number {
  const origin = points.get(polygon[0] as number)
  let area = 0
  for (const [i, index] of polygon.entries()) {
    const [a, b] = [points.get(index), points.get(polygon[(i + 1) % polygon.length] as number)]
    area += (a.x - origin.x) * (b.y - origin.y) - (b.x - origin.x) * (a.y - origin.y)
  }
  return area / 2
}

/** Assigns clockwise polygons as holes to the smallest outline around them. Those around everything have none. */
function nestPolygons(
  polygons: readonly { points: number[]; area: number }[],
  points: PlanePoints,
): Region[] {
  const regions = polygons
    .filter(({ area }) => area > 0)
    .sort((a, b) => a.area - b.area)
    .map((polygon) => ({ outline: polygon.points, own: new Set(polygon.points), holes: [] as number[][] }))
  for (const { points: hole, area } of polygons) {
    if (area > 0) continue
    const around = regions.find(({ outline, own }) => {
      checkpoint(outline.length)
      const probe = hole.find((index) => !own.has(index))
      return probe !== undefined && contains([outline], points.get(probe), points)
    })
    around?.holes.push(hole)
  }
  return regions.map(({ outline, holes }) => ({ outline, holes }))
}

/** Whether a point is inside polygons, by the even-odd rule. */
export function contains(
  polygons: readonly (readonly number[])[],
  { x, y }: Xy,
  points: Pick<PlanePoints, 'get'>,
): boolean {
  let isInside = false
  for (const polygon of polygons) {
    for (const [i, index] of polygon.entries()) {
      const [a, b] = [points.get(index), points.get(polygon[(i + 1) % polygon.length] as number)]
      if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) isInside = !isInside
    }
  }
  return isInside
}

/** A point inside a region, away from its border: the middle of its widest stretch along a few level lines. */
export function findInside({ outline, holes }: Region, points: PlanePoints): Xy | undefined {
  const polygons = [outline, ...holes]
  const levels = [...new Set(polygons.flat().map((index) => points.get(index).y))].sort((a, b) => a - b)
  let best: { point: Xy; room: number } | undefined
  for (const [i, level] of levels.entries()) {
    const next = levels[i + 1]
    if (next === undefined) break
    const y = (level + next) / 2
    const crossings = listCrossings(polygons, y, points)
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      const [from, to] = [crossings[k] as number, crossings[k + 1] as number]
      const room = Math.min(to - from, next - level)
      if (!best || room > best.room) best = { point: { x: (from + to) / 2, y }, room }
    }
  }
  return best?.point
}

/** Lists where polygons cross a level line, from left to right. */
function listCrossings(polygons: readonly (readonly number[])[], y: number, points: PlanePoints): number[] {
  const crossings: number[] = []
  for (const polygon of polygons) {
    checkpoint(polygon.length)
    for (const [i, index] of polygon.entries()) {
      const [a, b] = [points.get(index), points.get(polygon[(i + 1) % polygon.length] as number)]
      if (a.y > y !== b.y > y) crossings.push(a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x))
    }
  }
  return crossings.sort((a, b) => a - b)
}
