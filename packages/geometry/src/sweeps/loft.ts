import { createBrepBuilder } from '../breps/brep-builder.ts'
import { joinBreps } from '../breps/join-breps.ts'
import { listWeighted } from '../curves/knots.ts'
import { toNurbs } from '../curves/to-nurbs.ts'
import { makeCompatible } from '../surfaces/compatible.ts'
import { createClosedLooseSkin, createClosedSkin, createLooseSkin, createSkin } from '../surfaces/skin.ts'
import { splitAtKinksInU } from '../surfaces/split-at-kinks.ts'
import type { Brep } from '../values/brep.ts'
import type { NurbsCurve } from '../values/curves.ts'
import type { Xyz } from '../values/points.ts'
import type { Curve } from '../values/value.ts'
import { distance, interpolate } from '../values/vector.ts'

/**
 * How a loft runs from section to section: cubic, with steps of the parameter as the distances of sections (`normal`),
 * their square roots (`tight`) or 1 (`uniform`); or with the control points of the sections as its own (`loose`).
 * Source: RhinoCommon, `LoftType`.
 */
export type LoftStyle = 'normal' | 'loose' | 'tight' | 'uniform'

export interface Loft {
  readonly brep: Brep
  /**
   * The surface between the sections is known: ruled between two sections, or all of them are on one ruled surface.
   * Otherwise it depends on how Rhino measures the distance of two sections, which is not published.
   */
  readonly isKnown: boolean
}

/**
 * A loft through two or more curves in order, one face for each part without kinks: ruled between two curves, of the
 * style through more, with the mean distance of control points as that of sections. A closed one, of three or more
 * curves, comes back to the first. Undefined where neighbouring curves coincide.
 */
export function loft(
  curves: readonly Curve[],
  tolerance: number,
  style: LoftStyle = 'normal',
  isClosed = false,
): Loft | undefined {
  const sections = makeCompatible(curves.map(toNurbs))
  const [first] = sections
  if (!first) return undefined
  const parameters = [0]
  const others = isClosed ? [...sections.slice(1), first] : sections.slice(1)
  for (const [i, { points }] of others.entries()) {
    const before = sections[i] as typeof first
    const gaps = points.map((point, k) => distance(point, before.points[k] as typeof point))
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
    if (!(mean > tolerance * 1e-3)) return undefined
    const step = style === 'normal' ? mean : style === 'tight' ? Math.sqrt(mean) : 1
    parameters.push((parameters.at(-1) as number) + step)
  }
  const open = style === 'loose' ? createLooseSkin : createSkin
  const closed = style === 'loose' ? createClosedLooseSkin : createClosedSkin
  const surface = (isClosed ? closed : open)({
    degreeU: first.degree,
    knotsU: first.knots,
    sections: sections.map(listWeighted),
    parameters,
  })
  const builder = createBrepBuilder(tolerance)
  for (const part of splitAtKinksInU(surface)) builder.addSurface(part)
  const isKnown =
    sections.length === 2 ||
    (style !== 'loose' && !isClosed && areOnRuledSurface(sections, parameters, tolerance * 1e-3))
  return { brep: builder.build(), isKnown }
}

/** Whether each section is between the first and the last as far as its parameter is. */
function areOnRuledSurface(
  sections: readonly NurbsCurve[],
  parameters: readonly number[],
  tolerance: number,
): boolean {
  const [first, last] = [sections[0] as NurbsCurve, sections.at(-1) as NurbsCurve]
  const whole = parameters.at(-1) as number
  return sections.every((section, i) =>
    section.points.every((point, k) => {
      const expected = interpolate(
        first.points[k] as Xyz,
        last.points[k] as Xyz,
        (parameters[i] as number) / whole,
      )
      const isEven = section.weights?.[k] === first.weights?.[k] && last.weights?.[k] === first.weights?.[k]
      return (i === 0 || isEven) && distance(point, expected) <= tolerance
    }),
  )
}

/** Ruled surfaces between neighbouring curves. Undefined where two coincide. */
export function loftStraight(curves: readonly Curve[], tolerance: number): Brep | undefined {
  const parts = curves.slice(1).map((curve, i) => loft([curves[i] as Curve, curve], tolerance)?.brep)
  if (parts.some((part) => !part)) return undefined
  return joinBreps(
    parts.filter((part) => part !== undefined),
    tolerance,
  )[0]
}
