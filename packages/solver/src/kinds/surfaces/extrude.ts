import { extrudeBrep, extrudeCurve } from '../../geometry/breps/extrude.ts'
import { toBrep } from '../../geometry/breps/to-brep.ts'
import { isCurve } from '../../values/curves.ts'
import { length } from '../../values/vector.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item } from '../ports.ts'

export const EXTRUSIONS: readonly Kind[] = [
  defineKind({
    guid: '962034e9-cc27-4394-afc4-5c16e3447cf9',
    description:
      'What a curve or a surface passes over on its way along a vector; a surface becomes a solid.',
    inputs: { base: item.geometry, direction: item.vector },
    outputs: { extrusion: item.brep },
    solve: ({ base, direction }, context) => {
      context.reserve()
      if (!(length(direction) > context.tolerance)) {
        context.error('Extrusion direction has no length')
        return {}
      }
      if (isCurve(base)) return { extrusion: extrudeCurve(base, direction, context.tolerance) }
      const brep = toBrep(base)
      if (!brep) {
        context.error('Only curves, surfaces and breps can be extruded')
        return {}
      }
      return { extrusion: extrudeBrep(brep, direction, context.tolerance) }
    },
  }),
]
