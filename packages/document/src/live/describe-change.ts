import type * as Y from 'yjs'
import { findFact } from './facts/fact.ts'
import { LOOKS, NODE_FACTS } from './facts/node-facts.ts'
import { BIRTH } from './layout.ts'
import { type Change, listChanges } from './list-changes.ts'

/** What a transaction did to a live document. */
export interface LiveChange {
  /** The nodes that were added, changed or removed. */
  nodeInstanceIds: readonly string[]
  /** Whether anything changed at all. */
  isEmpty: boolean
  /**
   * Whether a solve can give something else now: nodes, wires, values, ports, flags, what is switched on. Moves,
   * names of nodes, groups, pins, previews and looks do not count.
   */
  computes: boolean
}

/** Tells what a transaction changed, whoever made it: for the `afterTransaction` event. */
export function describeChange(transaction: Y.Transaction): LiveChange {
  const changes = listChanges(transaction)
  const ids = changes.filter(({ root }) => root === 'nodes').map(({ id }) => id)
  return {
    nodeInstanceIds: [...new Set(ids)],
    isEmpty: changes.length === 0,
    computes: changes.some(isComputing),
  }
}

function isComputing({ root, fact }: Change): boolean {
  if (root !== 'nodes') return false
  if (fact === undefined || fact === BIRTH) return true
  const found = findFact(NODE_FACTS, fact)
  if (!found?.fact.computes) return false
  return found.name !== 'state' || !LOOKS.has(found.ids[0]!)
}
