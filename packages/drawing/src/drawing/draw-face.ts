import { isWhole, toPolygon } from '@meadow/geometry/meshing/face-polygon'
import { type Flat, triangulatePolygon } from '@meadow/geometry/meshing/triangulate-polygon'
import { touchSurface } from '@meadow/geometry/surfaces/evaluate-surface'
import type { BrepFace } from '@meadow/geometry/values/brep'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import { cross, findUnit, scale, Z_AXIS } from '@meadow/geometry/values/vector'
import type { Detail } from './detail.ts'
import { drawIsocurves } from './draw-isocurves.ts'
import { drawPlane, findPlaneCorners } from './draw-plane.ts'
import { drawSurface } from './draw-surface.ts'
import { addVertex, type Drawing } from './drawing.ts'
import { refineTriangles } from './refine-triangles.ts'
import { createGrid } from './surface-grid.ts'

/** Faces with more points are not drawn, because ear clipping takes quadratic time. */
const MAX_POINTS = 6000

/** Draws the part of a surface inside its loops. Returns false for too many points. */
export function drawFace(
  drawing: Drawing,
  { surface, isReversed, loops }: BrepFace,
  detail: Detail,
): boolean {
  const polygons = loops.map((loop) => toPolygon(loop, detail.line))
  const [outer, ...holes] = polygons
  const corners = outer && findPlaneCorners(surface)
  if (corners && countPoints(polygons) <= MAX_POINTS) {
    drawPlane(drawing, { surface, isReversed }, corners, polygons)
    return true
  }
  const grid = createGrid(surface, detail)
  if (!outer || (holes.length === 0 && isWhole(surface, outer))) {
    drawSurface(drawing, surface, grid, isReversed)
    if (!detail.isPlain) drawIsocurves(drawing, surface, grid)
    return true
  }
  if (countPoints(polygons) > MAX_POINTS) return false
  const { alongU, alongV } = grid
  // Slightly more than one piece: a halved side is never much shorter than one.
  const isLong = (a: Flat, b: Flat) =>
    Math.abs(alongU.measure(a.x) - alongU.measure(b.x)) > 1.5 ||
    Math.abs(alongV.measure(a.y) - alongV.measure(b.y)) > 1.5
  const triangulation = { points: polygons.flat(), triangles: triangulatePolygon(outer, holes) }
  const fine = refineTriangles(triangulation, isLong)
  const first = drawing.positions.length / 3
  for (const point of fine.points) evaluateAt(drawing, surface, point, isReversed)
  for (let i = 0; i < fine.triangles.length; i += 3) {
    const [a, b, c] = [
      first + fine.triangles[i]!,
      first + fine.triangles[i + 1]!,
      first + fine.triangles[i + 2]!,
    ]
    if (isReversed) drawing.triangles.push(a, c, b)
    else drawing.triangles.push(a, b, c)
  }
  if (!detail.isPlain) drawIsocurves(drawing, surface, grid, polygons)
  return true
}

const countPoints = (polygons: readonly (readonly Flat[])[]): number =>
  polygons.reduce((sum, { length }) => sum + length, 0)

function evaluateAt(
  drawing: Drawing,
  surface: NurbsSurface,
  { x: u, y: v }: Flat,
  isReversed: boolean,
): void {
  const { point, du, dv } = touchSurface(surface, u, v)
  const normal = findUnit(cross(du, dv)) ?? Z_AXIS
  addVertex(drawing, point, isReversed ? scale(normal, -1) : normal)
}
