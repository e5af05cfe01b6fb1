import { type Flat, triangulatePolygon } from '@meadow/geometry/meshing/triangulate-polygon'
import type { BrepFace } from '@meadow/geometry/values/brep'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import type { Xyz } from '@meadow/geometry/values/points'
import { cross, distance, findUnit, scale, subtract, Z_AXIS } from '@meadow/geometry/values/vector'
import { addVertex, type Drawing } from './drawing.ts'

export interface PlaneCorners {
  origin: Xyz
  /** The vectors along the whole domain in u and v. */
  u: Xyz
  v: Xyz
}

/** Returns the origin and the sides of a surface that is a parallelogram; undefined for others. */
export function findPlaneCorners({
  degreeU,
  degreeV,
  points,
  weights,
}: NurbsSurface): PlaneCorners | undefined {
  if (degreeU !== 1 || degreeV !== 1 || weights || points.length !== 2 || points[0]!.length !== 2)
    return undefined
  const [[origin, alongV], [alongU, opposite]] = points as [[Xyz, Xyz], [Xyz, Xyz]]
  const u = subtract(alongU, origin)
  const v = subtract(alongV, origin)
  const off = distance(subtract(opposite, alongU), v)
  return off <= 1e-6 * (distance(alongU, origin) + distance(alongV, origin)) ? { origin, u, v } : undefined
}

/** Draws the part of a plane inside polygons, whose points are parameters of its surface. */
export function drawPlane(
  drawing: Drawing,
  { surface, isReversed }: Pick<BrepFace, 'surface' | 'isReversed'>,
  { origin, u, v }: PlaneCorners,
  [outer = [], ...holes]: readonly (readonly Flat[])[],
): void {
  const { knotsU, knotsV } = surface
  const [startU, startV] = [knotsU[0]!, knotsV[0]!]
  const [lengthU, lengthV] = [knotsU.at(-1)! - startU, knotsV.at(-1)! - startV]
  const normal = findUnit(cross(u, v)) ?? Z_AXIS
  const outside = isReversed ? scale(normal, -1) : normal
  const first = drawing.positions.length / 3
  for (const { x, y } of [outer, ...holes].flat()) {
    const [s, t] = [(x - startU) / lengthU, (y - startV) / lengthV]
    const point = {
      x: origin.x + s * u.x + t * v.x,
      y: origin.y + s * u.y + t * v.y,
      z: origin.z + s * u.z + t * v.z,
    }
    addVertex(drawing, point, outside)
  }
  const corners = triangulatePolygon(outer, holes)
  for (let i = 0; i < corners.length; i += 3) {
    const [a, b, c] = [first + corners[i]!, first + corners[i + 1]!, first + corners[i + 2]!]
    if (isReversed) drawing.triangles.push(a, c, b)
    else drawing.triangles.push(a, b, c)
  }
}
