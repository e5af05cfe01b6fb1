import { type BrepSection, cutBrep } from '@meadow/geometry/breps/brep-section'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { BRANCH_BYTES } from '@meadow/geometry/budget/budget'
import { createMeshSections } from '@meadow/geometry/meshes/mesh-section'
import { sectionBrep } from '@meadow/geometry/sections/section-brep'
import { findTightBounds } from '@meadow/geometry/tight-bounds'
import type { Brep } from '@meadow/geometry/values/brep'
import { findPlaneFromNormal, pointAt } from '@meadow/geometry/values/planes'
import { type Plane, toPoint, type Xyz } from '@meadow/geometry/values/points'
import type { Curve, Geometry } from '@meadow/geometry/values/value'
import { scale } from '@meadow/geometry/values/vector'
import { createTree, type Tree } from '../../tree/tree.ts'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

const FORM = 'The curves may start elsewhere than in Rhino, and be in another order'
const TRACED =
  'The curves follow the section within a tenth of the tolerance, and may start elsewhere than in Rhino'

export const SECTIONS: readonly Kind[] = [
  defineKind({
    guid: '4fe828e8-fa95-4cc5-9a8c-c33856ecc783',
    description: 'The curves in which a brep meets a plane, and the points where it only touches it.',
    solve: ([brep, plane], context) => {
      const section = findSection(brep, plane, context)
      return section ? [section.curves, section.points.map(toPoint)] : []
    },
  }),
  defineKind({
    guid: '3b112fb6-3eba-42d2-ba75-0f903c18faab',
    description: 'The sections of a brep or mesh with planes at equal distances, a branch for each plane.',
    solve: ([shape, point, direction, distance], context) => {
      const plane = findPlaneFromNormal(point, distance < 0 ? scale(direction, -1) : direction)
      const step = Math.abs(distance)
      if (!plane || !(step > context.tolerance)) {
        context.error(plane ? 'The distance is too small' : 'The direction has no length')
        return []
      }
      const target = findTarget(shape)
      const bounds = target && findTightBounds(target, plane)
      return cutAll(
        target,
        plane,
        bounds ? listOffsets(bounds.min.z, bounds.max.z, step, context) : [],
        context,
      )
    },
  }),
  defineKind({
    guid: '246cda78-5e88-4087-ba09-ae082bbc4af8',
    description: 'The sections of a brep or mesh with planes at given distances, a branch for each plane.',
    solve: ([shape, plane, offsets, distances], context) => {
      let reached = 0
      const fromDistances = present(distances).map((distance) => {
        reached += distance
        return reached
      })
      const all = offsets.length > 0 ? present(offsets) : fromDistances
      if (all.length === 0) {
        context.error('You either have to specify Distances or Offsets')
        return []
      }
      return cutAll(findTarget(shape), plane, all, context)
    },
  }),
]

/** What can be cut: a mesh, or a brep of a box or surface. */
function findTarget(shape: Geometry): Geometry | undefined {
  return shape.type === 'mesh' ? shape : toBrep(shape)
}

/**
 * The multiples of a distance from the lowest height on, below the highest.
 * Source: results of Grasshopper's Contour in pyhopper (github.com/ezzahiranass/pyhopper).
 */
function listOffsets(lowest: number, highest: number, step: number, context: KindContext): number[] {
  const slack = 1e-9 * (1 + Math.abs(lowest) + Math.abs(highest))
  const first = Math.ceil((lowest - slack) / step)
  const count = Math.max(0, Math.ceil((highest - slack) / step) - first)
  context.reserve(count, BRANCH_BYTES)
  return Array.from({ length: count }, (_, i) => (first + i) * step)
}

/** How many times a node has run. */
const RUNS = new WeakMap<KindContext, number>()

/**
 * A branch for each plane, at the number of the run and that of the plane.
 * Source: results of Grasshopper's Contour in pyhopper (github.com/ezzahiranass/pyhopper).
 */
function cutAll(
  target: Geometry | undefined,
  plane: Plane,
  offsets: readonly number[],
  context: KindContext,
): [contours?: Tree<Curve>] {
  const run = RUNS.get(context) ?? 0
  RUNS.set(context, run + 1)
  if (!target) {
    context.limit('Contours of anything but breps, surfaces and meshes are not supported')
    return []
  }
  context.reserve(offsets.length, BRANCH_BYTES)
  const cut = createCut(target, context)
  const branches = offsets.map((offset, i) => {
    const origin: Xyz = pointAt(plane, 0, 0, offset)
    return { path: [run, i], values: cut({ ...plane, origin }) }
  })
  return [createTree(branches)]
}

function createCut(target: Geometry, context: KindContext): (plane: Plane) => readonly Curve[] {
  if (target.type === 'brep') return (plane) => findSection(target, plane, context)?.curves ?? []
  if (target.type !== 'mesh') return () => []
  const cut = createMeshSections(target)
  return (plane) => {
    const curves = cut(plane)
    if (curves.length > 0) context.approximate(FORM)
    return curves
  }
}

/** Finds a section exactly where that is possible, otherwise by tracing; reports a limit where neither is possible. */
function findSection(brep: Brep, plane: Plane, context: KindContext): BrepSection | undefined {
  const exact = cutBrep(brep, plane, context.tolerance)
  if (exact) {
    if (exact.curves.length > 0) context.approximate(FORM)
    return exact
  }
  const traced = sectionBrep(brep, plane, context.tolerance)
  if ('problem' in traced) {
    context.limit(`The section is not supported: ${traced.problem}`)
    return undefined
  }
  if (traced.curves.length > 0) context.approximate(TRACED)
  return { curves: traced.curves, points: [] }
}
