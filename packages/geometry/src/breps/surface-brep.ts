import type { Brep, BrepEdge, BrepTrim } from '../values/brep.ts'
import { getSurfaceDomains } from '../values/curve-domain.ts'
import { type NurbsCurve, polyline } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import type { Xyz } from '../values/points.ts'
import { areEqual } from '../values/vector.ts'

/**
 * An untrimmed surface as a brep with one face. A side that is a single point (a pole) has no edge; the two
 * sides of a closed direction share one edge, the seam.
 */
export function createBrepOfSurface(surface: NurbsSurface): Brep {
  const { u, v } = getSurfaceDomains(surface)
  const corners: Xyz[] = [
    { x: u.start, y: v.start, z: 0 },
    { x: u.end, y: v.start, z: 0 },
    { x: u.end, y: v.end, z: 0 },
    { x: u.start, y: v.end, z: 0 },
  ]
  // South and north run along u, east and west along v; the loop goes south, east, north back, west back.
  const sides = [
    { curve: getSide(surface, 'south'), isReversed: false },
    { curve: getSide(surface, 'east'), isReversed: false },
    { curve: getSide(surface, 'north'), isReversed: true },
    { curve: getSide(surface, 'west'), isReversed: true },
  ]
  const vertices: Xyz[] = []
  const edges: BrepEdge[] = []
  const loop = sides.map(({ curve, isReversed }, i): BrepTrim => {
    const trim = { curve: polyline([corners[i] as Xyz, corners[(i + 1) % 4] as Xyz]), isReversed }
    if (isPole(curve)) return { ...trim, isReversed: false }
    const known = edges.findIndex((edge) => isSame(edge.curve as NurbsCurve, curve))
    if (known >= 0) return { ...trim, edge: known }
    edges.push({
      curve,
      start: addVertex(vertices, curve.points[0]),
      end: addVertex(vertices, curve.points.at(-1)),
    })
    return { ...trim, edge: edges.length - 1 }
  })
  return { type: 'brep', vertices, edges, faces: [{ surface, isReversed: false, loops: [loop] }] }
}

/** Surfaces are clamped here, so a side is the outermost row or column of control points. */
function getSide(surface: NurbsSurface, side: 'south' | 'north' | 'west' | 'east'): NurbsCurve {
  const { points, weights, degreeU, degreeV, knotsU, knotsV } = surface
  const pick = <T>(rows: readonly (readonly T[])[]): T[] => {
    if (side === 'west') return [...(rows[0] ?? [])]
    if (side === 'east') return [...(rows.at(-1) ?? [])]
    return rows.map((row) => (side === 'south' ? row[0] : row.at(-1)) as T)
  }
  const isAlongU = side === 'south' || side === 'north'
  return {
    type: 'nurbsCurve',
    degree: isAlongU ? degreeU : degreeV,
    points: pick(points),
    ...(weights ? { weights: pick(weights) } : {}),
    knots: isAlongU ? knotsU : knotsV,
  }
}

const TOLERANCE = 1e-9

function isPole({ points: [first, ...others] }: NurbsCurve): boolean {
  return first !== undefined && others.every((point) => areEqual(first, point, TOLERANCE))
}

function isSame(a: NurbsCurve, b: NurbsCurve): boolean {
  return (
    a.points.length === b.points.length &&
    a.points.every((point, i) => areEqual(point, b.points[i] as Xyz, TOLERANCE)) &&
    JSON.stringify(a.weights) === JSON.stringify(b.weights)
  )
}

/** The index of a vertex, which is added if it is new. */
function addVertex(vertices: Xyz[], vertex: Xyz | undefined): number {
  if (!vertex) throw new Error('A surface without points has no border.')
  const known = vertices.findIndex((other) => areEqual(other, vertex, TOLERANCE))
  return known >= 0 ? known : vertices.push(vertex) - 1
}
