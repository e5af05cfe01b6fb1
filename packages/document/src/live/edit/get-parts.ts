import type { Group, Node, PortReference } from '@meadow/contract'
import type * as Y from 'yjs'
import { type Facts, getRoots } from '../layout.ts'
import { findGroup } from '../read/find-group.ts'
import { findNode } from '../read/find-node.ts'
import { LiveEditError } from './edit-error.ts'

/** A node that is there: what it is now, and its facts. */
export interface FoundNode {
  node: Node
  facts: Facts
}

/** Throws a `LiveEditError` where there is no such node. */
export function getNode(doc: Y.Doc, id: string): FoundNode {
  const facts = getRoots(doc).nodes.get(id)
  const node = findNode(id, facts)
  if (!node) throw new LiveEditError('not_found', `There is no node ${id} in the document.`)
  return { node, facts: facts! }
}

const PORT_NAMES = { inputs: 'input', outputs: 'output' }

/** The node of a port. Throws a `LiveEditError` where the node does not have it, or not on that side. */
export function getNodeOfPort(
  doc: Y.Doc,
  { nodeInstanceId, portInstanceId }: PortReference,
  side?: keyof typeof PORT_NAMES,
): FoundNode {
  const found = getNode(doc, nodeInstanceId)
  const ports = side ? found.node[side] : { ...found.node.inputs, ...found.node.outputs }
  if (Object.hasOwn(ports, portInstanceId)) return found
  const what = side ? PORT_NAMES[side] : 'port'
  throw new LiveEditError('not_found', `The node ${nodeInstanceId} has no ${what} ${portInstanceId}.`)
}

/** Throws a `LiveEditError` where there is no such group. */
export function getGroup(doc: Y.Doc, id: string): { group: Group; facts: Facts } {
  const facts = getRoots(doc).groups.get(id)
  const group = findGroup(id, facts)
  if (!group) throw new LiveEditError('not_found', `There is no group ${id} in the document.`)
  return { group, facts: facts! }
}
