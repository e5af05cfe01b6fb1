import { type Colour, colour } from '@meadow/geometry/values/value'
import type { KindContext } from '../declaration/define-kind.ts'

export const CHANNELS = ['red', 'green', 'blue', 'alpha'] as const

/** Red, green, blue and alpha from 0 to 255, not yet whole. */
export type ExactChannels = readonly [red: number, green: number, blue: number, alpha: number]

/** A colour of whole channels. How Grasshopper rounds is not published, so rounding marks the value approximate. */
export function roundColour(exact: ExactChannels, context: KindContext): Colour {
  if (exact.some((value) => Math.abs(value - Math.round(value)) > WHOLE)) context.approximate(ROUNDED)
  // Adding 0 turns -0 into 0.
  const [red, green, blue, alpha] = exact.map((value) => Math.round(value) + 0) as [
    number,
    number,
    number,
    number,
  ]
  return colour(red, green, blue, alpha)
}

/**
 * A channel closer than this to a whole number is that number: a few operations on numbers up to 255 have this error.
 */
const WHOLE = 1e-9
const ROUNDED = "The channels of a colour are rounded to whole numbers, which may differ from Rhino's by 1"

/** The colour at a share of the way from one colour to another, channel by channel. */
export function blend(from: Colour, to: Colour, share: number, context: KindContext): Colour {
  const mix = (channel: (typeof CHANNELS)[number]) => from[channel] + (to[channel] - from[channel]) * share
  return roundColour([mix('red'), mix('green'), mix('blue'), mix('alpha')], context)
}
