import { createPipe, type PipeCaps } from '../../geometry/breps/pipe.ts'
import { defineKind, type Kind } from '../define-kind.ts'
import { item, list } from '../ports.ts'

const CAPS: readonly PipeCaps[] = ['none', 'flat', 'round']
const FAULTS = {
  'no length': 'Rail curve has no length',
  'turns back': 'Rail curve turns back on itself',
} as const

export const PIPES: readonly Kind[] = [
  defineKind({
    guid: 'c277f778-6fdf-4890-8f78-347efb23c406',
    description: 'A round tube about a curve, open, or closed with flat or round ends.',
    inputs: { curve: item.curve, radius: item.number, caps: item.integer },
    outputs: { pipe: list.brep },
    solve: ({ curve, radius, caps }, context) => {
      context.reserve()
      if (!(radius > 0)) {
        context.error('Radius must be more than 0')
        return {}
      }
      const ends = CAPS[caps]
      if (!ends) context.warn('Caps must be 0 (none), 1 (flat) or 2 (round)')
      const precision = Math.min(context.tolerance, radius / 100)
      const made = createPipe(curve, radius, ends ?? 'none', precision)
      if (typeof made === 'string') {
        context.error(FAULTS[made])
        return {}
      }
      return { pipe: made }
    },
  }),
]
