import type { Node } from '@meadow/document'
import type { IndexedNode } from './graph-index.ts'

/** Which ports of two nodes are the same. */
export interface PortMatching {
  /** The id in the newer node, by the id in the older one. */
  readonly afterIds: ReadonlyMap<string, string>
  readonly beforeIds: ReadonlyMap<string, string>
}

/**
 * Finds the ports that are the same in two nodes: by id, then by name on the same side, and by order where the nodes are
 * of two classes. Undefined: all ids are the same.
 */
export function matchPorts(before: IndexedNode, after: IndexedNode): PortMatching | undefined {
  if (sameIds(before.inputs, after.inputs) && sameIds(before.outputs, after.outputs)) return undefined
  const afterIds = new Map<string, string>()
  const beforeIds = new Map<string, string>()
  const isReplaced = before.node.templateId !== after.node.templateId
  for (const side of ['inputs', 'outputs'] as const) {
    const match = (beforeId: string, afterId: string) => {
      afterIds.set(beforeId, afterId)
      beforeIds.set(afterId, beforeId)
    }
    const known = new Set(after[side])
    for (const id of before[side]) if (known.has(id)) match(id, id)
    for (const keyOf of isReplaced ? [nameIn, () => ''] : [nameIn]) {
      const free = after[side].filter((id) => !beforeIds.has(id))
      for (const id of before[side]) {
        if (afterIds.has(id)) continue
        const found = free.findIndex((other) => keyOf(before.node, id) === keyOf(after.node, other))
        if (found >= 0) match(id, free.splice(found, 1)[0]!)
      }
    }
  }
  return { afterIds, beforeIds }
}

const nameIn = (node: Node, id: string): string => node.ports[id]?.name ?? ''

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false
  if (a.every((id, i) => id === b[i])) return true
  const ids = new Set(a)
  return b.every((id) => ids.has(id))
}
