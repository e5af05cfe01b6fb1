import type { Node } from '@meadow/contract'
import { findEdit } from '../facts/fact.ts'
import { parseFact } from '../facts/fact-key.ts'
import { GROUP_FACTS } from '../facts/group-facts.ts'
import { NODE_FACTS } from '../facts/node-facts.ts'
import { findPin, PINNED } from '../facts/pin-key.ts'
import { isLargeTree, isLargeValue, listReferences, type Reference } from '../large-values/large-value.ts'
import { BIRTH } from '../layout.ts'
import type { LiveLimits } from '../limits.ts'
import { isGroup } from '../shapes/group-shape.ts'
import { isId, isNode } from '../shapes/node-shape.ts'
import { GONE, type Place } from './place.ts'
import type { NewStruct } from './resolve-update.ts'
import { FaultyUpdate } from './update-fault.ts'

/** What an update adds, at most: what it adds again after a deletion counts as well. */
export interface Additions {
  /** Groups as well. */
  nodes: number
  wires: number
  /** What is to be in the blob store. */
  values: Reference[]
}

/** Checks that each new piece is what its place can have, by itself. Throws a `FaultyUpdate`. */
export function checkContent(structs: readonly NewStruct[], { factBytes }: LiveLimits): Additions {
  const additions: Additions = { nodes: 0, wires: 0, values: [] }
  for (const { struct, place } of structs) {
    const { content } = struct
    if (place === GONE || content === undefined || content === 'deleted') continue
    if (content === 'record') {
      checkRecord(place)
      additions.nodes++
      continue
    }
    for (const text of content) {
      if (text.length > factBytes) throw new FaultyUpdate('too_large', 'a fact that is too large')
      const told = checkText(place, text)
      additions.wires += told.wires
      const references = listReferences(text)
      // In other letters it would be one to whoever reads the document, and none to whoever looks for them here.
      if (references.length !== told.references) throw notValid('a reference in other letters')
      additions.values.push(...references)
    }
  }
  return additions
}

function checkRecord({ root, id, fact }: Place): void {
  if (root === 'pins' || fact !== undefined || !isId(id)) throw notValid('a record')
}

/** What a text tells of that is counted. */
interface Told {
  wires: number
  references: number
}

const NOTHING: Told = { wires: 0, references: 0 }

function checkText({ root, id, fact }: Place, text: string): Told {
  if (root === 'pins') {
    if (fact !== undefined || text !== PINNED || !findPin(id)) throw notValid('a pin')
    return NOTHING
  }
  if (fact === undefined) throw notValid(`text in place of one of the ${root}`)
  if (fact === BIRTH) return checkBirth(root, id, text)
  const edit = root === 'nodes' ? findEdit(NODE_FACTS, fact, text) : findEdit(GROUP_FACTS, fact, text)
  if (!edit) throw notValid(`a fact of one of the ${root}`)
  return { wires: edit.name === 'wire' ? 1 : 0, references: isReference(edit.value) ? 1 : 0 }
}

function checkBirth(root: 'nodes' | 'groups', id: string, text: string): Told {
  const born = parseFact(text)
  if (root === 'groups') {
    if (!isGroup(born) || (born as { id: string }).id !== id) throw notValid('a group')
    return NOTHING
  }
  if (!isNode(born) || (born as Node).instanceId !== id) throw notValid('a node')
  const { sources, values, state = {} } = born as Node
  return {
    wires: Object.values(sources).reduce((sum, wires) => sum + wires.length, 0),
    references: [...Object.values(values), ...Object.values(state)].filter(isReference).length,
  }
}

const isReference = (value: unknown): boolean => isLargeTree(value) || isLargeValue(value)

const notValid = (what: string) => new FaultyUpdate('not_valid', what)
