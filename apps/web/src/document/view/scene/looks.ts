import type { SceneValue, SceneValues } from './scene-values.ts'

/** How a value is painted. */
export const LOOK = {
  hidden: 0,
  plain: 1,
  /** The value is painted in its own colour. */
  coloured: 2,
  /** The value is painted in its own colour, which one can see through. */
  clear: 3,
  /** The node of the value is selected. */
  selected: 4,
  /** The value itself was chosen. */
  picked: 5,
} as const
export type Look = (typeof LOOK)[keyof typeof LOOK]

/** One value, or all values of a node. */
export type Part = SceneValue | { nodeInstanceId: string }

/** What the user chose to see. Parts stay chosen when a new solution is shown. */
export interface Choices {
  /** Nodes whose preview is off. */
  previewOff: ReadonlySet<string>
  /** Nodes that are shown although their preview is off. */
  revealed: ReadonlySet<string>
  hidden: readonly Part[]
  /** The only parts that are visible; undefined if all are. */
  isolated: readonly Part[] | undefined
  selectedIds: ReadonlySet<string>
  picked: readonly SceneValue[]
}

export const NO_CHOICES: Choices = {
  previewOff: new Set(),
  revealed: new Set(),
  hidden: [],
  isolated: undefined,
  selectedIds: new Set(),
  picked: [],
}

/**
 * Returns the look of each value. With `isColoured`, all have a colour of their own, by data. A value with a colour of
 * its own (Custom Preview) is visible even where its node's preview is off, and so is a selected node.
 */
export function chooseLooks(values: SceneValues, choices: Choices, isColoured = false): Uint8Array {
  const looks = new Uint8Array(values.count)
  for (const { nodeInstanceId, first, count } of values.ports) {
    const isSelected = choices.selectedIds.has(nodeInstanceId)
    const isOff =
      !isSelected && choices.previewOff.has(nodeInstanceId) && !choices.revealed.has(nodeInstanceId)
    for (let value = first; value < first + count; value++) {
      const colour = values.colours[value]!
      if (isSelected) looks[value] = LOOK.selected
      else if (isColoured) looks[value] = isOff && colour === 0 ? LOOK.hidden : LOOK.coloured
      else if (colour !== 0) looks[value] = (colour & 0xff) === 0xff ? LOOK.coloured : LOOK.clear
      else looks[value] = isOff ? LOOK.hidden : LOOK.plain
    }
  }
  for (const value of choices.picked) {
    const number = values.find(value)
    if (number !== undefined) looks[number] = LOOK.picked
  }
  if (choices.isolated) {
    const isKept = markParts(values, choices.isolated)
    for (let value = 0; value < values.count; value++) if (!isKept[value]) looks[value] = LOOK.hidden
  }
  const isHidden = markParts(values, choices.hidden)
  for (let value = 0; value < values.count; value++) if (isHidden[value]) looks[value] = LOOK.hidden
  return looks
}

/** Returns an array with 1 for each value that is one of the parts. */
function markParts(values: SceneValues, parts: readonly Part[]): Uint8Array {
  const marks = new Uint8Array(values.count)
  const nodeIds = new Set<string>()
  for (const part of parts) {
    const number = 'path' in part ? values.find(part) : undefined
    if (number !== undefined) marks[number] = 1
    else if (!('path' in part)) nodeIds.add(part.nodeInstanceId)
  }
  for (const { nodeInstanceId, first, count } of values.ports)
    if (nodeIds.has(nodeInstanceId)) marks.fill(1, first, first + count)
  return marks
}

/**
 * Returns the box of all values that are visible, or have one of these looks, as six numbers; undefined if there are
 * none.
 */
export function findBox({ boxes, count }: SceneValues, looks: Uint8Array, only?: readonly Look[]) {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  for (let value = 0; value < count; value++) {
    const look = looks[value] as Look
    if (only ? !only.includes(look) : look === LOOK.hidden) continue
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = Math.min(box[axis]!, boxes[6 * value + axis]!)
      box[axis + 3] = Math.max(box[axis + 3]!, boxes[6 * value + axis + 3]!)
    }
  }
  return box[0]! <= box[3]! ? box : undefined
}
