import { findRegionPlane } from '@meadow/geometry/breps/region'
import { findCurvePlane } from '@meadow/geometry/curves/planarity'
import { isClosed } from '@meadow/geometry/curves/split'
import type { RegionFault } from '@meadow/geometry/regions/arrange'
import { combineRegions, type RegionRule } from '@meadow/geometry/regions/combine'
import { trimWithRegions } from '@meadow/geometry/regions/trim'
import { findTightBounds } from '@meadow/geometry/tight-bounds'
import { applyTransform } from '@meadow/geometry/transform/apply-transform'
import { createProjection, createTranslation } from '@meadow/geometry/transform/create'
import type { Plane } from '@meadow/geometry/values/points'
import type { Curve } from '@meadow/geometry/values/value'
import { dot, scale } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { present } from '../declaration/ports.ts'

export const REGIONS: readonly Kind[] = [
  defineKind({
    guid: '1222394f-0d33-4f31-9101-7281bde89fe5',
    description: 'The union of regions inside closed planar curves.',
    solve: ([curves, plane], context) => [
      combine([present(curves)], ([isInside]) => isInside === true, plane, context),
    ],
  }),
  defineKind({
    guid: 'f72c480b-7ee6-42ef-9821-c371e9203b44',
    description: 'The regions inside closed planar curves, without the regions inside others.',
    solve: ([a, b, plane], context) => {
      const rule: RegionRule = ([inA, inB]) => inA === true && inB !== true
      return [combine([present(a), present(b)], rule, plane, context)]
    },
  }),
  defineKind({
    guid: '477c2e7b-c5e5-421e-b8b2-ba60cdf5398b',
    description: 'The regions that are inside closed planar curves of both sets.',
    solve: ([a, b, plane], context) => {
      const rule: RegionRule = ([inA, inB]) => inA === true && inB === true
      return [combine([present(a), present(b)], rule, plane, context)]
    },
  }),
  defineKind({
    guid: '3092caf0-7cf9-4885-bcc0-e635d878832a',
    description:
      'The parts of a curve inside and outside of a closed planar curve, as seen perpendicular to its plane.',
    solve: ([curve, region, plane], context) => trim(curve, [region], plane, context),
  }),
  defineKind({
    guid: '26949c81-9b50-43b7-ac49-3203deb6eec7',
    description:
      'The parts of a curve inside and outside of several closed planar curves, as seen perpendicular to their plane.',
    solve: ([curve, regions, plane], context) => trim(curve, present(regions), plane, context),
  }),
]

function trim(
  curve: Curve,
  regions: readonly Curve[],
  plane: Plane | undefined,
  context: KindContext,
): [inside: readonly Curve[], outside: readonly Curve[]] | [] {
  const [first] = regions
  if (!first || regions.some((region) => !isClosed(region, context.tolerance))) {
    context.error('A region must be a closed curve')
    return []
  }
  const own = plane ?? findRegionPlane(first, context.tolerance)
  // If no plane is given, Grasshopper takes the plane of the curve, so the result is known only if both are parallel.
  const level = plane ? undefined : findCurvePlane(curve, context.tolerance)
  const isLevel = !level || !own || Math.abs(dot(level.zAxis, own.zAxis)) > 1 - 1e-9
  const trimmed = own && isLevel ? trimWithRegions(curve, regions, own, context.tolerance) : undefined
  if (trimmed) return [trimmed.inside, trimmed.outside]
  context.limit('This position of the curve and the region is not supported')
  return []
}

const LIMITS: Readonly<Record<Exclude<RegionFault, 'open'>, string>> = {
  bent: 'Regions of curves that do not lie in one plane are not supported',
  flat: 'Regions of curves that enclose no area are not supported',
  'crosses itself': 'Regions of curves that cross or touch themselves are not supported',
  nested: 'It is not published whether a region inside another one of its set is a hole',
  unclear: 'Some curves lie on each other in a way that is not supported',
}

function combine(
  sets: readonly (readonly Curve[])[],
  rule: RegionRule,
  plane: Plane | undefined,
  context: KindContext,
): readonly Curve[] {
  const curves = sets.flat()
  const [first] = curves
  if (!first) return []
  const own = plane ?? findRegionPlane(first, context.tolerance)
  const flat = plane ? sets.map((set) => set.map((curve) => flatten(curve, plane, context))) : sets
  const result = own ? combineRegions(flat, rule, own, context.tolerance) : 'bent'
  if (result === 'open') {
    context.error('Regions need closed curves')
    return []
  }
  if (typeof result === 'string') {
    context.limit(LIMITS[result])
    return []
  }
  if (result.length > 1 || result.some((curve) => !curves.includes(curve))) {
    context.approximate('The curves are right, but Rhino may have them in another order, starting elsewhere')
  }
  return result
}

/**
 * A curve as a given plane shows it: moved along its normal, or projected.
 * Source: the reference of `Curve.CreateBooleanRegions` in RhinoCommon: regions are found in the projection to the plane.
 */
function flatten(curve: Curve, plane: Plane, context: KindContext): Curve {
  const bounds = findTightBounds(curve, plane)
  if (!bounds) return curve
  const { min, max } = bounds
  if (Math.max(Math.abs(min.z), Math.abs(max.z)) <= context.tolerance) return curve
  context.approximate('Curves outside of the plane are projected onto it')
  const isLevel = max.z - min.z <= context.tolerance
  const step = isLevel ? createTranslation(scale(plane.zAxis, -min.z)) : createProjection(plane)
  return (applyTransform(curve, step) as Curve | undefined) ?? curve
}
