import type { Arc, Circle } from './curves.ts'
import { pointAt } from './planes.ts'
import type { Box, Plane, Xyz } from './points.ts'
import type { Domain, Geometry } from './value.ts'

/** The minimum and maximum corner, along the world axes. */
export interface Bounds {
  readonly min: Xyz
  readonly max: Xyz
}

/** Geometry that is not made of other geometry, polycurves aside. */
type Single = Exclude<Geometry, { type: 'brep' | 'group' }>

/**
 * The bounding box of a geometry along the world axes; undefined for geometry without points. Exact except for
 * NURBS curves and surfaces, where it is that of the control points, which contains them.
 */
export function findBounds(geometry: Single): Bounds | undefined {
  const collector = createCollector()
  collect(geometry, collector)
  return collector.find()
}

/** The bounding box of points. */
export function findBoundsOfPoints(points: Iterable<Xyz>): Bounds | undefined {
  const collector = createCollector()
  for (const point of points) collector.add(point)
  return collector.find()
}

/** The union of bounding boxes; undefined for none. */
export function unite(bounds: readonly (Bounds | undefined)[]): Bounds | undefined {
  return findBoundsOfPoints(bounds.flatMap((one) => (one ? [one.min, one.max] : [])))
}

type Collector = ReturnType<typeof createCollector>

function createCollector() {
  const min = { x: Infinity, y: Infinity, z: Infinity }
  const max = { x: -Infinity, y: -Infinity, z: -Infinity }
  return {
    add({ x, y, z }: Xyz): void {
      if (x < min.x) min.x = x
      if (y < min.y) min.y = y
      if (z < min.z) min.z = z
      if (x > max.x) max.x = x
      if (y > max.y) max.y = y
      if (z > max.z) max.z = z
    },
    find: (): Bounds | undefined => (min.x <= max.x ? { min, max } : undefined),
  }
}

function collect(geometry: Single, collector: Collector): void {
  switch (geometry.type) {
    case 'point':
      collector.add(geometry)
      break
    case 'plane':
      collector.add(geometry.origin)
      break
    case 'line':
      collector.add(geometry.from)
      collector.add(geometry.to)
      break
    case 'polyline':
    case 'mesh':
      for (const vertex of geometry.vertices) collector.add(vertex)
      break
    case 'circle':
    case 'arc':
      collectArc(geometry, collector)
      break
    case 'rectangle':
      collectCorners(geometry.plane, geometry.x, geometry.y, { start: 0, end: 0 }, collector)
      break
    case 'box':
      collectCorners(geometry.plane, geometry.x, geometry.y, geometry.z, collector)
      break
    case 'nurbsCurve':
      for (const point of geometry.points) collector.add(point)
      break
    case 'polyCurve':
      for (const segment of geometry.segments) collect(segment, collector)
      break
    case 'nurbsSurface':
      for (const point of geometry.points.flat()) collector.add(point)
      break
  }
}

/** The ends, and the extreme points of the arc along the world axes. */
function collectArc(arc: Circle | Arc, collector: Collector): void {
  const { plane, radius } = arc
  const [from, to] = arc.type === 'arc' ? [arc.startAngle, arc.endAngle] : [0, 2 * Math.PI]
  const addAt = (angle: number) =>
    collector.add(pointAt(plane, radius * Math.cos(angle), radius * Math.sin(angle)))
  addAt(from)
  addAt(to)
  for (const axis of ['x', 'y', 'z'] as const) {
    const furthest = Math.atan2(plane.yAxis[axis], plane.xAxis[axis])
    for (const angle of [furthest, furthest + Math.PI]) {
      const turns = Math.ceil((from - angle) / (2 * Math.PI))
      const inside = angle + turns * 2 * Math.PI
      if (inside <= to) addAt(inside)
    }
  }
}

type Ends = Pick<Domain, 'start' | 'end'>

function collectCorners(plane: Plane, x: Ends, y: Ends, z: Ends, collector: Collector): void {
  for (const corner of listCorners(plane, x, y, z)) collector.add(corner)
}

function* listCorners(plane: Plane, x: Ends, y: Ends, z: Ends): Generator<Xyz> {
  for (const w of [z.start, z.end]) {
    for (const v of [y.start, y.end]) {
      for (const u of [x.start, x.end]) yield pointAt(plane, u, v, w)
    }
  }
}

/** Whether two boxes along the axes are at most the tolerance from each other along each of them. */
export function overlap(one: Bounds, other: Bounds, tolerance: number): boolean {
  return (['x', 'y', 'z'] as const).every(
    (axis) => one.min[axis] <= other.max[axis] + tolerance && other.min[axis] <= one.max[axis] + tolerance,
  )
}

/** The eight corners: x runs fastest, then y, then z. */
export function listBoxCorners({ plane, x, y, z }: Box): Xyz[] {
  return [...listCorners(plane, x, y, z)]
}
