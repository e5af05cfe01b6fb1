import type { Node } from '@meadow/contract'
import { isGroup, isId, isInherited, isNode } from '../schema/graph-shapes.ts'
import { GROUP_PROPERTIES } from '../schema/group-properties.ts'
import { isLargeTree, isLargeValue, listReferences, type Reference } from '../schema/large-value.ts'
import { CREATION_RECORD } from '../schema/layout.ts'
import type { LiveLimits } from '../schema/limits.ts'
import { NODE_PROPERTIES } from '../schema/node-properties.ts'
import { findPin, PINNED } from '../schema/pin-key.ts'
import { findEdit } from '../schema/property.ts'
import { parseJson } from '../schema/property-key.ts'
import { type Location, type NewStruct, NO_LOCATION } from './resolve-update.ts'
import { RejectedUpdate } from './update-rejection.ts'

/** An upper bound of what an update adds: additions of existing elements count as well. */
export interface Additions {
  /** Nodes and groups. */
  nodes: number
  wires: number
  /** References to the blob store. */
  values: Reference[]
}

/** Checks that each new struct is valid by itself at its location. Throws a `RejectedUpdate`. */
export function checkContent(structs: readonly NewStruct[], { propertyBytes }: LiveLimits): Additions {
  const additions: Additions = { nodes: 0, wires: 0, values: [] }
  for (const { struct, location } of structs) {
    const { content } = struct
    if (location === NO_LOCATION || content === undefined || content === 'deleted') continue
    if (content === 'record') {
      checkRecord(location)
      additions.nodes++
      continue
    }
    for (const text of content) {
      if (text.length > propertyBytes) throw new RejectedUpdate('too_large', 'a property that is too large')
      const counts = checkText(location, text)
      additions.wires += counts.wires
      const references = listReferences(text)
      // In another spelling a parser would find a reference that a search in the text does not.
      if (references.length !== counts.references) throw notValid('a reference in other letters')
      additions.values.push(...references)
    }
  }
  return additions
}

function checkRecord({ root, id, property }: Location): void {
  if (root === 'pins' || property !== undefined || !isId(id)) throw notValid('a record')
  if (isInherited(id)) throw inheritedId()
}

/** The counts of a text. */
interface Counts {
  wires: number
  references: number
}

const NOTHING: Counts = { wires: 0, references: 0 }

function checkText({ root, id, property }: Location, text: string): Counts {
  if (root === 'pins') {
    if (property !== undefined || text !== PINNED || !findPin(id)) throw notValid('a pin')
    return NOTHING
  }
  if (property === undefined) throw notValid(`text in place of one of the ${root}`)
  if (property === CREATION_RECORD) return checkCreationRecord(root, id, text)
  const edit =
    root === 'nodes' ? findEdit(NODE_PROPERTIES, property, text) : findEdit(GROUP_PROPERTIES, property, text)
  if (!edit) throw notValid(`a property of one of the ${root}`)
  if (edit.name === 'port' && edit.ids.some(isInherited)) throw inheritedId()
  return { wires: edit.name === 'wire' ? 1 : 0, references: isReference(edit.value) ? 1 : 0 }
}

function checkCreationRecord(root: 'nodes' | 'groups', id: string, text: string): Counts {
  const created = parseJson(text)
  if (root === 'groups') {
    if (!isGroup(created) || (created as { id: string }).id !== id) throw notValid('a group')
    return NOTHING
  }
  if (!isNode(created) || (created as Node).instanceId !== id) throw notValid('a node')
  const { inputs, outputs, sources, values, state = {} } = created as Node
  if ([...Object.keys(inputs), ...Object.keys(outputs)].some(isInherited)) throw inheritedId()
  return {
    wires: Object.values(sources).reduce((sum, wires) => sum + wires.length, 0),
    references: [...Object.values(values), ...Object.values(state)].filter(isReference).length,
  }
}

const isReference = (value: unknown): boolean => isLargeTree(value) || isLargeValue(value)

const notValid = (what: string) => new RejectedUpdate('not_valid', what)

/** The id becomes a key in the API, where a script would mistake it for what every object has, or change a prototype. */
const inheritedId = () => notValid('an id that objects inherit')
