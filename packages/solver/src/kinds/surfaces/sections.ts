import { type BrepSection, cutBrep } from '@meadow/geometry/breps/brep-section'
import { toBrep } from '@meadow/geometry/breps/to-brep'
import { BRANCH_BYTES } from '@meadow/geometry/budget/budget'
import { createMeshSections } from '@meadow/geometry/meshes/mesh-section'
import { sectionBrep } from '@meadow/geometry/sections/section-brep'
import { findTightBounds } from '@meadow/geometry/tight-bounds'
import type { Brep } from '@meadow/geometry/values/brep'
import { pointAt } from '@meadow/geometry/values/planes'
import { type Plane, toPoint, type Xyz } from '@meadow/geometry/values/points'
import type { Curve, Geometry } from '@meadow/geometry/values/value'
import { createTree, type Tree } from '../../tree/tree.ts'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { countRun, findContourPlane, listGivenOffsets, listOffsets } from './contour-offsets.ts'

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
      const spaced = findContourPlane(point, direction, distance, context)
      if (!spaced) return []
      const target = findTarget(shape)
      const bounds = target && findTightBounds(target, spaced.plane)
      const offsets = bounds ? listOffsets(bounds.min.z, bounds.max.z, spaced.step, context) : []
      return cutAll(target, spaced.plane, offsets, context)
    },
  }),
  defineKind({
    guid: '246cda78-5e88-4087-ba09-ae082bbc4af8',
    description: 'The sections of a brep or mesh with planes at given distances, a branch for each plane.',
    solve: ([shape, plane, offsets, distances], context) => {
      const all = listGivenOffsets(offsets, distances, context)
      return all ? cutAll(findTarget(shape), plane, all, context) : []
    },
  }),
]

/** What can be cut: a mesh, or a brep of a box or surface. */
function findTarget(shape: Geometry): Geometry | undefined {
  return shape.type === 'mesh' ? shape : toBrep(shape)
}

/** A branch for each plane, at the number of the run and that of the plane. Source: as in `contour-offsets.ts`. */
function cutAll(
  target: Geometry | undefined,
  plane: Plane,
  offsets: readonly number[],
  context: KindContext,
): [contours?: Tree<Curve>] {
  const run = countRun(context)
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
