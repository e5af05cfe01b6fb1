import { toBrep } from '@meadow/geometry/breps/to-brep'
import { POINT_BYTES } from '@meadow/geometry/budget/budget'
import { findClosestPoint } from '@meadow/geometry/curves/closest-point'
import { findTangent, getStart } from '@meadow/geometry/curves/evaluate'
import { listWeighted } from '@meadow/geometry/curves/knots'
import { getLength } from '@meadow/geometry/curves/length'
import { hasFreePieces } from '@meadow/geometry/curves/pieces'
import { isClosed } from '@meadow/geometry/curves/split'
import { toNurbs } from '@meadow/geometry/curves/to-nurbs'
import { createPlanarBreps, type OutlineFault } from '@meadow/geometry/regions/planar-breps'
import { clampNurbs } from '@meadow/geometry/surfaces/compatible'
import { createCornerSurface, createRuledSurface } from '@meadow/geometry/surfaces/ruled'
import { createLooseSkin } from '@meadow/geometry/surfaces/skin'
import { extrudeBrep, extrudeCurve } from '@meadow/geometry/sweeps/extrude'
import { coneOver } from '@meadow/geometry/sweeps/extrude-to-point'
import { type LoftStyle, loft, loftStraight } from '@meadow/geometry/sweeps/loft'
import { createPipe, type PipeCaps } from '@meadow/geometry/sweeps/pipe'
import { revolveCurve } from '@meadow/geometry/sweeps/revolve-curve'
import { sweepSection } from '@meadow/geometry/sweeps/sweep-section'
import { applyTransform } from '@meadow/geometry/transform/apply-transform'
import { countPoints } from '@meadow/geometry/transform/count-points'
import { createReorientation } from '@meadow/geometry/transform/create'
import type { Brep } from '@meadow/geometry/values/brep'
import { getCurveDomain } from '@meadow/geometry/values/curve-domain'
import { isCurve } from '@meadow/geometry/values/curves'
import { xyPlane } from '@meadow/geometry/values/planes'
import type { Xyz } from '@meadow/geometry/values/points'
import type { Curve, Opaque } from '@meadow/geometry/values/value'
import { areEqual, dot, length, subtract } from '@meadow/geometry/values/vector'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { item, list, optional, present } from '../declaration/ports.ts'

export const EXTRUSIONS: readonly Kind[] = [
  defineKind({
    guid: '962034e9-cc27-4394-afc4-5c16e3447cf9',
    description: 'Extrudes a curve or a surface along a vector; a surface becomes a solid.',
    solve: ([base, direction], context) => {
      context.reserve()
      if (!(length(direction) > context.tolerance)) {
        context.error('Extrusion direction has no length')
        return []
      }
      if (isCurve(base)) return [extrudeCurve(base, direction, context.tolerance)]
      const brep = toBrep(base)
      if (!brep) {
        context.limit('Extruding anything but curves, surfaces and breps is not supported')
        return []
      }
      return [extrudeBrep(brep, direction, context.tolerance)]
    },
  }),
  defineKind({
    guid: '8efd5eb9-a896-486e-9f98-d8d1a07a49f3',
    description:
      'Extrudes a curve or a surface along a line, moved from one plane to another: by default to the start of the line.',
    solve: ([profile, own, { from, to }, target], context) => {
      context.reserve(countPoints(profile))
      const along = subtract(to, from)
      if (!(length(along) > context.tolerance)) {
        context.error('The axis has no length')
        return []
      }
      const isUpright = [own.zAxis, along].every(
        ({ x, y, z }) => Math.hypot(x, y) <= 1e-9 * Math.abs(z) && z > 0,
      )
      if (!target && !(isUpright && own.xAxis.x > 1 - 1e-9)) {
        context.limit('How Rhino orients a profile along an axis without a plane is not published')
        return []
      }
      const moved = applyTransform(profile, createReorientation(own, target ?? xyPlane(from)))
      if (moved && isCurve(moved)) return [extrudeCurve(moved, along, context.tolerance)]
      const brep = moved && toBrep(moved)
      if (brep) return [extrudeBrep(brep, along, context.tolerance)]
      context.limit('Extruding anything but curves, surfaces and breps is not supported')
      return []
    },
  }),
]

export const LOFTS: readonly Kind[] = [
  defineKind({
    guid: 'a7a41d0a-2188-4f7a-82cc-1a2c4e4ec850',
    description: 'A surface through a sequence of section curves.',
    inputs: [list.curve, optional(item.opaque)],
    solve: ([curves, options], context) => {
      const sections = present(curves)
      context.reserve(sections.length)
      if (sections.length < 2) {
        context.error('At least two curves are needed')
        return []
      }
      const closed = sections.filter((curve) => isClosed(curve, context.tolerance))
      if (closed.length > 0 && closed.length < sections.length) {
        context.error('Open and closed curves cannot be lofted together')
        return []
      }
      const found = options ? readLoftOptions(options) : { style: 'normal' as const }
      if (!found || (found.isClosed && sections.length < 3)) {
        context.limit(
          'Lofts with simplified curves, closed lofts of two curves, and developable ones are not supported',
        )
        return []
      }
      return [
        createLoft(
          sections,
          { ...found, isAdjusted: found.isAdjusted === true && closed.length > 0 },
          context,
        ),
      ]
    },
  }),
  defineKind({
    guid: '5c270622-ee80-45a4-b07a-bd8ffede92a2',
    description: 'A surface whose control points are those of section curves.',
    solve: ([curves, degree], context) => {
      const sections = present(curves).map((curve) => clampNurbs(toNurbs(curve)))
      const [first] = sections
      const isAlike = sections.every(
        ({ points, degree }) => points.length === first?.points.length && degree === first.degree,
      )
      if (!first || sections.length < 2 || !isAlike || degree < 1) {
        context.error(
          'At least two curves are needed, with the same degree and the same number of control points',
        )
        return []
      }
      context.reserve(sections.length * first.points.length, POINT_BYTES)
      if (sections.some(({ knots }) => !haveSameSpacing(knots, first.knots))) {
        context.limit('Which knots the surface of curves with different knots has is not published')
        return []
      }
      if (sections.length > degree + 1 || sections.some(({ knots }) => knots.join() !== first.knots.join()))
        context.approximate('The surface can have other parameters than in Rhino')
      const skin = { degreeU: first.degree, knotsU: first.knots, sections: sections.map(listWeighted) }
      return [createLooseSkin(skin, degree)]
    },
  }),
  defineKind({
    guid: '45f19d16-1c9f-4b0f-a9a6-45a77f3d206c',
    description: 'The options of a loft.',
    outputs: [item.opaque],
    solve: ([isClosedLoft, isAdjusted, rebuild, refit, type]) => {
      const differences = [
        ...(isClosedLoft ? ['closed'] : []),
        ...(isAdjusted ? ['adjusted'] : []),
        ...(rebuild > 0 || refit > 0 ? ['simplified'] : []),
      ]
      const description = `Loft options of type ${type} (${differences.join(', ') || 'otherwise unchanged'})`
      return [{ type: 'opaque', wire: { type: 'unknown', value: { description } } }]
    },
  }),
]

/** By the numbers of RhinoCommon's `LoftType`. */
const LOFT_STYLES: Readonly<Record<string, LoftStyle | 'straight'>> = {
  0: 'normal',
  1: 'loose',
  2: 'tight',
  3: 'straight',
  5: 'uniform',
}

const SUPPORTED_DIFFERENCES: ReadonlySet<string> = new Set(['otherwise unchanged', 'closed', 'adjusted'])

interface LoftOptions {
  readonly style: LoftStyle | 'straight'
  readonly isClosed?: boolean
  readonly isAdjusted?: boolean
}

/** Reads the options of a loft; undefined if they ask for anything else. */
function readLoftOptions({ wire }: Opaque): LoftOptions | undefined {
  const { value } = wire
  const description =
    typeof value === 'object' && value !== null && 'description' in value ? String(value.description) : ''
  const [, type = '', rest = ''] = /^Loft options of type (\d+) \((.+)\)$/.exec(description) ?? []
  const differences = rest.split(', ')
  const style = LOFT_STYLES[type]
  if (!style || !differences.every((difference) => SUPPORTED_DIFFERENCES.has(difference))) return undefined
  return { style, isClosed: differences.includes('closed'), isAdjusted: differences.includes('adjusted') }
}

function createLoft(
  sections: readonly Curve[],
  options: LoftOptions,
  context: KindContext,
): Brep | undefined {
  const { style, isClosed, isAdjusted } = options
  const { tolerance } = context
  const all = isClosed ? [...sections, sections[0] as Curve] : sections
  if (isAdjusted) {
    if (!areSeamsAligned(all, tolerance)) {
      context.limit('How Rhino moves the seams of closed curves that are not aligned is not published')
      return undefined
    }
    context.approximate('In Rhino, the seams of the curves may be elsewhere')
  }
  if (style === 'straight' && sections.length > 2) {
    const brep = loftStraight(all, tolerance)
    if (brep) context.approximate('The surface is right, but Rhino may divide it into faces elsewhere')
    else context.error('Neighbouring curves lie on each other')
    return brep
  }
  const made = loft(sections, tolerance, style === 'straight' ? 'normal' : style, isClosed)
  if (!made) context.error('Neighbouring curves lie on each other')
  else if (!made.isKnown)
    context.approximate('Between three or more sections, Rhino may curve the surface otherwise')
  return made?.brep
}

/** Whether each closed curve and the one before start where they are closest to the start of each other, and run the same way. */
function areSeamsAligned(curves: readonly Curve[], tolerance: number): boolean {
  const startsNear = (curve: Curve, location: Xyz) => {
    const near = findClosestPoint(curve, location)?.point
    return near !== undefined && areEqual(near, getStart(curve), tolerance)
  }
  return curves.slice(1).every((curve, i) => {
    const before = curves[i] as Curve
    const [own, other] = [curve, before].map((each) => findTangent(each, getCurveDomain(each).start))
    const isAhead = own !== undefined && other !== undefined && dot(own, other) > 0
    return isAhead && startsNear(curve, getStart(before)) && startsNear(before, getStart(curve))
  })
}

const CAPS: readonly PipeCaps[] = ['none', 'flat', 'round']

export const PIPES: readonly Kind[] = [
  defineKind({
    guid: 'c277f778-6fdf-4890-8f78-347efb23c406',
    description: 'A round pipe around a curve, open or with flat or round caps.',
    solve: ([curve, radius, caps], context) => {
      context.reserve()
      if (!(radius > 0)) {
        context.error('Radius must be more than 0')
        return []
      }
      const ends = CAPS[caps]
      if (!ends) context.warn('Caps must be 0 (none), 1 (flat) or 2 (round)')
      const precision = Math.min(context.tolerance, radius / 100)
      const made = createPipe(curve, radius, ends ?? 'none', precision)
      if (typeof made !== 'string') {
        if (hasFreePieces(curve)) {
          context.approximate('The pipe is right within the tolerance, but Rhino has other control points')
        }
        return [made]
      }
      if (made === 'no length') context.error('Rail curve has no length')
      else context.limit('Rail curves that turn back on themselves are not supported')
      return []
    },
  }),
]

export const SWEEPS: readonly Kind[] = [
  defineKind({
    guid: 'cdee962f-4202-456b-a1b4-f3ed9aa0dc29',
    description: 'Revolves a curve around an axis.',
    solve: ([curve, { from, to }, angles], context) => {
      context.reserve()
      const axis = subtract(to, from)
      if (!(length(axis) > 0)) {
        context.error('Axis has no length')
        return []
      }
      const isAngle = Number.isFinite(angles.start) && Number.isFinite(angles.end)
      if (!isAngle || angles.start === angles.end) {
        context.error(isAngle ? 'Domain has no length' : 'Domain is not finite')
        return []
      }
      return [revolveCurve(curve, from, axis, angles, context.tolerance)]
    },
  }),
  defineKind({
    guid: 'be6636b2-2f1a-4d42-897b-fdef429b6f17',
    description: 'Extrudes a curve or a surface to a point; a surface becomes a solid.',
    solve: ([base, point], context) => {
      context.reserve()
      const brep = isCurve(base) ? base : toBrep(base)
      if (!brep) {
        context.limit('Extruding anything but curves, surfaces and breps is not supported')
        return []
      }
      return [coneOver(brep, point, context.tolerance)]
    },
  }),
]

/** The message for sweeps in which Rhino blends sections in a way of its own. */
const BLENDED_SWEEP =
  'Sweeps are solved for one section at an end of a straight line or an arc: how Rhino blends others is not published'

export const SECTION_SWEEPS: readonly Kind[] = [
  defineKind({
    guid: 'bb6666e7-d0f4-41ec-a257-df2371619f13',
    description: 'Sweeps a section along a straight line or an arc.',
    solve: ([rail, sections], context) => {
      context.reserve()
      const [section, ...others] = present(sections)
      if (!section) {
        context.error('There is no section')
        return []
      }
      const swept = others.length === 0 ? sweepSection(rail, section, context.tolerance) : undefined
      if (!swept) {
        context.limit(BLENDED_SWEEP)
        return []
      }
      context.approximate("The surfaces can have another direction and other parameters than Rhino's")
      return [[swept]]
    },
  }),
]

const FAULTS: Readonly<Record<OutlineFault, string>> = {
  'crosses itself': 'Surfaces inside curves that cross themselves are not supported',
  overlap:
    'Surfaces inside curves that overlap or are equal are not supported: what Rhino makes of them is not published',
  unclear: 'Some boundary curves lie on each other in a way that is not supported',
}

export const PLANAR_SURFACES: readonly Kind[] = [
  defineKind({
    guid: 'd51e9b65-aa4e-4fd6-976c-cef35d421d05',
    description: 'Planar surfaces inside closed curves; curves inside other curves are holes.',
    solve: ([edges], context) => {
      const curves = present(edges)
      context.reserve(curves.length)
      if (curves.length === 0) return []
      const { breps, open, bent, fault } = createPlanarBreps(curves, context.tolerance)
      if (fault) {
        context.limit(FAULTS[fault])
        return []
      }
      if (open > 0) context.warn('Boundary curves have to be closed')
      if (bent > 0) context.warn('Boundary curves have to be planar')
      return [breps]
    },
  }),
  defineKind({
    guid: '6e5de495-ba76-42d0-9985-a5c265e9aeca',
    description: 'A surface of straight lines between two curves.',
    solve: ([a, b], context) => {
      if ([a, b].some((curve) => getLength(curve) <= context.tolerance)) {
        context.limit('Surfaces between curves without length are not supported')
        return []
      }
      return [createRuledSurface(a, b)]
    },
  }),
  defineKind({
    guid: 'c77a8b3b-c569-4d81-9b59-1c27299a1c45',
    description: 'A surface between three or four corner points.',
    solve: ([a, b, c, d = c], context) => {
      const corners = [a, b, c, d].map(({ x, y, z }) => ({ x, y, z })) as [
        typeof a,
        typeof b,
        typeof c,
        typeof d,
      ]
      const apart = corners.filter(
        (corner, i) => !corners.slice(0, i).some((other) => areEqual(corner, other, context.tolerance)),
      )
      if (apart.length < 3) {
        context.error('Corners lie in the same place')
        return []
      }
      return [createCornerSurface(...corners)]
    },
  }),
]

/** Whether knots, of which there are as many, have the same places in their domains. */
function haveSameSpacing(one: readonly number[], other: readonly number[]): boolean {
  const place = (knots: readonly number[], i: number) => (knots[i]! - knots[0]!) / (knots.at(-1)! - knots[0]!)
  return one.every((_, i) => Math.abs(place(one, i) - place(other, i)) <= 1e-9)
}
