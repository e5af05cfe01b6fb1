import type * as Y from 'yjs'
import { APPEARANCE, PORT_APPEARANCE } from '../../graph/fingerprint.ts'
import { CREATION_RECORD, getRoots, type RootName } from '../schema/layout.ts'
import { NODE_PROPERTIES } from '../schema/node-properties.ts'
import { findProperty } from '../schema/property.ts'

/** A part of a live document that a transaction changed. */
export interface Change {
  root: RootName
  /** The node, group or pin. */
  id: string
  /** The key of the changed property; undefined if the whole node, group or pin was added, replaced or removed. */
  property: string | undefined
}

/** The parts that a transaction changed, each once. */
export function listChanges({ doc, changed }: Y.Transaction): Change[] {
  const { nodes, groups, pins } = getRoots(doc)
  const names = new Map<unknown, RootName>([
    [nodes, 'nodes'],
    [groups, 'groups'],
    [pins, 'pins'],
  ])
  return [...changed].flatMap(([type, keys]): Change[] => {
    const [own, above] = [names.get(type), names.get(type.parent)]
    const texts = [...keys].filter((key) => key !== null)
    if (own) return texts.map((id) => ({ root: own, id, property: undefined }))
    const id = type._item?.parentSub
    return above && typeof id === 'string' ? texts.map((property) => ({ root: above, id, property })) : []
  })
}

/** The effect of a transaction on a live document. */
export interface LiveChange {
  /** The nodes that were added, changed or removed. */
  nodeInstanceIds: readonly string[]
  /** Whether nothing changed. */
  isEmpty: boolean
  /**
   * Whether the result of a solve can differ: nodes, wires, values, ports, flags or enabled states changed. Positions,
   * names of nodes, groups, pins, previews and appearance do not count.
   */
  computes: boolean
  /** Whether a picture of the geometry can differ: what `computes` says, or previews of nodes changed. */
  shows: boolean
}

/** Describes a local or remote transaction, for the `afterTransaction` event. */
export function describeChange(transaction: Y.Transaction): LiveChange {
  const changes = listChanges(transaction)
  const ids = changes.filter(({ root }) => root === 'nodes').map(({ id }) => id)
  return {
    nodeInstanceIds: [...new Set(ids)],
    isEmpty: changes.length === 0,
    computes: changes.some(isComputing),
    shows: changes.some((change) => isComputing(change) || isPreview(change)),
  }
}

function isComputing({ root, property }: Change): boolean {
  if (root !== 'nodes') return false
  if (property === undefined || property === CREATION_RECORD) return true
  const found = findProperty(NODE_PROPERTIES, property)
  if (!found?.property.computes) return false
  if (found.name === 'port.option') return !PORT_APPEARANCE.has(found.ids[1]!)
  return found.name !== 'state' || !APPEARANCE.has(found.ids[0]!)
}

const isPreview = ({ root, property }: Change): boolean =>
  root === 'nodes' &&
  property !== undefined &&
  findProperty(NODE_PROPERTIES, property)?.name === 'isPreviewed'
