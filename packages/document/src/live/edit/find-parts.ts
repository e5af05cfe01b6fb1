import type { Group, Node, PortReference } from '@meadow/contract'
import type * as Y from 'yjs'
import { findGroup } from '../projection/find-group.ts'
import { findNode } from '../projection/find-node.ts'
import { getRoots, type PropertyMap } from '../schema/layout.ts'
import { LiveEditError } from './edit-error.ts'

/** An existing node: its current value, and its properties in the document. */
export interface FoundNode {
  node: Node
  properties: PropertyMap
}

/** Returns a node and its properties. Throws a `LiveEditError` if there is no such node. */
export function getNode(doc: Y.Doc, id: string): FoundNode {
  const properties = getRoots(doc).nodes.get(id)
  const node = findNode(id, properties)
  if (!node) throw new LiveEditError('not_found', `There is no node ${id} in the document.`)
  return { node, properties: properties! }
}

const PORT_NAMES = { inputs: 'input', outputs: 'output' }

/** The node of a port. Throws a `LiveEditError` if the node does not have the port, or not on that side. */
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

/** Returns a group and its properties. Throws a `LiveEditError` if there is no such group. */
export function getGroup(doc: Y.Doc, id: string): { group: Group; properties: PropertyMap } {
  const properties = getRoots(doc).groups.get(id)
  const group = findGroup(id, properties)
  if (!group) throw new LiveEditError('not_found', `There is no group ${id} in the document.`)
  return { group, properties: properties! }
}

/** Whether a node may mention any of the ids. A search in its text is much faster than parsing it. */
export function createMentions(ids: readonly string[]): (properties: PropertyMap) => boolean {
  const texts = ids.map((id) => JSON.stringify(id).slice(1, -1))
  return (properties) => {
    for (const [key, property] of properties) {
      if (texts.some((text) => key.includes(text) || property.includes(text))) return true
    }
    return false
  }
}
