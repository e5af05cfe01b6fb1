import type { Node } from '@meadow/contract'
import type { ListItem, SliderState } from '@meadow/document'
import { renameNode, setSlider, setState } from '@meadow/document/live'
import type { Doc } from 'yjs'
import { readNumber } from '../../../shell/read-number.ts'

/** The form of the slider dialog. */
export interface SliderForm extends Pick<SliderState, 'minimum' | 'maximum' | 'decimals' | 'interval'> {
  name: string
  value: number
}

type NumberField = 'minimum' | 'value' | 'maximum'

/** The form as it is typed, with texts for the numbers. */
export type TypedSlider = Omit<SliderForm, NumberField> & Record<NumberField, string>

/** What was typed as numbers; NaN where it is none. */
export const readSlider = (typed: TypedSlider): SliderForm => ({
  ...typed,
  minimum: readNumber(typed.minimum),
  value: readNumber(typed.value),
  maximum: readNumber(typed.maximum),
})

/** The error message of an invalid form; undefined for a valid one. */
export function validateSlider({ minimum, maximum, value, interval }: SliderForm): string | undefined {
  if (![minimum, maximum, value].every(Number.isFinite)) return 'Give all three numbers.'
  if (minimum >= maximum) return 'The highest has to be more than the lowest.'
  return closestAllowed(value, { minimum, maximum, interval }) === undefined
    ? 'There is no such number in this range.'
    : undefined
}

/** Changes a slider in one step to undo. An invalid value becomes the closest valid one. */
export function saveSlider(doc: Doc, node: Node, form: SliderForm, origin: unknown): void {
  const { name, minimum, maximum, decimals, interval, value } = form
  const id = node.instanceId
  doc.transact(() => {
    if (name !== node.nickName) renameNode(doc, id, name, origin)
    setState(doc, id, { minimum, maximum, decimals, interval }, origin)
    setSlider(doc, id, closestAllowed(value, form) ?? minimum, origin)
  }, origin)
}

/** The closest value that such a slider can have, or undefined. */
function closestAllowed(
  value: number,
  { minimum, maximum, interval }: Pick<SliderForm, 'minimum' | 'maximum' | 'interval'>,
): number | undefined {
  const within = Math.max(minimum, Math.min(maximum, value))
  if (interval === 'real') return within
  const [step, offset] = { integer: [1, 0], even: [2, 0], odd: [2, 1] }[interval] as [number, number]
  const lowest = Math.ceil((minimum - offset) / step) * step + offset
  const highest = Math.floor((maximum - offset) / step) * step + offset
  if (lowest > highest) return undefined
  const rounded = Math.round((within - offset) / step) * step + offset
  return Math.max(lowest, Math.min(highest, rounded))
}

/** The items of a value list as text, one per line: `name = expression`. As in Grasshopper. */
export const formatItems = (items: readonly ListItem[]): string =>
  items.map(({ name, expression }) => `${name} = ${expression}`).join('\n')

/** Reads such text. A line without `=` is both name and expression. Items stay chosen by their names. */
export function readItems(text: string, before: readonly ListItem[]): ListItem[] {
  const chosen = new Set(before.filter(({ isSelected }) => isSelected).map(({ name }) => name))
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const equals = line.indexOf('=')
      const name = (equals < 0 ? line : line.slice(0, equals)).trim()
      const expression = (equals < 0 ? line : line.slice(equals + 1)).trim()
      return { name: name || expression, expression, isSelected: chosen.has(name) }
    })
}
