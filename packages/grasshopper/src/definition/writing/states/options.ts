import { sameJson } from '@meadow/document'
import type { Chunk, Item } from '../../../archive/tree/archive.ts'
import { ensureChunk, removeItem, setItem } from '../../../archive/tree/edit.ts'
import { findChunk } from '../../../archive/tree/find.ts'
import { toInt32, toNumber, toRecord, toText } from '../../model/coerce.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { findOptionNames, isOption, toOptionKey } from '../../reading/states/options-state.ts'
import type { Change } from './change.ts'

/** Writes menu switches to the item that they were read from; new ones to the item or table of the component. */
export function updateOptions({ container, classId }: DefinitionObject, { before, after }: Change): void {
  const [old, options] = [before, after].map(({ state }) => toRecord(state?.options))
  for (const key of new Set([...Object.keys(old ?? {}), ...Object.keys(options ?? {})])) {
    const value = options?.[key]
    if (sameJson(old?.[key], value)) continue
    const { chunk, name } = findLocation(container, key, findOptionNames(classId))
    if (value === undefined) removeItem(chunk, name)
    else setOption(chunk, name, value)
  }
}

/** The item as the parser finds it: in the ValueTable, otherwise among the items of the component. */
function findLocation(
  container: Chunk,
  key: string,
  names: readonly string[],
): { chunk: Chunk; name: string } {
  const table = findChunk(container, 'ValueTable')
  const inTable = table?.items.find(({ name }) => toOptionKey(name) === key)
  if (table && inTable) return { chunk: table, name: inTable.name }
  const present = container.items.filter(isOption).map(({ name }) => name)
  const own = [...present, ...names].find((name) => toOptionKey(name) === key)
  if (own !== undefined) return { chunk: container, name: own }
  return { chunk: ensureChunk(container, 'ValueTable'), name: key.charAt(0).toUpperCase() + key.slice(1) }
}

/** Sets an option, which keeps the type of its item. */
function setOption(chunk: Chunk, name: string, value: unknown): void {
  const type = chunk.items.find((item) => item.name === name)?.type ?? guessType(value)
  if (type === 'bool') setItem(chunk, type, name, value === true)
  else if (type === 'int32') setItem(chunk, type, name, toInt32(value))
  else if (type === 'double') setItem(chunk, type, name, toNumber(value))
  else if (type === 'string') setItem(chunk, type, name, toText(value))
}

function guessType(value: unknown): Item['type'] {
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int32' : 'double'
  return 'string'
}
