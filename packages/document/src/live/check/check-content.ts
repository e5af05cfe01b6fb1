import type { Node } from '@meadow/contract'
import { findEdit } from '../facts/fact.ts'
import { parseFact } from '../facts/fact-key.ts'
import { GROUP_FACTS } from '../facts/group-facts.ts'
import { NODE_FACTS } from '../facts/node-facts.ts'
import { findPin, PINNED } from '../facts/pin-key.ts'
import { REFERENCE_TEXT } from '../large-values/large-value.ts'
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
  /** The SHA-256 of each text that is to be in the blob store. */
  blobs: Set<string>
}

/** Checks that each new piece is what its place can have, by itself. Throws a `FaultyUpdate`. */
export function checkContent(structs: readonly NewStruct[], { factBytes }: LiveLimits): Additions {
  const additions: Additions = { nodes: 0, wires: 0, blobs: new Set() }
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
      additions.wires += checkText(place, text)
      if (text.includes('"$blob"'))
        for (const [, digest] of text.matchAll(REFERENCE_TEXT)) additions.blobs.add(digest!)
    }
  }
  return additions
}

function checkRecord({ root, id, fact }: Place): void {
  if (root === 'pins' || fact !== undefined || !isId(id)) throw notValid('a record')
}

/** How many wires the text may add. */
function checkText({ root, id, fact }: Place, text: string): number {
  if (root === 'pins') {
    if (fact !== undefined || text !== PINNED || !findPin(id)) throw notValid('a pin')
    return 0
  }
  if (fact === undefined) throw notValid(`text in place of one of the ${root}`)
  if (fact === BIRTH) return checkBirth(root, id, text)
  const edit = root === 'nodes' ? findEdit(NODE_FACTS, fact, text) : findEdit(GROUP_FACTS, fact, text)
  if (!edit) throw notValid(`a fact of one of the ${root}`)
  return edit.name === 'wire' ? 1 : 0
}

function checkBirth(root: 'nodes' | 'groups', id: string, text: string): number {
  const born = parseFact(text)
  if (root === 'groups') {
    if (!isGroup(born) || (born as { id: string }).id !== id) throw notValid('a group')
    return 0
  }
  if (!isNode(born) || (born as Node).instanceId !== id) throw notValid('a node')
  return Object.values((born as Node).sources).reduce((sum, wires) => sum + wires.length, 0)
}

const notValid = (what: string) => new FaultyUpdate('not_valid', what)
