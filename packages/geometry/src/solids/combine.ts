import { createVertexGrid, type VertexGrid } from '../breps/brep-builder.ts'
import { checkpoint } from '../budget/budget.ts'
import { type Bounds, overlap } from '../values/bounding-box.ts'
import { pointAt, toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import { cross, dot, findUnit, interpolate } from '../values/vector.ts'
import {
  contains,
  findInside,
  listRegions,
  type PlanePoints,
  type Region,
  type Segment,
  splitSegments,
  traceRegions,
  type Xy,
} from './arrangement.ts'
import { type FlatFace, findDistanceToSegment, getWindingAround } from './flat-faces.ts'

/** What is on both sides of a part of a plane, by the numbers of the shapes. */
export interface Part {
  /** The faces that cover it. */
  readonly faces: readonly FlatFace[]
  /** Whether a shape is in front of the part, on the side of the plane's normal. */
  readonly isInFront: (shape: number) => boolean
  readonly isBehind: (shape: number) => boolean
  /** Whether the outside of a face is in front. */
  readonly looksAhead: (face: FlatFace) => boolean
}

/** What becomes of a part of a plane: undefined if it is left out. */
export interface Keep {
  readonly source: FlatFace
  /** The outside of the result is where the inside of the source is. */
  readonly isFlipped: boolean
}

/** A face of the result: its polygons by vertex, counter-clockwise seen from its outside. */
export interface Piece extends Keep {
  readonly region: Region
}

export interface Combination {
  readonly pieces: readonly Piece[]
  readonly vertices: readonly Xyz[]
  /** Each part of the first shape is kept, and nothing else. */
  readonly isFirstUnchanged: boolean
}

/** The faces of a shape. */
interface Body {
  readonly faces: readonly FlatFace[]
  readonly bounds: Bounds
}

/** Why flat faces could not be combined. */
export class CombineError extends Error {}

/**
 * Divides the planes of all faces where faces of any shape meet them, and keeps the parts that `decide` wants.
 * Neighbouring parts with the same source are one face. Points within the tolerance are the same.
 * Fails: `CombineError` if a shape is thinner than the tolerance or not closed.
 */
export function combine(
  shapes: readonly (readonly FlatFace[])[],
  decide: (part: Part) => Keep | undefined,
  tolerance: number,
): Combination {
  const faces = shapes.flat()
  const bodies = shapes.map((own) => ({ faces: own, bounds: findBoundsOfFaces(own) }))
  const grid = createVertexGrid(tolerance)
  for (const vertex of faces.flatMap(({ loops }) => loops.flat())) grid.take(vertex)
  const pieces: Piece[] = []
  let isFirstUnchanged = true
  for (const group of groupByPlane(faces, tolerance)) {
    const plane = (group[0] as FlatFace).plane
    const points = createPlanePoints(plane, grid)
    const segments = splitSegments(listSegments(group, faces, points, grid, tolerance), points, tolerance)
    const kept = [new Map<FlatFace, Region[]>(), new Map<FlatFace, Region[]>()] as const
    for (const region of listRegions(segments, points)) {
      const part = findPart(region, group, bodies, points, tolerance)
      if (!part) continue
      const keep = decide(part)
      const isOfFirst = part.faces.some(({ shape }) => shape === 0)
      if (keep ? keep.source.shape !== 0 : isOfFirst) isFirstUnchanged = false
      if (!keep) continue
      const bySource = kept[keep.isFlipped ? 1 : 0]
      const regions = bySource.get(keep.source)
      if (regions) regions.push(region)
      else bySource.set(keep.source, [region])
    }
    for (const isFlipped of [false, true]) {
      for (const [source, regions] of kept[isFlipped ? 1 : 0]) {
        const isAhead = dot(source.plane.zAxis, plane.zAxis) > 0 !== isFlipped
        for (const region of mergeRegions(regions, points)) {
          pieces.push({ source, isFlipped, region: isAhead ? region : reverseRegion(region) })
        }
      }
    }
  }
  return { pieces, vertices: grid.points, isFirstUnchanged }
}

/** Faces in the same plane, whichever side they face; the largest first. */
function groupByPlane(faces: readonly FlatFace[], tolerance: number): FlatFace[][] {
  const groups: FlatFace[][] = []
  for (const face of sortByArea(faces)) {
    const group = groups.find(([first]) => {
      checkpoint(face.loops.length)
      const { plane } = first as FlatFace
      return (
        Math.abs(dot(plane.zAxis, face.plane.zAxis)) > 0.99 &&
        face.loops.every((loop) => loop.every((vertex) => Math.abs(toLocal(plane, vertex).z) <= tolerance))
      )
    })
    if (group) group.push(face)
    else groups.push([face])
  }
  return groups
}

function sortByArea(faces: readonly FlatFace[]): FlatFace[] {
  return faces.toSorted((a, b) => {
    checkpoint()
    return b.area - a.area
  })
}

function createPlanePoints(plane: Plane, grid: VertexGrid): PlanePoints {
  const known = new Map<number, Xy>()
  return {
    get(index) {
      const xy = known.get(index) ?? toLocal(plane, grid.points[index] as Xyz)
      known.set(index, xy)
      return xy
    },
    take: ({ x, y }) => grid.take(pointAt(plane, x, y)),
  }
}

/** The edges of the faces in a plane, and where other faces cross it. */
function listSegments(
  group: readonly FlatFace[],
  faces: readonly FlatFace[],
  points: PlanePoints,
  grid: VertexGrid,
  tolerance: number,
): Segment[] {
  const plane = (group[0] as FlatFace).plane
  const own = new Set(group)
  const segments: Segment[] = group.flatMap(({ loops }) =>
    loops.flatMap((loop) =>
      loop.map((vertex, i): Segment => [grid.take(vertex), grid.take(loop[(i + 1) % loop.length] as Xyz)]),
    ),
  )
  for (const face of faces) {
    checkpoint(group.length)
    if (own.has(face) || !group.some(({ bounds }) => overlap(bounds, face.bounds, tolerance))) continue
    for (const [from, to] of crossPlane(face, plane, tolerance)) {
      segments.push([points.take(toLocal(plane, from)), points.take(toLocal(plane, to))])
    }
  }
  return segments.filter(([from, to]) => from !== to)
}

export function findBoundsOfFaces(faces: readonly FlatFace[]): Bounds {
  const [first, ...others] = faces.map(({ bounds }) => bounds)
  return others.reduce(joinBounds, first as Bounds)
}

function joinBounds({ min, max }: Bounds, other: Bounds): Bounds {
  const pick = (choose: (a: number, b: number) => number, a: Xyz, b: Xyz) => ({
    x: choose(a.x, b.x),
    y: choose(a.y, b.y),
    z: choose(a.z, b.z),
  })
  return { min: pick(Math.min, min, other.min), max: pick(Math.max, max, other.max) }
}

/** The straight pieces in which a face crosses a plane, or touches it along an edge. */
function crossPlane(face: FlatFace, plane: Plane, tolerance: number): [Xyz, Xyz][] {
  const along = findUnit(cross(plane.zAxis, face.plane.zAxis))
  if (!along) return []
  const stops: { at: number; point: Xyz }[] = []
  const add = (point: Xyz) => stops.push({ at: dot(point, along), point })
  for (const loop of face.loops) {
    checkpoint(loop.length)
    for (const [i, vertex] of loop.entries()) {
      const next = loop[(i + 1) % loop.length] as Xyz
      const [a, b] = [toLocal(plane, vertex).z, toLocal(plane, next).z]
      if (Math.abs(a) <= tolerance) add(vertex)
      else if (Math.abs(b) > tolerance && a > 0 !== b > 0) add(interpolate(vertex, next, a / (a - b)))
    }
  }
  stops.sort((one, other) => {
    checkpoint()
    return one.at - other.at
  })
  return stops.slice(1).flatMap(({ at, point }, i): [Xyz, Xyz][] => {
    const before = stops[i] as { at: number; point: Xyz }
    const isInFace =
      at - before.at > tolerance && isOnFace(face, interpolate(before.point, point, 0.5), tolerance)
    return isInFace ? [[before.point, point]] : []
  })
}

function isOnFace(face: FlatFace, point: Xyz, tolerance: number): boolean {
  const isOnEdge = face.loops.some((loop) => {
    checkpoint(loop.length)
    return loop.some(
      (vertex, i) => findDistanceToSegment(point, vertex, loop[(i + 1) % loop.length] as Xyz) <= tolerance,
    )
  })
  return isOnEdge || covers(face, point)
}

/** Whether a point of its plane is inside a face. */
function covers({ plane, loops }: FlatFace, point: Xyz): boolean {
  const corners = loops.flat()
  checkpoint(corners.length)
  const xy = corners.map((corner) => toLocal(plane, corner))
  let next = 0
  const polygons = loops.map((loop) => loop.map(() => next++))
  return contains(polygons, toLocal(plane, point), { get: (index) => xy[index] as Xy })
}

/** What is around a region of a plane; undefined if no face covers it. */
function findPart(
  region: Region,
  group: readonly FlatFace[],
  bodies: readonly Body[],
  points: PlanePoints,
  tolerance: number,
): Part | undefined {
  const inside = findInside(region, points)
  if (!inside) return undefined
  const { plane } = group[0] as FlatFace
  const point = pointAt(plane, inside.x, inside.y)
  const here = { min: point, max: point }
  const faces = group.filter((face) => overlap(face.bounds, here, tolerance) && covers(face, point))
  if (faces.length === 0) return undefined
  const covering = new Map(faces.map((face) => [face.shape, face]))
  if (covering.size < faces.length) throw new CombineError('a shape is thinner than the tolerance')
  const looksAhead = (face: FlatFace) => dot(face.plane.zAxis, plane.zAxis) > 0
  const isWithin = (shape: number) => isInside(bodies[shape] as Body, point, tolerance)
  const isOnSide = (shape: number, isFront: boolean) => {
    const face = covering.get(shape)
    return face ? looksAhead(face) !== isFront : isWithin(shape)
  }
  return {
    faces,
    isInFront: (shape) => isOnSide(shape, true),
    isBehind: (shape) => isOnSide(shape, false),
    looksAhead,
  }
}

function isInside({ faces, bounds }: Body, point: Xyz, tolerance: number): boolean {
  if (!overlap(bounds, { min: point, max: point }, tolerance)) return false
  const winding = getWindingAround(faces, point, tolerance)
  if (Math.abs(winding - Math.round(winding)) > 0.25) throw new CombineError('a shape is not closed')
  return Math.round(winding) > 0
}

/** Joins neighbouring regions of a plane. */
function mergeRegions(regions: readonly Region[], points: PlanePoints): Region[] {
  const sides = new Map<string, Segment>()
  for (const { outline, holes } of regions) {
    for (const polygon of [outline, ...holes]) {
      checkpoint(polygon.length)
      for (const [i, from] of polygon.entries()) {
        const to = polygon[(i + 1) % polygon.length] as number
        if (!sides.delete(`${to},${from}`)) sides.set(`${from},${to}`, [from, to])
      }
    }
  }
  return traceRegions([...sides.values()], points)
}

function reverseRegion({ outline, holes }: Region): Region {
  return { outline: outline.toReversed(), holes: holes.map((hole) => hole.toReversed()) }
}
