import type { ContextualState } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { createItem, setItem } from '../../archive/tree/edit.ts'
import { findItem } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { toInt32, toNumber } from '../model/coerce.ts'
import { findText } from '../model/text.ts'
import { flag, int32, text, writeFields } from './fields.ts'
import { readListItems, setListItems } from './list-items.ts'
import type { Parts, StateKind } from './state-kind.ts'

/** Represents no limit. */
const NO_LIMIT = 2147483647

const FIRST = { prompt: text('Prompt'), atLeast: int32('AtLeast') }
const TAKES_TREE = flag('TreeAccess')

/** Get Number, Get Point …, which are recognised by their items. Limits are doubles or integers, depending on the class. */
export const CONTEXTUAL: StateKind = {
  kind: 'contextual',
  classes: [],
  write({ container }, change) {
    const { member } = change
    writeFields(container, FIRST, change)
    member('atMost', (count) =>
      setItem(container, 'int32', 'AtMost', count === undefined ? NO_LIMIT : toInt32(count)),
    )
    member('minimum', (limit) => setLimit(container, 'Minimum', limit))
    member('maximum', (limit) => setLimit(container, 'Maximum', limit))
    member('takesTree', (takesTree) => TAKES_TREE.write(container, takesTree))
    member('presets', (presets) => setListItems(container, presets, false))
  },
}

export function findContextualState(container: Chunk): ContextualState | undefined {
  const prompt = findText(container, 'Prompt')
  const atLeast = findItem(container, 'AtLeast', 'int32')
  if (prompt === undefined || atLeast === undefined) return undefined
  const atMost = findItem(container, 'AtMost', 'int32') ?? NO_LIMIT
  const minimum = findLimit(container, 'Minimum')
  const maximum = findLimit(container, 'Maximum')
  return {
    kind: 'contextual',
    prompt,
    atLeast,
    ...(atMost === NO_LIMIT ? {} : { atMost }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    takesTree: TAKES_TREE.read(container),
    presets: readListItems(container),
  }
}

/** The largest numbers of either type represent no limit. */
function findLimit(container: Chunk, name: string): number | undefined {
  const limit = findItem(container, name, 'double') ?? findItem(container, name, 'int32')
  if (limit === undefined || !Number.isFinite(limit)) return undefined
  const isNone = Math.abs(limit) === Number.MAX_VALUE || limit === NO_LIMIT || limit === -NO_LIMIT - 1
  return isNone ? undefined : limit
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

const listParts = (): Parts => [
  createItem('int32', 'AtLeast', 1),
  createItem('int32', 'AtMost', NO_LIMIT),
  createItem('string', 'Prompt', ''),
]

const listLimits = (type: 'double' | 'int32', maximum: number, minimum: number): Parts => [
  createItem(type, 'Maximum', maximum),
  createItem(type, 'Minimum', minimum),
]

/** The content of new inputs, by class. */
export const CONTEXTUAL_PARTS: readonly [string, () => Parts][] = [
  [CLASS.getNumber, () => [...listParts(), ...listLimits('double', Number.MAX_VALUE, -Number.MAX_VALUE)]],
  [CLASS.getInteger, () => [...listParts(), ...listLimits('int32', NO_LIMIT, -NO_LIMIT - 1)]],
  [CLASS.getString, () => [...listParts(), createItem('int32', 'ListCount', 0)]],
  [CLASS.getPoint, () => [...listParts(), createItem('bool', 'Realtime', true)]],
  [CLASS.getLine, listParts],
  [CLASS.getGeometry, () => [...listParts(), createItem('int64', 'Filter', 1_074_004_029n)]],
  [
    CLASS.getBoolean,
    () => [
      ...listParts(),
      createItem('string', 'FalseValue', 'False'),
      createItem('string', 'TrueValue', 'True'),
    ],
  ],
]
