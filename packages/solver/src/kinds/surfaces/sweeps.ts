import { coneOver } from '../../geometry/breps/extrude-to-point.ts'
import { revolveCurve } from '../../geometry/breps/revolve-curve.ts'
import { toBrep } from '../../geometry/breps/to-brep.ts'
import { isCurve } from '../../values/curves.ts'
import { length, subtract } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, named } from '../ports.ts'

export const SWEEPS: readonly Kind[] = [
  defineKind({
    guid: 'cdee962f-4202-456b-a1b4-f3ed9aa0dc29',
    description: 'What a curve passes over while it turns about an axis.',
    inputs: { curve: item.curve, axis: item.line, domain: item.domain },
    outputs: { surface: item.brep },
    solve: ({ curve, axis: { from, to }, domain: angles }, context) => {
      context.reserve()
      const axis = subtract(to, from)
      if (!(length(axis) > 0) || angles.start === angles.end) {
        context.error(angles.start === angles.end ? 'Domain has no length' : 'Axis has no length')
        return {}
      }
      return { surface: revolveCurve(curve, from, axis, angles, context.tolerance) }
    },
  }),
  defineKind({
    guid: 'be6636b2-2f1a-4d42-897b-fdef429b6f17',
    name: 'Extrude Point',
    description: 'The straight lines from a curve or surface to a point; over a surface a solid.',
    inputs: { base: named('Base (B)', item.geometry), point: named('Point (P)', item.point) },
    outputs: { extrusion: named('Extrusion (E)', item.brep) },
    solve: ({ base, point }, context) => {
      context.reserve()
      const brep = isCurve(base) ? base : toBrep(base)
      if (!brep) {
        context.error('Only curves, surfaces and breps can be extruded')
        return {}
      }
      return { extrusion: coneOver(brep, point, context.tolerance) }
    },
  }),
]
