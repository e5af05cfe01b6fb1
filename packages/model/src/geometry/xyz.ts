import type { Plane, Xyz } from '@meadow/geometry/values/points'

export function xyz(x: number, y: number, z: number): Xyz {
  return { x, y, z }
}

/** The point at (u, v, w) along a plane's axes. */
export function pointAt({ origin, xAxis, yAxis, zAxis }: Plane, u: number, v: number, w = 0): Xyz {
  return xyz(
    origin.x + xAxis.x * u + yAxis.x * v + zAxis.x * w,
    origin.y + xAxis.y * u + yAxis.y * v + zAxis.y * w,
    origin.z + xAxis.z * u + yAxis.z * v + zAxis.z * w,
  )
}

export function distance(a: Xyz, b: Xyz): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
}
