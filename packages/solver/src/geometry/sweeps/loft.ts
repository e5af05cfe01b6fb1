import type { Brep } from '../../values/brep.ts'
import type { Curve } from '../../values/value.ts'
import { distance } from '../../values/vector.ts'
import { createBrepBuilder } from '../breps/brep-builder.ts'
import { listWeighted } from '../curves/knots.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import { makeCompatible } from '../surfaces/compatible.ts'
import { createSkin } from '../surfaces/skin.ts'
import { splitAtKinksInU } from '../surfaces/split-at-kinks.ts'

/**
 * A loft through two or more curves in order, one face for each part without kinks: ruled between two curves,
 * cubic through more, parameterised by the mean distance of control points. Undefined where neighbouring curves
 * coincide.
 */
export function loft(curves: readonly Curve[], tolerance: number): Brep | undefined {
  const sections = makeCompatible(curves.map(toNurbs))
  const [first] = sections
  if (!first) return undefined
  const parameters = [0]
  for (const [i, { points }] of sections.slice(1).entries()) {
    const before = sections[i] as typeof first
    const gaps = points.map((point, k) => distance(point, before.points[k] as typeof point))
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
    if (!(mean > tolerance * 1e-3)) return undefined
    parameters.push((parameters.at(-1) as number) + mean)
  }
  const surface = createSkin({
    degreeU: first.degree,
    knotsU: first.knots,
    sections: sections.map(listWeighted),
    parameters,
  })
  const builder = createBrepBuilder(tolerance)
  for (const part of splitAtKinksInU(surface)) builder.addSurface(part)
  return builder.build()
}
