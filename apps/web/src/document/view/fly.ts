import { MathUtils, Spherical, Vector3 } from 'three'
import type { Viewpoint } from './camera/framing.ts'
import type { Viewer } from './viewer.ts'

const FLIGHT_MS = 700
/** A camera that differs by more, as a fraction of what is seen, was moved by the user. */
const TOLERANCE = 1e-4

/**
 * Moves the camera to a viewpoint along a smooth way, unless the user moves it meanwhile. Returns a function that ends
 * this.
 */
export function fly(viewer: Pick<Viewer, 'viewpoint' | 'move'>, to: Viewpoint): () => void {
  const from = viewer.viewpoint
  const startedAt = performance.now()
  let last = from
  const step = (now: number) => {
    if (!isNear(viewer.viewpoint, last)) return
    const passed = MathUtils.clamp((now - startedAt) / FLIGHT_MS, 0, 1)
    last = between(from, to, MathUtils.smootherstep(passed, 0, 1))
    viewer.move(last)
    if (passed < 1) frame = requestAnimationFrame(step)
  }
  let frame = requestAnimationFrame(step)
  return () => cancelAnimationFrame(frame)
}

const isNear = (a: Viewpoint, b: Viewpoint): boolean =>
  a.isParallel === b.isParallel &&
  a.target.distanceTo(b.target) <= TOLERANCE * b.span &&
  a.direction.distanceTo(b.direction) <= TOLERANCE &&
  Math.abs(a.span - b.span) <= TOLERANCE * b.span

/**
 * A viewpoint on the way, at a fraction of it. The camera turns around the vertical the shorter way, so that the horizon
 * stays level, and comes nearer by equal factors in equal times. It is without perspective only if it is so at both ends.
 */
export function between(from: Viewpoint, to: Viewpoint, fraction: number): Viewpoint {
  if (fraction >= 1) return to
  const [start, end] = [toSpherical(from.direction), toSpherical(to.direction)]
  const turn = MathUtils.euclideanModulo(end.theta - start.theta + Math.PI, 2 * Math.PI) - Math.PI
  const angles = new Spherical(1, MathUtils.lerp(start.phi, end.phi, fraction), start.theta + turn * fraction)
  const { x, y, z } = new Vector3().setFromSpherical(angles)
  return {
    target: from.target.clone().lerp(to.target, fraction),
    direction: new Vector3(x, -z, y),
    span: from.span ** (1 - fraction) * to.span ** fraction,
    isParallel: from.isParallel && to.isParallel,
  }
}

/** Returns spherical coordinates around the Z axis; those of three are around the Y axis. */
const toSpherical = ({ x, y, z }: Vector3) => new Spherical().setFromVector3(new Vector3(x, z, -y))
