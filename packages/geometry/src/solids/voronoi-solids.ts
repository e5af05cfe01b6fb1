import { createBrepBuilder, type LooseTrim } from '../breps/brep-builder.ts'
import { checkpoint } from '../budget/budget.ts'
import type { Brep } from '../values/brep.ts'
import { line, polyline } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { findPlaneAcross, pointAt, toLocal } from '../values/planes.ts'
import { type Box, type Plane, toXyz, type Xyz } from '../values/points.ts'
import { cross, distance, dot, length, scale, subtract } from '../values/vector.ts'
import { type ConvexSolid, createConvexBox, cutConvex } from './convex.ts'

/** The part of a box that is closest to a point, and whether it has a part of the sides of the box. */
export interface VoronoiSolid {
  readonly brep: Brep
  readonly isAtBoundary: boolean
}

/** Lengths below this part of the size of the box count as zero. */
const NOISE = 1e-9

/**
 * The cells of points that are inside of a box, in their order. Undefined if a point is not inside, or two are in one
 * place.
 * Source: half spaces towards the other points, nearest first, until the others are too far to reach the cell.
 */
export function findVoronoiSolids(
  points: readonly Xyz[],
  { plane, x, y, z }: Box,
): VoronoiSolid[] | undefined {
  const min = { x: Math.min(x.start, x.end), y: Math.min(y.start, y.end), z: Math.min(z.start, z.end) }
  const max = { x: Math.max(x.start, x.end), y: Math.max(y.start, y.end), z: Math.max(z.start, z.end) }
  const noise = NOISE * distance(min, max)
  const sites = points.map((point) => toLocal(plane, point))
  const isInside = (site: Xyz) =>
    (['x', 'y', 'z'] as const).every(
      (axis) => site[axis] > min[axis] + noise && site[axis] < max[axis] - noise,
    )
  if (!sites.every(isInside)) return undefined
  const around = createRings(sites, min, max)
  const cells: VoronoiSolid[] = []
  for (const index of sites.keys()) {
    const cell = findCell(index, sites, createConvexBox(min, max), around, noise)
    if (!cell) return undefined
    const isAtBoundary = cell.some(({ isCut }) => !isCut)
    cells.push({
      brep: toBrep(cell, (corner) => pointAt(plane, corner.x, corner.y, corner.z), noise),
      isAtBoundary,
    })
  }
  return cells
}

function findCell(
  index: number,
  sites: readonly Xyz[],
  box: ConvexSolid,
  around: ReturnType<typeof createRings>,
  noise: number,
): ConvexSolid | undefined {
  const site = sites[index] as Xyz
  let [cell, radius] = [box, findRadius(box, site)]
  for (let ring = 0; ring <= around.count; ring++) {
    const gaps = around
      .list(site, ring)
      .filter((other) => other !== index)
      .map((other) => ({ other, gap: distance(site, sites[other] as Xyz) }))
      .sort((a, b) => a.gap - b.gap)
    for (const { other, gap } of gaps) {
      if (gap <= noise) return undefined
      if (gap / 2 > radius) break
      const normal = scale(subtract(sites[other] as Xyz, site), 1 / gap)
      const rest = cutConvex(cell, normal, dot(normal, site) + gap / 2, noise)
      if (rest !== cell) radius = findRadius(rest, site)
      cell = rest
    }
    if (2 * radius <= ring * around.side) break
  }
  return cell
}

function findRadius(cell: ConvexSolid, site: Xyz): number {
  return cell.reduce(
    (most, { corners }) => corners.reduce((far, corner) => Math.max(far, distance(corner, site)), most),
    0,
  )
}

/**
 * Points in a grid of about one for each cell, by their distance from a cell of the grid in steps. The last ring has all
 * of them: where they are in a few places, larger rings are mostly empty.
 */
function createRings(sites: readonly Xyz[], min: Xyz, max: Xyz) {
  const sizes = subtract(max, min)
  const side = Math.max(
    Math.cbrt((sizes.x * sizes.y * sizes.z) / Math.max(1, sites.length)),
    length(sizes) / 1000,
  )
  const count = Math.ceil(Math.cbrt(sites.length) / 2)
  const cells = new Map<string, number[]>()
  const locate = (site: Xyz) =>
    [site.x - min.x, site.y - min.y, site.z - min.z].map((offset) => Math.floor(offset / side)) as [
      number,
      number,
      number,
    ]
  for (const [index, site] of sites.entries()) {
    const key = locate(site).join(' ')
    const cell = cells.get(key) ?? []
    cells.set(key, cell)
    cell.push(index)
  }
  return {
    side,
    count,
    list(site: Xyz, ring: number): number[] {
      if (ring === count) return [...sites.keys()]
      const [x, y, z] = locate(site)
      const found: number[] = []
      for (let dx = -ring; dx <= ring; dx++) {
        for (let dy = -ring; dy <= ring; dy++) {
          const isSide = Math.abs(dx) === ring || Math.abs(dy) === ring
          checkpoint(isSide ? 2 * ring + 1 : 2)
          for (let dz = -ring; dz <= ring; dz += isSide || ring === 0 ? 1 : 2 * ring)
            found.push(...(cells.get(`${x + dx} ${y + dy} ${z + dz}`) ?? []))
        }
      }
      return found
    },
  }
}

/** Corners that faces have in common are placed alike, so that hardly any tolerance is needed to share them. */
function toBrep(cell: ConvexSolid, place: (corner: Xyz) => Xyz, noise: number): Brep {
  const builder = createBrepBuilder(noise / 1000)
  for (const { corners } of cell) {
    const placed = corners.map((corner) => toXyz(place(corner)))
    const plane = findFacePlane(placed)
    if (plane) builder.addFace(createFaceSurface(plane, placed), [listSides(plane, placed)])
  }
  return builder.build()
}

/** The rectangle around a polygon along the axes of its plane, whose coordinates are its parameters. */
function createFaceSurface(plane: Plane, corners: readonly Xyz[]): NurbsSurface {
  const locals = corners.map((corner) => toLocal(plane, corner))
  const range = (axis: 'x' | 'y') => {
    const values = locals.map((local) => local[axis])
    return [Math.min(...values), Math.max(...values)]
  }
  const [knotsU, knotsV] = [range('x'), range('y')]
  const points = knotsU.map((u) => knotsV.map((v) => toXyz(pointAt(plane, u, v))))
  return { type: 'nurbsSurface', degreeU: 1, degreeV: 1, points, knotsU, knotsV }
}

/** A side for each corner, also where it is hardly one, since other faces have it too. */
function listSides(plane: Plane, corners: readonly Xyz[]): LooseTrim[] {
  return corners.map((from, i) => {
    const to = corners[(i + 1) % corners.length] as Xyz
    const ends = [from, to].map((end) => ({ ...toLocal(plane, end), z: 0 }))
    return { curve: polyline(ends), edge: line(from, to), isReversed: false }
  })
}

/** The plane of a convex polygon that runs counter-clockwise around its normal, with x along its longest side. */
function findFacePlane(corners: readonly Xyz[]) {
  const sides = corners.map((corner, i) => subtract(corners[(i + 1) % corners.length] as Xyz, corner))
  const longest = sides.reduce((best, side, i) => (length(side) > length(sides[best] as Xyz) ? i : best), 0)
  const along = sides[longest] as Xyz
  const origin = corners[longest] as Xyz
  // The corner that is furthest from the longest side is on the left of it.
  const normals = corners.map((corner) => cross(along, subtract(corner, origin)))
  const normal = normals.reduce((best, other) => (length(other) > length(best) ? other : best))
  return findPlaneAcross(origin, normal, along)
}
