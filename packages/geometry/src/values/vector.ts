import type { Xyz } from './points.ts'

export const ORIGIN: Xyz = { x: 0, y: 0, z: 0 }
export const X_AXIS: Xyz = { x: 1, y: 0, z: 0 }
export const Y_AXIS: Xyz = { x: 0, y: 1, z: 0 }
export const Z_AXIS: Xyz = { x: 0, y: 0, z: 1 }

export function add(a: Xyz, b: Xyz): Xyz {
  return { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z }
}

export function subtract(a: Xyz, b: Xyz): Xyz {
  return { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z }
}

export function scale(a: Xyz, factor: number): Xyz {
  return { x: a.x * factor, y: a.y * factor, z: a.z * factor }
}

/** `a` moved by `factor` times `b`. */
export function addScaled(a: Xyz, b: Xyz, factor: number): Xyz {
  return { x: a.x + b.x * factor, y: a.y + b.y * factor, z: a.z + b.z * factor }
}

export function dot(a: Xyz, b: Xyz): number {
  return a.x * b.x + a.y * b.y + a.z * b.z
}

export function cross(a: Xyz, b: Xyz): Xyz {
  return { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x }
}

export function length(a: Xyz): number {
  return Math.hypot(a.x, a.y, a.z)
}

export function distance(a: Xyz, b: Xyz): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)
}

/** A unit vector in the same direction; undefined for a vector without length. */
export function findUnit(a: Xyz): Xyz | undefined {
  const size = length(a)
  if (!(size > 0) || !Number.isFinite(size)) return undefined
  // The inverse of such a length is infinite, or has few digits.
  return size < LEAST_LENGTH ? findUnit(scale(a, 1 / LEAST_LENGTH)) : scale(a, 1 / size)
}

const LEAST_LENGTH = 1e-290

/** `a` at 0, `b` at 1. */
export function interpolate(a: Xyz, b: Xyz, t: number): Xyz {
  return addScaled(a, subtract(b, a), t)
}

export function areEqual(a: Xyz, b: Xyz, tolerance = 0): boolean {
  return tolerance === 0 ? a.x === b.x && a.y === b.y && a.z === b.z : distance(a, b) <= tolerance
}

/**
 * A unit vector perpendicular to `a`; undefined for a vector without length.
 * Source: openNURBS, `ON_3dVector::PerpendicularTo`, which determines the x axis of planes from a normal: the
 * two largest components are swapped, one of them negated, and the smallest becomes 0.
 */
export function findPerpendicular(a: Xyz): Xyz | undefined {
  const [x, y, z] = [Math.abs(a.x), Math.abs(a.y), Math.abs(a.z)]
  if (y > x) {
    if (z > y) return findUnit({ x: 0, y: a.z, z: -a.y })
    if (z >= x) return findUnit({ x: 0, y: -a.z, z: a.y })
    return findUnit({ x: a.y, y: -a.x, z: 0 })
  }
  if (z > x) return findUnit({ x: a.z, y: 0, z: -a.x })
  if (z > y) return findUnit({ x: -a.z, y: 0, z: a.x })
  return findUnit({ x: -a.y, y: a.x, z: 0 })
}
