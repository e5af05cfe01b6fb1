import { type DataValue, readConstant, sameJson } from '@meadow/document'
import type { Chunk } from '../../../archive/tree/archive.ts'
import { createChunk, createItem, setChunks, setItem } from '../../../archive/tree/edit.ts'
import { findItem, listChunks } from '../../../archive/tree/find.ts'
import { toInt32, toList, toNumber, toRecord, toText } from '../../model/coerce.ts'
import { findColour } from '../../model/colour.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { findText } from '../../model/text.ts'
import { type Change, toWords } from './change.ts'

export function updateToggle({ container }: DefinitionObject, { values }: Change): void {
  const [value] = values ?? []
  if (value?.type === 'boolean') setItem(container, 'bool', 'ToggleValue', value.value === true)
}

export function updateSwatch({ container }: DefinitionObject, { values }: Change): void {
  const [value] = values ?? []
  const colour = value?.type === 'colour' ? findColour(value.value) : undefined
  if (colour !== undefined) setItem(container, 'drawing_color', 'SwatchColor', colour)
}

/** The value is that of the released button. */
export function updateButton({ container }: DefinitionObject, { member, values }: Change): void {
  const [value] = values ?? []
  if (value) setItem(container, 'string', 'ExpressionNormal', toExpression(value))
  member('normal', (text) => setItem(container, 'string', 'ExpressionNormal', toText(text)))
  member('pressed', (text) => setItem(container, 'string', 'ExpressionPressed', toText(text)))
}

/** The constant that `readConstant` reads as this value. */
function toExpression(value: DataValue): string {
  if (value.type === 'boolean') return value.value ? 'True' : 'False'
  if (value.type === 'unknown') return toText(value.value.description)
  return value.type === 'string' ? `"${toText(value.value)}"` : toWords(value)
}

const MODES = ['checkList', 'dropDown', 'sequence', 'cycle']

/** Updates a value list. If the chosen values differ, the items with these values are selected. */
export function updateValueList({ container }: DefinitionObject, { member, values }: Change): void {
  if (values) selectItems(container, values)
  member('mode', (mode) => setItem(container, 'int32', 'ListMode', Math.max(0, MODES.indexOf(String(mode)))))
  member('items', (items) => setListItems(container, items))
}

function selectItems(container: Chunk, values: readonly (DataValue | null)[]): void {
  const missing = [...values]
  for (const item of listChunks(container, 'ListItem')) {
    const constant = readConstant(findText(item, 'Expression') ?? '')
    const at = missing.findIndex((value) => sameJson(value, constant))
    if (at >= 0) missing.splice(at, 1)
    setItem(item, 'bool', 'Selected', at >= 0)
  }
}

function setListItems(container: Chunk, items: unknown): void {
  const chunks = toList(items).map((item) => {
    const { name, expression, isSelected } = toRecord(item)
    return createChunk('ListItem', [
      createItem('string', 'Expression', toText(expression)),
      createItem('string', 'Name', toText(name)),
      createItem('bool', 'Selected', isSelected === true),
    ])
  })
  setChunks(container, 'ListItem', chunks)
  setItem(container, 'int32', 'ListCount', chunks.length)
}

const NO_LIMIT = 2147483647

/** Updates Get Number and similar inputs, whose limits are doubles or integers, depending on the class. */
export function updateContextual({ container }: DefinitionObject, { member }: Change): void {
  member('prompt', (prompt) => setItem(container, 'string', 'Prompt', toText(prompt)))
  member('atLeast', (count) => setItem(container, 'int32', 'AtLeast', toInt32(count)))
  member('atMost', (count) => {
    setItem(container, 'int32', 'AtMost', count === undefined ? NO_LIMIT : toInt32(count))
  })
  member('minimum', (limit) => setLimit(container, 'Minimum', limit))
  member('maximum', (limit) => setLimit(container, 'Maximum', limit))
  member('takesTree', (takesTree) => setItem(container, 'bool', 'TreeAccess', takesTree === true))
  member('presets', (presets) => {
    setListItems(container, presets)
    // Presets cannot be selected.
    for (const { items } of listChunks(container, 'ListItem')) items.splice(2)
  })
}

/** The largest number of its type represents no limit. */
function setLimit(container: Chunk, name: 'Minimum' | 'Maximum', limit: unknown): void {
  const isLow = name === 'Minimum'
  if (findItem(container, name, 'int32') !== undefined) {
    const none = isLow ? -NO_LIMIT - 1 : NO_LIMIT
    setItem(container, 'int32', name, limit === undefined ? none : toInt32(limit))
  } else {
    const none = isLow ? -Number.MAX_VALUE : Number.MAX_VALUE
    setItem(container, 'double', name, limit === undefined ? none : toNumber(limit))
  }
}
