/** Colours of a document as they are shown: readable in both schemes, whatever the author chose. */

export type Scheme = 'light' | 'dark'

/** Red, green and blue from 0 to 1, linear. */
type Linear = readonly number[]
type Range = readonly [least: number, most: number]

/**
 * The luminance of fills on the canvas: wires and labels on them have a contrast of 3:1 at least. Translucent fills that
 * overlap stay in this range.
 */
const FILL_LUMINANCE: Record<Scheme, Range> = { light: [0.4, 1], dark: [0, 0.1] }
/** The luminance of strokes and texts. */
const INK_LUMINANCE: Record<Scheme, Range> = { light: [0, 0.2], dark: [0.3, 1] }

/** A fill as it is shown, `#rrggbbaa`, such as the colour of a group. */
export const shownFill = (colour: string, scheme: Scheme): string =>
  withLuminance(colour, FILL_LUMINANCE[scheme])

/** A stroke or text as it is shown, `#rrggbbaa`, such as the colour of a sketch. */
export const shownInk = (colour: string, scheme: Scheme): string =>
  withLuminance(colour, INK_LUMINANCE[scheme])

/** The contrast of two opaque colours, from 1 to 21, as in WCAG. */
export function contrastOf(one: string, other: string): number {
  const [darker, lighter] = [one, other].map((colour) => luminanceOf(toLinear(colour))).sort((a, b) => a - b)
  return (lighter! + 0.05) / (darker! + 0.05)
}

/** Mixes a colour with white, or darkens it, until its luminance is in the range. Hue and opacity stay. */
function withLuminance(colour: string, [least, most]: Range): string {
  const linear = toLinear(colour)
  const luminance = luminanceOf(linear)
  const white = (least - luminance) / (1 - luminance)
  if (luminance < least) return toHex(linear.map((part) => part + (1 - part) * white)) + colour.slice(7)
  if (luminance > most) return toHex(linear.map((part) => (part * most) / luminance)) + colour.slice(7)
  return colour
}

const luminanceOf = ([red = 0, green = 0, blue = 0]: Linear): number =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue

const toLinear = (colour: string): Linear =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })

const toHex = (linear: Linear): string =>
  `#${linear
    .map((part) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055))
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
