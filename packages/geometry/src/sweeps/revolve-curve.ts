import { createBrepBuilder } from '../breps/brep-builder.ts'
import { cutAtKinks } from '../breps/planar-face.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import { findSpanAngle } from '../surfaces/arcs.ts'
import { revolve } from '../surfaces/revolve.ts'
import type { Brep } from '../values/brep.ts'
import type { Xyz } from '../values/points.ts'
import { type Curve, type Domain, domain } from '../values/value.ts'

const FULL_TURN = 2 * Math.PI

/** Revolves a curve around an axis, at most by a full turn: one face for each part without kinks. */
export function revolveCurve(curve: Curve, origin: Xyz, axis: Xyz, angles: Domain, tolerance: number): Brep {
  const [from, to] = [Math.min(angles.start, angles.end), Math.max(angles.start, angles.end)]
  const builder = createBrepBuilder(tolerance)
  for (const part of cutAtKinks(curve)) {
    const profile = toNurbs(part)
    const range = domain(from, Math.min(to, from + FULL_TURN))
    builder.addSurface(revolve(profile, origin, axis, range, findSpanAngle(part, profile)))
  }
  return builder.build()
}
