import type { TwistedBox, Xyz } from '../values/points.ts'
import type { Transform } from '../values/value.ts'
import { add, distance, interpolate, length, subtract } from '../values/vector.ts'
import { createTransform } from './matrix.ts'

/** The point of a twisted box at parameters that are 0 and 1 at its corners: linear along each of them. */
export function getTwistedPoint({ corners }: TwistedBox, u: number, v: number, w: number): Xyz {
  const [a, b, c, d, e, f, g, h] = corners as [Xyz, Xyz, Xyz, Xyz, Xyz, Xyz, Xyz, Xyz]
  const across = (p: Xyz, q: Xyz, r: Xyz, s: Xyz) =>
    interpolate(interpolate(p, q, u), interpolate(s, r, u), v)
  return interpolate(across(a, b, c, d), across(e, f, g, h), w)
}

/** Corners are those of a parallelepiped if they are off by less than this part of its size. */
const ROUNDING = 1e-12

/** The transform from the unit cube to a twisted box that is a parallelepiped; undefined for any other. */
export function findParallelepiped({ corners }: TwistedBox): Transform | undefined {
  const [a, b, c, d, e, f, g, h] = corners as [Xyz, Xyz, Xyz, Xyz, Xyz, Xyz, Xyz, Xyz]
  const [u, v, w] = [subtract(b, a), subtract(d, a), subtract(e, a)]
  const size = Math.max(length(a), length(u), length(v), length(w))
  const isNear = (corner: Xyz, expected: Xyz) => distance(corner, expected) <= ROUNDING * size
  const isRegular =
    isNear(c, add(b, v)) && isNear(f, add(b, w)) && isNear(h, add(d, w)) && isNear(g, add(add(b, v), w))
  if (!isRegular) return undefined
  return createTransform(
    (['x', 'y', 'z'] as const).map((axis) => [u[axis], v[axis], w[axis], a[axis]] as const),
  )
}
