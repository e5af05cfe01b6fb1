import type { ListItem } from '@meadow/document'
import type { Chunk } from '../../archive/archive.ts'
import { findItem, listChunks } from '../../archive/find.ts'
import { findText } from '../text.ts'

/** The entries of a value list, or the presets of an input. */
export function readListItems(container: Chunk): ListItem[] {
  return listChunks(container, 'ListItem').map((item) => ({
    name: findText(item, 'Name') ?? '',
    expression: findText(item, 'Expression') ?? '',
    isSelected: findItem(item, 'Selected', 'bool') ?? false,
  }))
}

const MODES = ['checkList', 'dropDown', 'sequence', 'cycle'] as const

/** How a value list chooses; undefined for what is no value list. Plug-ins make value lists of their own. */
export function findListMode(container: Chunk): (typeof MODES)[number] | undefined {
  const hasItems =
    findItem(container, 'ListCount', 'int32') !== undefined ||
    container.chunks.some(({ name }) => name === 'ListItem')
  const mode = hasItems ? findItem(container, 'ListMode', 'int32') : undefined
  return mode === undefined ? undefined : (MODES[mode] ?? 'dropDown')
}
