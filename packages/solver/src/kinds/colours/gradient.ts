import type { Node } from '@meadow/contract'
import { checkpoint } from '@meadow/geometry/budget/budget'
import { findHexColour } from '@meadow/geometry/values/decode-value'
import type { Colour } from '@meadow/geometry/values/value'
import { defineKind, type KindContext } from '../declaration/define-kind.ts'
import { blend, CHANNELS } from './channels.ts'

/** A place in a gradient, from 0 to 1, and the colours on both sides of it. */
interface Grip {
  readonly position: number
  readonly left: Colour
  readonly right: Colour
}

interface Gradient {
  readonly isLinear: boolean
  /** The grips, sorted by position. */
  readonly grips: readonly Grip[]
}

/** A gradient from a colour to another in shades of all steps (rule I-1). */
export const GRADIENT = defineKind({
  guid: '6da9f120-3ad0-4b6e-9fe0-f8cde3a649b7',
  description: 'The colour of a number between two limits, in the gradient of the node.',
  solve: ([lower, upper, parameter], context) => {
    const gradient = readGradient(context.node)
    if (!gradient) {
      context.limit('The gradient has no grips')
      return []
    }
    const position = (parameter - lower) / (upper - lower)
    if (lower === upper || Number.isNaN(position)) {
      context.limit('The colour of a number between equal limits, or that is not a number, is not known')
      return []
    }
    return [findColourAt(gradient, position, context)]
  },
})

function findColourAt({ isLinear, grips }: Gradient, position: number, context: KindContext): Colour {
  const next = findNext(grips, position)
  const [before, after] = [grips[next - 1], grips[next]]
  if (!before) return (after as Grip).left
  if (before.position === position && !isSame(before.left, before.right)) context.approximate(TWO_SIDED)
  if (!after) return before.right
  if (isSame(before.right, after.left)) return before.right
  const way = (position - before.position) / (after.position - before.position)
  if (!isLinear && way !== 0 && way !== 0.5) context.approximate(SMOOTHED)
  return blend(before.right, after.left, isLinear ? way : (1 - Math.cos(way * Math.PI)) / 2, context)
}

const SMOOTHED =
  "Grasshopper's smooth change of colours between grips is not published: this is half a wave of the cosine"
const TWO_SIDED =
  'On a grip of two colours this is the right one; which one Grasshopper takes is not published'

/** The index of the first grip after a position, by binary search. */
function findNext(grips: readonly Grip[], position: number): number {
  let [low, high] = [0, grips.length]
  while (low < high) {
    checkpoint()
    const middle = (low + high) >> 1
    if ((grips[middle] as Grip).position <= position) low = middle + 1
    else high = middle
  }
  return low
}

function isSame(a: Colour, b: Colour): boolean {
  return CHANNELS.every((channel) => a[channel] === b[channel])
}

/** The gradients by the state of their node: a component runs for each item, and reads its gradient only once. */
const GRADIENTS = new WeakMap<object, Gradient>()

/** The gradient of a node; undefined if it has no grips. */
function readGradient({ state }: Node): Gradient | undefined {
  if (state?.kind !== 'gradient') return undefined
  const known = GRADIENTS.get(state)
  if (known) return known
  const grips = Array.isArray(state.grips) ? state.grips.flatMap(readGrip) : []
  if (grips.length === 0) return undefined
  grips.sort((a, b) => a.position - b.position)
  const gradient = { isLinear: state.isLinear === true, grips }
  GRADIENTS.set(state, gradient)
  return gradient
}

function readGrip(grip: unknown): Grip[] {
  const { position, left, right } = (grip ?? {}) as Record<string, unknown>
  const sides = [left, right].map((side) => (typeof side === 'string' ? findHexColour(side) : undefined))
  const [leftColour, rightColour] = sides
  if (!Number.isFinite(position) || !leftColour || !rightColour) return []
  return [{ position: position as number, left: leftColour, right: rightColour }]
}
