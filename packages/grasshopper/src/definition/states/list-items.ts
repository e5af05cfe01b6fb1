import type { ListItem } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { createChunk, createItem, setChunks, setItem } from '../../archive/tree/edit.ts'
import { findItem, listChunks } from '../../archive/tree/find.ts'
import { toList, toRecord, toText } from '../model/coerce.ts'
import { findText } from '../model/text.ts'

/** The entries of a value list, or the presets of an input. */
export function readListItems(container: Chunk): ListItem[] {
  return listChunks(container, 'ListItem').map((item) => ({
    name: findText(item, 'Name') ?? '',
    expression: findText(item, 'Expression') ?? '',
    isSelected: findItem(item, 'Selected', 'bool') ?? false,
  }))
}

/** Writes the entries. Presets cannot be selected. */
export function setListItems(container: Chunk, items: unknown, canSelect = true): void {
  const chunks = toList(items).map((item) => {
    const { name, expression, isSelected } = toRecord(item)
    return createChunk('ListItem', [
      createItem('string', 'Expression', toText(expression)),
      createItem('string', 'Name', toText(name)),
      ...(canSelect ? [createItem('bool', 'Selected', isSelected === true)] : []),
    ])
  })
  setChunks(container, 'ListItem', chunks)
  setItem(container, 'int32', 'ListCount', chunks.length)
}
