import { checkpoint } from '../../budget/budget.ts'
import { type Bounds, findBounds } from '../../values/bounding-box.ts'
import type { Brep } from '../../values/brep.ts'
import { toLocal } from '../../values/planes.ts'
import type { Plane, Xyz } from '../../values/points.ts'
import type { Curve } from '../../values/value.ts'
import { dot } from '../../values/vector.ts'
import { joinCurves } from '../curve-editing/join.ts'
import { getWindingNumber } from '../curves/point-in-curve.ts'
import { isClosed } from '../curves/split.ts'
import { createBrepBuilder } from './brep-builder.ts'
import { createPlanarFace, orient } from './planar-face.ts'
import { findRegionPlane, integrateRegion, samplePoints } from './region.ts'

interface Region {
  readonly outline: Curve
  /** The outline runs counter-clockwise around the normal of this plane. */
  readonly plane: Plane
  readonly area: number
  /** Points on the outline. */
  readonly points: readonly Xyz[]
  readonly bounds: Bounds | undefined
  depth: number
  readonly holes: Region[]
}

export interface PlanarBreps {
  readonly breps: readonly Brep[]
  /** The number of curves that are open. */
  readonly open: number
  readonly bent: number
}

/**
 * Creates planar faces from curves: one inside each outermost closed curve, with the curves directly inside it
 * as holes, and so on inwards. Open curves are joined where they meet. Faces have the order of their outer
 * curves.
 */
export function createPlanarBreps(curves: readonly Curve[], tolerance: number): PlanarBreps {
  const joined = joinCurves(curves, tolerance)
  const closed = joined.filter((curve) => isClosed(curve, tolerance))
  const regions = closed.flatMap((outline) => {
    const plane = findRegionPlane(outline, tolerance)
    return plane ? [createRegion(outline, plane)] : []
  })
  for (const group of groupByPlane(regions, tolerance)) nest(group)
  const breps = regions.filter(({ depth }) => depth % 2 === 0).map((region) => createBrep(region, tolerance))
  return { breps, open: joined.length - closed.length, bent: closed.length - regions.length }
}

function createRegion(outline: Curve, plane: Plane): Region {
  const points = samplePoints(outline)
  const { area } = integrateRegion([outline], plane)
  return { outline, plane, area, points, bounds: findBounds(outline), depth: 0, holes: [] }
}

function groupByPlane(regions: readonly Region[], tolerance: number): Region[][] {
  const groups: Region[][] = []
  for (const region of regions) {
    checkpoint(groups.length + region.points.length)
    const group = groups.find(([first]) => {
      if (!first) return false
      const isParallel = Math.abs(dot(first.plane.zAxis, region.plane.zAxis)) > 1 - 1e-6
      return (
        isParallel && region.points.every((point) => Math.abs(toLocal(first.plane, point).z) <= tolerance)
      )
    })
    if (group) group.push(region)
    else groups.push([region])
  }
  return groups
}

/**
 * Sets the nesting depth of each region. Regions at even depth get the regions directly inside them as holes.
 */
function nest(group: readonly Region[]): void {
  const bySize = group.toSorted((a, b) => b.area - a.area)
  for (const [i, region] of bySize.entries()) {
    checkpoint(i)
    const around = bySize.slice(0, i).filter((other) => isAround(other, region))
    region.depth = around.length
    const parent = around.reduce<Region | undefined>(
      (deepest, other) => (!deepest || other.depth >= deepest.depth ? other : deepest),
      undefined,
    )
    if (parent && region.depth % 2 === 1) parent.holes.push(region)
  }
}

/** Tests three points of the outline: one or two of them may lie on the outer outline. */
function isAround({ outline, plane, bounds }: Region, { points }: Region): boolean {
  const probes = [1, 3, 5].map((sixth) => points[Math.floor((points.length * sixth) / 6)] as Xyz)
  const inside = probes.filter(
    (point) => bounds && isWithin(bounds, point) && getWindingNumber(outline, plane, point) !== 0,
  )
  return inside.length > 1
}

function isWithin({ min, max }: Bounds, point: Xyz): boolean {
  return (['x', 'y', 'z'] as const).every((axis) => {
    const slack = 1e-6 * (1 + max[axis] - min[axis])
    return point[axis] >= min[axis] - slack && point[axis] <= max[axis] + slack
  })
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
