import type { Brep } from '../../values/brep.ts'
import { isCurve } from '../../values/curves.ts'
import type { NurbsSurface } from '../../values/nurbs-surface.ts'
import type { Xyz } from '../../values/points.ts'
import { type Curve, domain } from '../../values/value.ts'
import { toNurbs } from '../curves/index.ts'
import { clampNurbs } from '../surfaces/compatible.ts'
import { createBetween } from '../surfaces/ruled.ts'
import { distance } from '../vector.ts'
import { createBrepBuilder } from './brep-builder.ts'
import { countUses } from './extrude.ts'
import { joinBreps } from './join-breps.ts'
import { cutAtKinks } from './planar-face.ts'

/** The straight lines from a curve to a point; from the open edges of a brep, together with it. */
export function coneOver(base: Curve | Brep, apex: Xyz, tolerance: number): Brep {
  const builder = createBrepBuilder(tolerance)
  if (isCurve(base)) {
    for (const part of cutAtKinks(base)) builder.addSurface(createCone(part, apex))
    return builder.build()
  }
  const uses = countUses(base)
  for (const [i, { curve }] of base.edges.entries())
    if (uses[i] === 1) builder.addSurface(createCone(curve, apex))
  const [joined = base] = joinBreps([base, builder.build()], tolerance)
  return joined
}

/** u along the curve, v from it to the apex, by the largest distance of the two. */
function createCone(curve: Curve, { x, y, z }: Xyz): NurbsSurface {
  const rail = clampNurbs(toNurbs(curve))
  const apex = { x, y, z }
  const size = Math.max(...rail.points.map((place) => distance(place, apex)))
  return createBetween(rail, { ...rail, points: rail.points.map(() => apex) }, domain(0, size))
}
