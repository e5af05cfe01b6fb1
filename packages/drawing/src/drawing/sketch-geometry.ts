import { countPieces, listKnotSpans, sampleCurve } from '@meadow/geometry/curves/sample-curve'
import { isUntrimmed, toPolygon } from '@meadow/geometry/meshing/face-polygon'
import { touchAlong } from '@meadow/geometry/surfaces/evaluate-surface'
import { type Bounds, findBounds, unite } from '@meadow/geometry/values/bounding-box'
import type { BrepFace } from '@meadow/geometry/values/brep'
import { isCurve } from '@meadow/geometry/values/curves'
import { isTriangle, type Mesh } from '@meadow/geometry/values/mesh'
import type { NurbsSurface } from '@meadow/geometry/values/nurbs-surface'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Geometry } from '@meadow/geometry/values/value'
import { cross, distance, findUnit, scale, Z_AXIS } from '@meadow/geometry/values/vector'
import { drawFace } from './draw-face.ts'
import { drawPlane, findPlaneCorners } from './draw-plane.ts'
import { addVertex, createDrawing, type Drawing } from './drawing.ts'

/** The parts of a drawing that a small picture shows. */
export type Sketch = Pick<Drawing, 'positions' | 'triangles' | 'edges' | 'curves' | 'points'> & {
  /** Absent for a mesh, whose triangles have one shade each. */
  normals?: number[]
}

/** Nobody sees angles smaller than this in a picture, however large the bent part is in it. */
const LEAST_TURN = Math.PI / 24
const LARGEST_TURN = Math.PI / 3
/** The smallest size of a piece of a surface, in pixels. */
const PIECE = 3

/**
 * A drawing for a small picture with pixels of this size, in the geometry's unit: several times faster than `drawGeometry`,
 * without what the picture would not show. Undefined as there.
 */
export function sketchGeometry(geometry: Geometry, pixel: number): Sketch | undefined {
  if (geometry.type === 'mesh') return sketchMesh(geometry)
  const drawing = createDrawing()
  const turn = findTurn(geometry, pixel)
  return sketch(drawing, geometry, turn, pixel) && isWithoutFault(drawing) ? drawing : undefined
}

/** Estimates the bounds of a geometry quickly: a brep is about as large as its edges. */
export function findRoughBounds(geometry: Geometry): Bounds | undefined {
  switch (geometry.type) {
    case 'brep':
      return unite(geometry.edges.map(({ curve }) => findBounds(curve)))
    case 'group':
      return unite(geometry.members.map(findRoughBounds))
    default:
      return findBounds(geometry)
  }
}

/** The angle at which the piece of a circle as large as the geometry is less than half a pixel away from its arc. */
function findTurn(geometry: Geometry, pixel: number): number {
  const bounds = findRoughBounds(geometry)
  if (!bounds) return LARGEST_TURN
  const radius = distance(bounds.min, bounds.max) / 2 / pixel
  const turn = radius < 1 ? LARGEST_TURN : 2 * Math.acos(1 - 0.5 / radius)
  return Math.min(Math.max(turn, LEAST_TURN), LARGEST_TURN)
}

function sketch(drawing: Drawing, geometry: Geometry, turn: number, pixel: number): boolean {
  if (isCurve(geometry)) {
    drawing.curves.push(sampleCurve(geometry, turn))
    return true
  }
  switch (geometry.type) {
    case 'point':
      drawing.points.push(geometry)
      return true
    case 'nurbsSurface':
      for (const border of sketchSurface(drawing, geometry, false, turn, pixel)) drawing.edges.push(border)
      return true
    case 'brep':
      for (const { curve } of geometry.edges) drawing.edges.push(sampleCurve(curve, turn))
      return geometry.faces.every((face) => sketchFace(drawing, face, turn, pixel))
    default:
      return false
  }
}

function sketchFace(drawing: Drawing, face: BrepFace, turn: number, pixel: number): boolean {
  const { surface, isReversed } = face
  const corners = findPlaneCorners(surface)
  if (corners) {
    drawPlane(
      drawing,
      face,
      corners,
      face.loops.map((loop) => toPolygon(loop, turn)),
    )
    return true
  }
  if (isUntrimmed(face)) {
    sketchSurface(drawing, surface, isReversed, turn, pixel)
    return true
  }
  return drawFace(drawing, face, { line: turn, face: turn, isPlain: true })
}

// Other surfaces.

/** Draws a whole surface; returns its borders. */
function sketchSurface(
  drawing: Drawing,
  surface: NurbsSurface,
  isReversed: boolean,
  turn: number,
  pixel: number,
): Xyz[][] {
  const { points, degreeU, degreeV, knotsU, knotsV } = surface
  const columns = points[0]!.map((_, j) => points.map((row) => row[j]!))
  const us = listStops(knotsU, degreeU, columns, turn, pixel)
  const vs = listStops(knotsV, degreeV, points, turn, pixel)
  const first = drawing.positions.length / 3
  const rows: Xyz[][] = []
  for (const v of vs) {
    const touch = touchAlong(surface, v)
    const row: Xyz[] = []
    for (const u of us) {
      const { point, du, dv } = touch(u)
      const normal = findUnit(cross(du, dv)) ?? Z_AXIS
      addVertex(drawing, point, isReversed ? scale(normal, -1) : normal)
      row.push(point)
    }
    rows.push(row)
  }
  for (let j = 1; j < vs.length; j++) {
    for (let i = 1; i < us.length; i++) {
      const d = first + j * us.length + i
      const [a, b, c] = [d - us.length - 1, d - us.length, d - 1]
      drawing.triangles.push(a, b, d, a, d, c)
    }
  }
  return [rows[0]!, rows.at(-1)!, rows.map((row) => row[0]!), rows.map((row) => row.at(-1)!)]
}

/** The parameters of a grid in one direction, a little inside at the ends, where derivatives may vanish. */
function listStops(
  knots: readonly number[],
  degree: number,
  rows: readonly (readonly Xyz[])[],
  turn: number,
  pixel: number,
): number[] {
  // Three rows are enough, because neighbouring rows bend alike.
  const looked = [rows[0]!, rows[rows.length >> 1]!, rows.at(-1)!]
  const stops: number[] = []
  const spans = listKnotSpans(knots, degree, rows[0]!.length)
  for (const { first, from, to } of spans) {
    let pieces = 1
    for (const row of degree === 1 ? [] : looked) {
      const net = row.slice(first, first + degree + 1)
      const most = Math.ceil(measureNet(net) / (PIECE * pixel))
      pieces = Math.max(pieces, Math.min(most, countPieces(net, degree, turn)))
    }
    for (let i = 0; i < pieces; i++) stops.push(from + ((to - from) * i) / pieces)
  }
  stops.push(spans.at(-1)!.to)
  const inside = 1e-6 * (stops.at(-1)! - stops[0]!)
  stops[0]! += inside
  stops[stops.length - 1]! -= inside
  return skipCrowded(stops, looked, pixel)
}

/** Returns only some of the stops if there are many more of them than pixels. */
function skipCrowded(stops: number[], rows: readonly (readonly Xyz[])[], pixel: number): number[] {
  const longest = Math.max(...rows.map(measureNet))
  const most = Math.max(2, Math.ceil(longest / (PIECE * pixel)))
  if (stops.length <= most + 1) return stops
  const step = (stops.length - 1) / most
  return Array.from({ length: most + 1 }, (_, i) => stops[Math.round(i * step)]!)
}

function measureNet(net: readonly Xyz[]): number {
  let length = 0
  for (let i = 1; i < net.length; i++) length += distance(net[i - 1]!, net[i]!)
  return length
}

/** Draws only the faces of a mesh: the normals and edges that `drawGeometry` looks for take much longer. */
function sketchMesh({ vertices, faces }: Mesh): Sketch | undefined {
  const positions = new Array<number>(3 * vertices.length)
  for (let i = 0; i < vertices.length; i++) {
    const { x, y, z } = vertices[i]!
    if (!Number.isFinite(x + y + z)) return undefined
    positions[3 * i] = x
    positions[3 * i + 1] = y
    positions[3 * i + 2] = z
  }
  const triangles: number[] = []
  for (const face of faces) {
    triangles.push(face.a, face.b, face.c)
    if (!isTriangle(face)) triangles.push(face.a, face.c, face.d)
  }
  return { positions, triangles, edges: [], curves: [], points: [] }
}

const isWithoutFault = ({ positions, edges, curves, points }: Drawing): boolean =>
  positions.every(Number.isFinite) &&
  [...edges, ...curves, points].every((line) => line.every(({ x, y, z }) => Number.isFinite(x + y + z)))
