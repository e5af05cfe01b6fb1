import { loft } from '../../geometry/breps/loft.ts'
import { isClosed } from '../../geometry/curves/index.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list, optional, present } from '../ports.ts'

export const LOFTS: readonly Kind[] = [
  defineKind({
    guid: 'a7a41d0a-2188-4f7a-82cc-1a2c4e4ec850',
    description: 'A surface through curves in their order.',
    inputs: { curves: list.curve, options: optional(item.opaque) },
    outputs: { loft: item.brep },
    solve: ({ curves, options }, context) => {
      const sections = present(curves)
      context.reserve(sections.length)
      if (options) {
        context.error('Loft options other than the usual ones are not supported')
        return {}
      }
      if (sections.length < 2) {
        context.error('At least two curves are needed')
        return {}
      }
      const closed = sections.filter((curve) => isClosed(curve, context.tolerance))
      if (closed.length > 0 && closed.length < sections.length) {
        context.error('Open and closed curves cannot be lofted together')
        return {}
      }
      const made = loft(sections, context.tolerance)
      if (!made) context.error('Neighbouring curves lie on each other')
      return { loft: made }
    },
  }),
]
