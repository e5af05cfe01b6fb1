import type { Colour } from '@meadow/geometry/values/value'
import { defineKind, type Kind, type KindContext } from '../declaration/define-kind.ts'
import { blend, roundColour } from './channels.ts'

/**
 * Colours by channels from 0 to 1 (rule I-10). Hue, saturation, luminance and value as in the colour hexagon: hue 0 is
 * red, 1/3 green, 2/3 blue. Source: A. R. Smith, *Color gamut transform pairs*, 1978.
 */
export const COLOUR_MODELS: readonly Kind[] = [
  defineKind({
    guid: 'f35132c0-c298-4b9c-b446-42e960f52677',
    description: 'A colour from its alpha, red, green and blue, each from 0 to 1.',
    solve: ([alpha, red, green, blue], context) => createColour([red, green, blue], alpha, context),
  }),
  defineKind({
    guid: 'a45d68b3-c299-4b17-bdae-7975f216cec6',
    description: 'A colour from its alpha, hue, saturation and luminance, each from 0 to 1.',
    solve: ([alpha, hue, saturation, luminance], context) => {
      if (!areUnit([hue, saturation, luminance], context)) return []
      const chroma = (1 - Math.abs(2 * luminance - 1)) * saturation
      return createColour(fromHexagon(hue, chroma, luminance - chroma / 2), alpha, context)
    },
  }),
  defineKind({
    guid: '5958a658-20c2-4a2b-86ba-4d1b81bf5348',
    description: 'A colour from its alpha, hue, saturation and value, each from 0 to 1.',
    solve: ([alpha, hue, saturation, value], context) => {
      if (!areUnit([hue, saturation, value], context)) return []
      const chroma = value * saturation
      return createColour(fromHexagon(hue, chroma, value - chroma), alpha, context)
    },
  }),
  defineKind({
    guid: '17af01a5-a846-4769-9478-de1df65a0afa',
    description: 'A colour from its cyan, magenta, yellow and black, each from 0 to 1.',
    solve: ([cyan, magenta, yellow, key], context) => {
      if (!areUnit([cyan, magenta, yellow, key], context)) return []
      const light = (ink: number) => (1 - ink) * (1 - key)
      return createColour([light(cyan), light(magenta), light(yellow)], 1, context)
    },
  }),
  defineKind({
    guid: '0a1331c8-c58d-4b3f-a886-47051532e35e',
    description: 'The alpha, hue, saturation and luminance of a colour, each from 0 to 1.',
    solve: ([colour]) => {
      const { alpha, hue, least, most } = measure(colour)
      const luminance = (least + most) / 2
      const range = 1 - Math.abs(2 * luminance - 1)
      return [alpha, hue, range === 0 ? 0 : (most - least) / range, luminance]
    },
  }),
  defineKind({
    guid: 'd84d2c2a-2813-4667-afb4-46642581e5f9',
    description: 'The alpha, hue, saturation and value of a colour, each from 0 to 1.',
    solve: ([colour]) => {
      const { alpha, hue, least, most } = measure(colour)
      return [alpha, hue, most === 0 ? 0 : (most - least) / most, most]
    },
  }),
  defineKind({
    guid: '8b4da37d-1124-436a-9de2-952e4224a220',
    description: 'The colour between two colours at a factor from 0 to 1.',
    solve: ([a, b, factor], context) => (areUnit([factor], context) ? [blend(a, b, factor, context)] : []),
  }),
]

type Rgb = readonly [red: number, green: number, blue: number]

function createColour([red, green, blue]: Rgb, alpha: number, context: KindContext): [colour?: Colour] {
  if (!areUnit([red, green, blue, alpha], context)) return []
  return [roundColour([red * 255, green * 255, blue * 255, alpha * 255], context)]
}

function areUnit(values: readonly number[], context: KindContext): boolean {
  // The results of sums may miss 0 and 1 by their last digits.
  const isUnit = values.every((value) => value >= -SLACK && value <= 1 + SLACK)
  if (!isUnit) context.limit('Values below 0 or above 1 are not supported')
  return isUnit
}

const SLACK = 1e-12

/** A colour of the hexagon, with the same amount of each channel added. */
function fromHexagon(hue: number, chroma: number, amount: number): Rgb {
  const side = (hue % 1) * 6
  const second = chroma * (1 - Math.abs((side % 2) - 1))
  const [red, green, blue] = (
    [
      [chroma, second, 0],
      [second, chroma, 0],
      [0, chroma, second],
      [0, second, chroma],
      [second, 0, chroma],
      [chroma, 0, second],
    ] as const
  )[Math.min(Math.max(Math.floor(side), 0), 5)] as Rgb
  return [red + amount, green + amount, blue + amount]
}

/** The place of a colour in the hexagon; a grey has the hue 0. */
function measure({ red, green, blue, alpha }: Colour) {
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)]
  const chroma = most - least
  const side =
    chroma === 0
      ? 0
      : most === red
        ? (green - blue) / chroma
        : most === green
          ? 2 + (blue - red) / chroma
          : 4 + (red - green) / chroma
  return {
    alpha: alpha / 255,
    hue: (side < 0 ? side + 6 : side) / 6,
    least: least / 255,
    most: most / 255,
  }
}
