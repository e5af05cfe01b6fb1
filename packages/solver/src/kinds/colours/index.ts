import { colour } from '@meadow/geometry/values/value'
import { defineKind, type Kind } from '../declaration/define-kind.ts'
import { GRADIENT } from './gradient.ts'
import { COLOUR_MODELS } from './models.ts'

export const COLOUR_KINDS: readonly Kind[] = [
  GRADIENT,
  defineKind({
    guid: '49d2e200-b34e-4e1c-82a3-07feb4cb9378',
    description: 'A colour from its alpha, red, green and blue, each from 0 to 255.',
    solve: ([alpha, red, green, blue], context) => {
      if ([alpha, red, green, blue].every((channel) => channel >= 0 && channel <= 255)) {
        return [colour(red, green, blue, alpha)]
      }
      context.limit('Channels below 0 or above 255 are not supported')
      return []
    },
  }),
  defineKind({
    guid: '350f7d03-a48f-4121-bcee-328cfe1ed9ef',
    description: 'The alpha, red, green and blue of a colour, each from 0 to 255.',
    options: { integerChannels: [true] },
    solve: ([{ alpha, red, green, blue }]) => [alpha, red, green, blue],
  }),
  ...COLOUR_MODELS,
]
