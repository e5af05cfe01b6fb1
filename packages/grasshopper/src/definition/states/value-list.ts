import {
  type DataValue,
  type PluginLibrary,
  readConstant,
  sameJson,
  type ValueListState,
} from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { createItem, setItem } from '../../archive/tree/edit.ts'
import { findItem, listChunks } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { findText } from '../model/text.ts'
import { choice } from './fields.ts'
import { readListItems, setListItems } from './list-items.ts'
import type { Parts, StateKind } from './state-kind.ts'

const MODES = ['checkList', 'dropDown', 'sequence', 'cycle'] as const
const MODE = choice('ListMode', MODES)

/** Value lists are recognised by their items, since plug-ins have value lists too. */
export const VALUE_LIST: StateKind = {
  kind: 'valueList',
  classes: [],
  /** If the chosen values differ, the items with these values are selected. */
  write({ container }, { member, values }) {
    if (values) selectItems(container, values)
    member('mode', (mode) => MODE.write(container, mode))
    member('items', (items) => setListItems(container, items))
  },
}

export const VALUE_LIST_PARTS: readonly [string, () => Parts][] = [
  [CLASS.valueList, () => [createItem('int32', 'ListCount', 0), createItem('int32', 'ListMode', 1)]],
]

export function findValueListState(
  container: Chunk,
  plugin: PluginLibrary | undefined,
): ValueListState | undefined {
  const mode = findMode(container)
  return mode && { kind: 'valueList', mode, items: readListItems(container), ...(plugin && { plugin }) }
}

/** The chosen values of a value list; undefined for other objects. A check list can have several, others have one. */
export function findSelected(container: Chunk): DataValue[] | undefined {
  const mode = findMode(container)
  if (mode === undefined) return undefined
  const selected = readListItems(container).filter(({ isSelected }) => isSelected)
  const taken = mode === 'checkList' ? selected : selected.slice(0, 1)
  return taken.map(({ expression }) => readConstant(expression))
}

/** The mode of a value list; undefined for other objects. */
function findMode(container: Chunk): (typeof MODES)[number] | undefined {
  const hasItems =
    findItem(container, 'ListCount', 'int32') !== undefined ||
    container.chunks.some(({ name }) => name === 'ListItem')
  const mode = hasItems ? findItem(container, 'ListMode', 'int32') : undefined
  return mode === undefined ? undefined : (MODES[mode] ?? 'dropDown')
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
