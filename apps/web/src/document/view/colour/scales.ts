import {
  interpolateCividis,
  interpolatePuOr,
  interpolateViridis,
  schemeObservable10,
} from 'd3-scale-chromatic'
import { Color } from 'three'
import type { ColourChoice } from './colour-choice.ts'

/** The colour of objects without a value, between the colours of light and dark backgrounds. */
export const NO_VALUE = '#909591'

/** The number of categories that have a colour of their own; all others share one. */
export const MAX_CATEGORIES = 30
export const OTHER_CATEGORIES = '#5f6560'

const INTERPOLATORS = {
  viridis: interpolateViridis,
  cividis: interpolateCividis,
  // The ends of this scale are too dark to be distinguished.
  diverging: (at: number) => interpolatePuOr(0.08 + 0.84 * at),
}

/** Ten colours, then the same darker, then lighter. */
const CATEGORIES: readonly string[] = [0, -0.16, 0.16].flatMap((lightness) =>
  schemeObservable10.map((colour) => `#${new Color(colour).offsetHSL(0, 0, lightness).getHexString()}`),
)

/** The colour of a category by its number, the most frequent first. */
export const colourOfCategory = (number: number): string =>
  number < MAX_CATEGORIES ? CATEGORIES[number]! : OTHER_CATEGORIES

/** The colour at a share of a scale, from 0 to 1. */
export function colourAt(share: number, { scale, isReversed, steps }: ColourChoice): string {
  const clamped = Math.min(Math.max(share, 0), 1)
  const stepped = steps > 1 ? Math.min(Math.floor(clamped * steps), steps - 1) / (steps - 1) : clamped
  const at = isReversed ? 1 - stepped : stepped
  return INTERPOLATORS[scale === 'categories' ? 'viridis' : scale](at)
}

/** Packs a colour as the scene has it: `0xrrggbbff`. */
export const packColour = (colour: string): number => ((new Color(colour).getHex() << 8) | 0xff) >>> 0

/** Returns a function that quickly returns packed colours of a scale, divided so finely that no step is seen. */
export function createRamp(choice: ColourChoice): (share: number) => number {
  const count = 512
  const colours = Uint32Array.from({ length: count + 1 }, (_, i) => packColour(colourAt(i / count, choice)))
  return (share) => colours[Math.round(Math.min(Math.max(share, 0), 1) * count)]!
}
