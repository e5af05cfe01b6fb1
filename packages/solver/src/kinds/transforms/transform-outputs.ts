import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { applyTransform } from '@meadow/geometry/transform/apply-transform'
import { countPoints } from '@meadow/geometry/transform/count-points'
import type { Geometry, Transform } from '@meadow/geometry/values/value'
import type { KindContext } from '../declaration/define-kind.ts'

/**
 * The outputs of transform kinds: the transformed geometry, if any, and the transform, which is an output even without
 * geometry.
 */
export function createTransformOutputs(
  geometry: Geometry | undefined,
  transform: Transform,
  context: KindContext,
): [geometry?: Geometry | undefined, transform?: Transform] {
  if (!transform.matrix.every(Number.isFinite)) {
    context.error('The transformation has no finite size')
    return []
  }
  return [geometry && findMoved(geometry, transform, context), transform]
}

/** Transforms a geometry; undefined, with a warning, for a degenerate result. */
export function findMoved(
  geometry: Geometry,
  transform: Transform,
  context: KindContext,
): Geometry | undefined {
  context.reserve(countPoints(geometry), POINT_BYTES)
  const moved = applyTransform(geometry, transform)
  if (!moved) context.warn('Geometry that is scaled to nothing has no form')
  return moved
}
