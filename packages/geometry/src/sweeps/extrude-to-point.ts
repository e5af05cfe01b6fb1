import { createBrepBuilder } from '../breps/brep-builder.ts'
import { joinBreps } from '../breps/join-breps.ts'
import { countUses } from '../breps/list-faces.ts'
import { cutAtKinks } from '../breps/planar-face.ts'
import { getStart } from '../curves/evaluate.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import { clampNurbs } from '../surfaces/compatible.ts'
import { transpose } from '../surfaces/rows.ts'
import { createBetween } from '../surfaces/ruled.ts'
import type { Brep } from '../values/brep.ts'
import { isCurve } from '../values/curves.ts'
import type { NurbsSurface } from '../values/nurbs-surface.ts'
import type { Xyz } from '../values/points.ts'
import { type Curve, domain } from '../values/value.ts'
import { distance } from '../values/vector.ts'

/** A cone from a curve to a point, or from the open edges of a brep, joined with the brep. */
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

/**
 * Creates a cone with u from the curve to the apex, by the distance of the curve's start, and v along the curve.
 * Source: recorded outputs of Grasshopper 8 in github.com/ezzahiranass/pyhopper.
 */
function createCone(curve: Curve, { x, y, z }: Xyz): NurbsSurface {
  const rail = clampNurbs(toNurbs(curve))
  const apex = { x, y, z }
  const size = distance(getStart(curve), apex)
  return transpose(createBetween(rail, { ...rail, points: rail.points.map(() => apex) }, domain(0, size)))
}
