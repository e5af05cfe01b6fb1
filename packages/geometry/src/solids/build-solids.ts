import { isParallelogram } from '../breps/face-integrals.ts'
import { checkpoint } from '../budget/budget.ts'
import type { Brep, BrepEdge, BrepFace, BrepTrim } from '../values/brep.ts'
import { line, polyline } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import { flipPlane, pointAt, toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import { cross, distance, dot, length, subtract } from '../values/vector.ts'
import type { Region } from './arrangement.ts'
import type { Combination, Piece } from './combine.ts'
import { findDistanceToSegment } from './flat-faces.ts'

/** The polygons of a face by vertex: the outline first, holes after it. */
interface Outlines extends Omit<Piece, 'region'> {
  readonly loops: readonly (readonly number[])[]
}

/** Builds a brep for each connected group of faces, in the order of their first faces. */
export function buildBreps({ pieces, vertices }: Combination, tolerance: number): Brep[] {
  const outlines = removeNeedless(
    insertVertices(pieces.map(toOutlines), vertices, tolerance),
    vertices,
    tolerance,
  )
  return groupByEdge(outlines).map((group) => buildBrep(group, vertices))
}

function toOutlines({ region, ...rest }: Piece): Outlines {
  return { ...rest, loops: listLoops(region) }
}

function listLoops({ outline, holes }: Region): (readonly number[])[] {
  return [outline, ...holes]
}

/** Adds vertices of other faces to the edges that they are on. */
function insertVertices(faces: readonly Outlines[], vertices: readonly Xyz[], tolerance: number): Outlines[] {
  const used = [...new Set(faces.flatMap(({ loops }) => loops.flat()))]
  const known = new Map<string, number[]>()
  const between = (from: number, to: number): number[] => {
    const key = from < to ? `${from},${to}` : `${to},${from}`
    const found = known.get(key) ?? findBetween(from, to, used, vertices, tolerance)
    known.set(key, found)
    const start = vertices[from] as Xyz
    return found.toSorted((a, b) => distance(start, vertices[a] as Xyz) - distance(start, vertices[b] as Xyz))
  }
  return faces.map((face) => ({
    ...face,
    loops: face.loops.map((loop) =>
      loop.flatMap((from, i) => [from, ...between(from, loop[(i + 1) % loop.length] as number)]),
    ),
  }))
}

function findBetween(
  from: number,
  to: number,
  used: readonly number[],
  vertices: readonly Xyz[],
  tolerance: number,
): number[] {
  const [start, end] = [vertices[from] as Xyz, vertices[to] as Xyz]
  checkpoint(used.length)
  return used.filter(
    (index) =>
      index !== from &&
      index !== to &&
      findDistanceToSegment(vertices[index] as Xyz, start, end) <= tolerance,
  )
}

/** Removes vertices in the middle of straight edges at which no other edge ends. */
function removeNeedless(faces: readonly Outlines[], vertices: readonly Xyz[], tolerance: number): Outlines[] {
  const neighbours = new Map<number, Set<number>>()
  for (const loop of faces.flatMap(({ loops }) => loops)) {
    checkpoint(loop.length)
    for (const [i, index] of loop.entries()) {
      const own = neighbours.get(index) ?? new Set()
      neighbours.set(index, own.add(loop.at(i - 1) as number).add(loop[(i + 1) % loop.length] as number))
    }
  }
  const isNeedless = (index: number) => {
    const [before, after, ...others] = neighbours.get(index) ?? []
    if (before === undefined || after === undefined || others.length > 0) return false
    const [start, end] = [vertices[before] as Xyz, vertices[after] as Xyz]
    return findDistanceToSegment(vertices[index] as Xyz, start, end) <= tolerance / 10
  }
  return faces.map((face) => ({
    ...face,
    loops: face.loops.map((loop) => loop.filter((index) => !isNeedless(index))),
  }))
}

/** Faces that are connected by edges. */
function groupByEdge(faces: readonly Outlines[]): Outlines[][] {
  const byEdge = new Map<string, number[]>()
  const keys = faces.map(({ loops }) =>
    loops.flatMap((loop) =>
      loop.map((from, i) => {
        const to = loop[(i + 1) % loop.length] as number
        return from < to ? `${from},${to}` : `${to},${from}`
      }),
    ),
  )
  for (const [face, edges] of keys.entries()) {
    checkpoint(edges.length)
    for (const key of edges) byEdge.set(key, [...(byEdge.get(key) ?? []), face])
  }
  const seen = new Set<number>()
  const groups: Outlines[][] = []
  for (const start of faces.keys()) {
    if (seen.has(start)) continue
    seen.add(start)
    const group = [start]
    for (const face of group) {
      for (const other of (keys[face] as string[]).flatMap((key) => byEdge.get(key) as number[])) {
        checkpoint()
        if (seen.has(other)) continue
        seen.add(other)
        group.push(other)
      }
    }
    groups.push(group.sort((a, b) => a - b).map((face) => faces[face] as Outlines))
  }
  return groups
}

function buildBrep(faces: readonly Outlines[], points: readonly Xyz[]): Brep {
  const vertices: Xyz[] = []
  const edges: BrepEdge[] = []
  const numbers = new Map<number, number>()
  const edgeNumbers = new Map<string, number>()
  const takeVertex = (index: number): number => {
    const number = numbers.get(index) ?? vertices.push(points[index] as Xyz) - 1
    numbers.set(index, number)
    return number
  }
  const takeEdge = (from: number, to: number): { edge: number; isReversed: boolean } => {
    const opposite = edgeNumbers.get(`${to},${from}`)
    if (opposite !== undefined) return { edge: opposite, isReversed: true }
    const [start, end] = [takeVertex(from), takeVertex(to)]
    const curve = line(points[from] as Xyz, points[to] as Xyz)
    const edge = edgeNumbers.get(`${from},${to}`) ?? edges.push({ curve, start, end }) - 1
    edgeNumbers.set(`${from},${to}`, edge)
    return { edge, isReversed: false }
  }
  const built = faces.map((face): BrepFace => {
    const { surface, isReversed, toUv } = placeSurface(face, points)
    const loops = face.loops.map((loop) => {
      const ordered = isReversed ? loop.toReversed() : loop
      return ordered.map((from, i): BrepTrim => {
        const to = ordered[(i + 1) % ordered.length] as number
        const ends = [toUv(points[from] as Xyz), toUv(points[to] as Xyz)]
        return { curve: polyline(ends), ...takeEdge(from, to) }
      })
    })
    return { surface, isReversed, loops }
  })
  return { type: 'brep', vertices, edges, faces: built }
}

interface Placed {
  readonly surface: NurbsSurface
  readonly isReversed: boolean
  readonly toUv: (point: Xyz) => Xyz
}

/** The surface of the source if its parameters are uniform, otherwise a rectangle around the face. */
function placeSurface({ source, isFlipped, loops }: Outlines, points: readonly Xyz[]): Placed {
  const { surface, isReversed } = source.source
  const toUv = isParallelogram(surface) ? createInverse(surface) : undefined
  if (toUv) return { surface, isReversed: isReversed !== isFlipped, toUv }
  return createRectangle(
    isFlipped ? flipPlane(source.plane) : source.plane,
    loops.flat().map((index) => points[index] as Xyz),
  )
}

/** Returns a map from points to the parameters of a parallelogram; undefined if it has no area. */
function createInverse({ points, knotsU, knotsV }: NurbsSurface): ((point: Xyz) => Xyz) | undefined {
  const [[origin, top] = [], [right] = []] = points
  if (!origin || !top || !right) return undefined
  const [u, v] = [subtract(right, origin), subtract(top, origin)]
  const normal = cross(u, v)
  const square = dot(normal, normal)
  if (!(square > 1e-24 * length(u) ** 2 * length(v) ** 2)) return undefined
  const [startU = 0, endU = 1] = knotsU
  const [startV = 0, endV = 1] = knotsV
  return (point) => {
    const local = subtract(point, origin)
    const s = dot(cross(local, v), normal) / square
    const t = dot(cross(u, local), normal) / square
    return { x: startU + s * (endU - startU), y: startV + t * (endV - startV), z: 0 }
  }
}

/** The rectangle around points of a plane; its parameters are the coordinates in the plane. */
function createRectangle(plane: Plane, around: readonly Xyz[]): Placed {
  const local = around.map((point) => toLocal(plane, point))
  const range = (axis: 'x' | 'y'): [number, number] =>
    local.reduce(
      ([low, high], point) => [Math.min(low, point[axis]), Math.max(high, point[axis])],
      [Infinity, -Infinity],
    )
  const [knotsU, knotsV] = [range('x'), range('y')]
  const corner = (u: number, v: number): Xyz => {
    const { x, y, z } = pointAt(plane, u, v)
    return { x, y, z }
  }
  const points = knotsU.map((u) => knotsV.map((v) => corner(u, v)))
  return {
    surface: { type: 'nurbsSurface', degreeU: 1, degreeV: 1, points, knotsU, knotsV },
    isReversed: false,
    toUv: (point) => ({ ...toLocal(plane, point), z: 0 }),
  }
}
