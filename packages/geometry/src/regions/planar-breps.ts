import { groupBy } from '@meadow/document'
import { createBrepBuilder } from '../breps/brep-builder.ts'
import { createPlanarFace, orient } from '../breps/planar-face.ts'
import { findRegionPlane, samplePoints } from '../breps/region.ts'
import { checkpoint } from '../budget/budget.ts'
import { joinCurves } from '../curve-editing/join.ts'
import { findCurvePlane } from '../curves/planarity.ts'
import { isClosed } from '../curves/split.ts'
import { createGroups } from '../meshes/disjoint-sets.ts'
import { type Bounds, findBounds } from '../values/bounding-box.ts'
import type { Brep } from '../values/brep.ts'
import { toLocal } from '../values/planes.ts'
import type { Plane, Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { dot, ORIGIN } from '../values/vector.ts'
import { arrange, toLoop } from './arrange.ts'
import { createRings, crossesItself, getDepths, nestRings } from './nest.ts'
import { listClosePairs } from './pairs.ts'

interface Region {
  readonly outline: Curve
  /** The outline runs counter-clockwise around the normal of this plane. */
  readonly plane: Plane
  /** Points on the outline. */
  readonly points: readonly Xyz[]
  readonly bounds: Bounds
  /** The number of regions that it is inside of. */
  depth: number
  readonly holes: Region[]
}

/** Why outlines do not tell inside from outside. */
export type OutlineFault = 'crosses itself' | 'overlap' | 'unclear'

export interface PlanarBreps {
  /** The faces; an empty list if there is a fault. */
  readonly breps: readonly Brep[]
  /** The number of curves that are open. */
  readonly open: number
  /** The number of closed curves that are not planar, or that lie on one line. */
  readonly bent: number
  readonly fault?: OutlineFault
}

/**
 * Creates planar faces from curves: one inside each outermost closed curve, with the curves directly inside it
 * as holes, and so on inwards. Open curves are joined where they meet. Faces have the order of their outer
 * curves. Outlines may touch each other; a fault if some overlap or are equal, or if one crosses itself.
 */
export function createPlanarBreps(curves: readonly Curve[], tolerance: number): PlanarBreps {
  const joined = joinCurves(curves, tolerance)
  const closed = joined.filter((curve) => isClosed(curve, tolerance))
  const regions = closed.flatMap((outline) => {
    const plane = findRegionPlane(outline, tolerance)
    return plane ? [createRegion(outline, plane)] : []
  })
  const known = new Set(regions.map(({ outline }) => outline))
  const flat = closed.filter((outline) => !known.has(outline))
  const counts = { open: joined.length - closed.length, bent: flat.length }
  // A planar curve without a region crosses itself, so that its signed areas cancel out.
  const cancels = flat.some((outline) => findCurvePlane(outline, tolerance) !== undefined)
  const faults = groupByPlane(regions, tolerance).flatMap((group) => nest(group, tolerance) ?? [])
  const [fault] = cancels ? ['crosses itself' as const] : faults
  if (fault) return { breps: [], ...counts, fault }
  const breps = regions.filter(({ depth }) => depth % 2 === 0).map((region) => createBrep(region, tolerance))
  return { breps, ...counts }
}

function createRegion(outline: Curve, plane: Plane): Region {
  const bounds = findBounds(outline) ?? { min: ORIGIN, max: ORIGIN }
  return { outline, plane, points: samplePoints(outline), bounds, depth: 0, holes: [] }
}

/** Regions in one plane whose boxes are connected. */
function groupByPlane(regions: readonly Region[], tolerance: number): Region[][] {
  const groups = createGroups(regions.length)
  const boxes = regions.map(({ bounds }) => bounds)
  for (const [i, j] of listClosePairs(boxes, tolerance)) {
    if (groups.find(i) !== groups.find(j) && areInOnePlane(regions[i]!, regions[j]!, tolerance))
      groups.join(i, j)
  }
  const members = groupBy(regions.keys(), (i) => groups.find(i))
  return [...members.values()].map((group) => group.map((i) => regions[i] as Region))
}

function areInOnePlane(a: Region, b: Region, tolerance: number): boolean {
  checkpoint(a.points.length + b.points.length)
  const isIn = ({ plane }: Region, { points }: Region) =>
    points.every((point) => Math.abs(toLocal(plane, point).z) <= tolerance)
  return Math.abs(dot(a.plane.zAxis, b.plane.zAxis)) > 1 - 1e-6 && (isIn(a, b) || isIn(b, a))
}

/** Sets the depth of each region of a plane. Regions at even depth get the regions directly inside them as holes. */
function nest(group: readonly Region[], tolerance: number): OutlineFault | undefined {
  const { plane } = group[0] as Region
  const loops = group.map(({ outline }) => toLoop(outline, 0, plane))
  const arrangement = arrange(loops, plane, tolerance)
  if (!arrangement) return 'unclear'
  const rings = createRings(loops, arrangement)
  if (rings.some((ring) => crossesItself(ring, plane, tolerance))) return 'crosses itself'
  const { parents, overlap } = nestRings(rings, plane, tolerance)
  if (overlap) return 'overlap'
  for (const [i, depth] of getDepths(parents).entries()) {
    const region = group[i] as Region
    region.depth = depth
    if (depth % 2 === 1) group[parents[i] as number]?.holes.push(region)
  }
  return undefined
}

function createBrep({ outline, plane, holes }: Region, tolerance: number): Brep {
  const inner = holes.map((hole) => {
    const isSameWay = dot(hole.plane.zAxis, plane.zAxis) > 0
    return orient(hole.outline, isSameWay, false)
  })
  const face = createPlanarFace(plane, [outline, ...inner])
  const builder = createBrepBuilder(tolerance)
  builder.addFace(face.surface, face.loops)
  return builder.build()
}
