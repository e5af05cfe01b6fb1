import { Box3, MathUtils, Vector3 } from 'three'

/** Where the camera is. Z is up, as in Rhino. */
export interface Viewpoint {
  /** What the camera looks at and orbits. */
  target: Vector3
  /** The direction from the target to the camera, of length 1. */
  direction: Vector3
  /** Half the height of what is visible at the target. */
  span: number
  /** Whether the camera is without perspective. */
  isParallel: boolean
}

/** The angle of view of the perspective camera, from the lower to the upper border, in degrees. */
export const FIELD_OF_VIEW = 35
const TANGENT = Math.tan(MathUtils.degToRad(FIELD_OF_VIEW / 2))

/** The space left around what is fitted. */
const MARGIN = 1.12

/** The deviation of the views from above and below from the vertical: the camera needs to know where up is. */
const NEARLY_VERTICAL = 1e-4

/** The directions of the standard views, with the names and orientations that Rhino gives them. */
export const STANDARD_VIEWS = {
  perspective: new Vector3(1, -1.6, 1.1).normalize(),
  top: new Vector3(0, -NEARLY_VERTICAL, 1).normalize(),
  bottom: new Vector3(0, -NEARLY_VERTICAL, -1).normalize(),
  front: new Vector3(0, -1, 0),
  back: new Vector3(0, 1, 0),
  right: new Vector3(1, 0, 0),
  left: new Vector3(-1, 0, 0),
} as const satisfies Record<string, Vector3>
export type StandardView = keyof typeof STANDARD_VIEWS

/** The distance from the camera to the target. */
export const distanceOf = ({ span }: Pick<Viewpoint, 'span'>): number => span / TANGENT

/** The axes of the screen for a direction: to the right, and up. */
export function screenAxes(direction: Vector3): { right: Vector3; up: Vector3 } {
  const right = new Vector3(0, 0, 1).cross(direction).normalize()
  return { right, up: direction.clone().cross(right) }
}

const cornersOf = ({ min, max }: Box3): Vector3[] =>
  [min.x, max.x].flatMap((x) =>
    [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))),
  )

/** The viewpoint that shows the whole box from the same direction. `aspect` is the width of the view over its height. */
export function fit({ direction, isParallel }: Viewpoint, box: Box3, aspect: number): Viewpoint {
  const target = box.getCenter(new Vector3())
  const { right, up } = screenAxes(direction)
  let distance = 0
  let half = 0
  for (const corner of cornersOf(box)) {
    const at = corner.sub(target)
    const height = Math.max(Math.abs(at.dot(up)), Math.abs(at.dot(right)) / aspect)
    half = Math.max(half, height)
    distance = Math.max(distance, at.dot(direction) + height / TANGENT)
  }
  const span = isParallel ? half : distance * TANGENT
  return {
    target,
    direction: direction.clone(),
    span: Math.max(span * MARGIN, smallestSpan(box)),
    isParallel,
  }
}

/**
 * Returns the smallest span for a box. A point has no size: it is seen from as far as its place requires, at least 1.
 */
function smallestSpan(box: Box3): number {
  const size = box.getSize(new Vector3()).length()
  if (size > 0) return size * 1e-3
  return Math.max(1, box.max.length() * 1e-6)
}

/** The distances from the camera between which everything is: as narrow as possible, for the precision of depths. */
export function findDepths(viewpoint: Viewpoint, box: Box3): { near: number; far: number } {
  const radius = Math.max(box.getSize(new Vector3()).length() / 2, viewpoint.span * 1e-3) * 1.01
  const camera = viewpoint.target.clone().addScaledVector(viewpoint.direction, distanceOf(viewpoint))
  const along = camera.sub(box.getCenter(new Vector3())).dot(viewpoint.direction)
  if (viewpoint.isParallel) return { near: along - radius, far: along + radius }
  const far = Math.max(along + radius, distanceOf(viewpoint) * 2)
  const nearest = Math.min(distanceOf(viewpoint) / 20, far / 500)
  return { near: Math.max(along - radius, nearest, far * 1e-6), far }
}

/** How a box appears in the view. */
export type Framing = 'outside' | 'tiny' | 'partly' | 'small' | 'well'

/** Below these fractions of the view, a box is too small to see anything of it, or to be fitted well. */
const TINY = 0.004
const SMALL = 0.3

/**
 * How a box appears: outside of the view or too small to be seen, partly outside, small, or well framed. A view that
 * shows a part of a box that surrounds it is `partly`.
 */
export function judgeFraming(viewpoint: Viewpoint, box: Box3, aspect: number): Framing {
  const { right, up } = screenAxes(viewpoint.direction)
  const distance = distanceOf(viewpoint)
  const seen = new Box3()
  let behind = 0
  for (const corner of cornersOf(box)) {
    const at = corner.sub(viewpoint.target)
    const depth = distance - at.dot(viewpoint.direction)
    if (!viewpoint.isParallel && depth <= distance * 1e-6) {
      behind++
      continue
    }
    const half = viewpoint.isParallel ? viewpoint.span : depth * TANGENT
    seen.expandByPoint(new Vector3(at.dot(right) / (half * aspect), at.dot(up) / half, 0))
  }
  if (behind === 8) return 'outside'
  if (behind > 0) return 'partly'
  const { min, max } = seen
  if (min.x > 1 || min.y > 1 || max.x < -1 || max.y < -1) return 'outside'
  const extent = Math.max(max.x - min.x, max.y - min.y) / 2
  if (extent < TINY && box.getSize(new Vector3()).length() > 0) return 'tiny'
  if (Math.max(max.x, max.y, -min.x, -min.y) > 1.02) return 'partly'
  return extent < SMALL && extent > 0 ? 'small' : 'well'
}

/** Turns the camera around its target, by angles in radians: to the right, and up. */
export function orbit(viewpoint: Viewpoint, right: number, up: number): Viewpoint {
  const { x, y, z } = viewpoint.direction
  const azimuth = Math.atan2(y, x) + right
  const height = MathUtils.clamp(
    Math.asin(MathUtils.clamp(z, -1, 1)) + up,
    -Math.PI / 2 + NEARLY_VERTICAL,
    Math.PI / 2 - NEARLY_VERTICAL,
  )
  const direction = new Vector3(
    Math.cos(height) * Math.cos(azimuth),
    Math.cos(height) * Math.sin(azimuth),
    Math.sin(height),
  )
  return { ...viewpoint, direction }
}

/** Moves camera and target, by fractions of half the height of the view. */
export function pan(viewpoint: Viewpoint, right: number, up: number): Viewpoint {
  const axes = screenAxes(viewpoint.direction)
  const target = viewpoint.target
    .clone()
    .addScaledVector(axes.right, right * viewpoint.span)
    .addScaledVector(axes.up, up * viewpoint.span)
  return { ...viewpoint, target }
}

export const zoom = (viewpoint: Viewpoint, factor: number): Viewpoint => ({
  ...viewpoint,
  span: viewpoint.span / factor,
})
