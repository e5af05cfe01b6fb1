import { type DataValue, encodeNumber, type ListItem, listPanelLines, readConstant } from '@meadow/document'
import type { Chunk } from '../../../archive/tree/archive.ts'
import { findChunk, findItem, listChunks, listItems } from '../../../archive/tree/find.ts'
import { CLASS } from '../../model/class-ids.ts'
import { formatColour } from '../../model/colour.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { findText } from '../../model/text.ts'

/** The values that the user chose on a slider, panel, toggle …, as one list; undefined for other objects. */
export function findChosenValues({ classId, container }: DefinitionObject): DataValue[] | undefined {
  const reader = READERS.get(classId)
  if (reader) return reader(container)
  return findListMode(container) === undefined ? undefined : listSelected(container)
}

const READERS = new Map<string, (container: Chunk) => DataValue[]>([
  [CLASS.numberSlider, readSlider],
  [CLASS.mdSlider, readMdSlider],
  [CLASS.controlKnob, readKnob],
  [CLASS.genePool, readGenePool],
  [CLASS.panel, readPanel],
  [CLASS.booleanToggle, readToggle],
  [CLASS.button, (container) => [readConstant(findText(container, 'ExpressionNormal') ?? 'False')]],
  [CLASS.colourSwatch, readSwatch],
])

/** Interval 0 yields numbers, the others integers. */
function readSlider(container: Chunk): DataValue[] {
  const slider = findChunk(container, 'Slider')
  const value = slider && findItem(slider, 'Value', 'double')
  if (value === undefined) return []
  const isReal = (findItem(slider as Chunk, 'Interval', 'int32') ?? 0) === 0
  const whole = Math.round(value)
  return !isReal && Number.isSafeInteger(whole)
    ? [{ type: 'integer', value: whole }]
    : [{ type: 'number', value: encodeNumber(value) }]
}

/**
 * The file holds the position of the grip, from 0 to 1 on each axis, so a value has no more digits than the position
 * determines.
 */
function readMdSlider(container: Chunk): DataValue[] {
  const grip = findItem(container, 'slider_value', 'point3d')
  if (!grip) return []
  const coordinate = (axis: 'x' | 'y' | 'z') => {
    const { a, b } = findItem(container, `${axis}_domain`, 'interval1d') ?? { a: 0, b: 1 }
    return encodeNumber(roundIn(a, b, a + (b - a) * grip[axis]))
  }
  return [{ type: 'point', value: [coordinate('x'), coordinate('y'), coordinate('z')] }]
}

const GRIP_DIGITS = 12

function roundIn(a: number, b: number, value: number): number {
  const magnitude = Math.ceil(Math.log10(Math.max(Math.abs(a), Math.abs(b), Number.MIN_VALUE)))
  const decimals = GRIP_DIGITS - magnitude
  return decimals >= 0 && decimals <= 100 ? Number(value.toFixed(decimals)) : value
}

function readKnob(container: Chunk): DataValue[] {
  const dial = findChunk(container, 'DialData')
  const value = dial && findItem(dial, 'Value', 'decimal')
  return value === undefined ? [] : [{ type: 'number', value: Number(value) }]
}

function readGenePool(container: Chunk): DataValue[] {
  const genes = findChunk(container, 'GeneData')
  const values = genes ? listItems(genes, 'Value', 'decimal') : []
  return values.map((value) => ({ type: 'number', value: Number(value) }))
}

/** Panels of 2011 have the switch in the Container. */
function readPanel(container: Chunk): DataValue[] {
  const lines = listPanelLines(findText(container, 'UserText') ?? '', isMultiline(container))
  return lines.map((value) => ({ type: 'string', value }))
}

export function isMultiline(container: Chunk): boolean {
  const properties = findChunk(container, 'PanelProperties')
  const now = properties && findItem(properties, 'Multiline', 'bool')
  return now ?? findItem(container, 'MultilineData', 'bool') ?? true
}

function readToggle(container: Chunk): DataValue[] {
  return [{ type: 'boolean', value: findItem(container, 'ToggleValue', 'bool') ?? false }]
}

function readSwatch(container: Chunk): DataValue[] {
  const colour = findItem(container, 'SwatchColor', 'drawing_color')
  return colour === undefined ? [] : [{ type: 'colour', value: formatColour(colour) }]
}

/** A check list returns all selected items, other lists the first one. */
function listSelected(container: Chunk): DataValue[] {
  const selected = readListItems(container).filter(({ isSelected }) => isSelected)
  const taken = findListMode(container) === 'checkList' ? selected : selected.slice(0, 1)
  return taken.map(({ expression }) => readConstant(expression))
}

/** The entries of a value list, or the presets of an input. */
export function readListItems(container: Chunk): ListItem[] {
  return listChunks(container, 'ListItem').map((item) => ({
    name: findText(item, 'Name') ?? '',
    expression: findText(item, 'Expression') ?? '',
    isSelected: findItem(item, 'Selected', 'bool') ?? false,
  }))
}

const MODES = ['checkList', 'dropDown', 'sequence', 'cycle'] as const

/** The mode of a value list; undefined for other objects. Value lists of plug-ins are recognised too. */
export function findListMode(container: Chunk): (typeof MODES)[number] | undefined {
  const hasItems =
    findItem(container, 'ListCount', 'int32') !== undefined ||
    container.chunks.some(({ name }) => name === 'ListItem')
  const mode = hasItems ? findItem(container, 'ListMode', 'int32') : undefined
  return mode === undefined ? undefined : (MODES[mode] ?? 'dropDown')
}
