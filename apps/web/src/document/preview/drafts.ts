import type { DataTree, GraphContent, Node } from '@meadow/contract'
import { createObservable, type Observed } from '../live/observed.ts'

/**
 * Values that are being dragged, and are not in the document yet: each write would stay in its history permanently.
 */
export interface Drafts extends Observed<ReadonlyMap<string, Node>> {
  /** Sets the own values of a parameter object. */
  set(node: Node, values: DataTree): void
  /** Notes that the values were written to the document. The draft is dropped as soon as the content has them. */
  written(nodeInstanceId: string): void
  drop(nodeInstanceId: string): void
  /** Drops drafts that the content has now, and those of nodes that it has no more. */
  settle(content: GraphContent): void
  /** A content with the drafts in place of its nodes. */
  apply(content: GraphContent): GraphContent
}

export function createDrafts(): Drafts {
  const { read, subscribe, set: publish } = createObservable<ReadonlyMap<string, Node>>(new Map())
  /** The node that each draft was made of. */
  const origins = new Map<string, Node>()
  const isWritten = new Set<string>()

  function drop(id: string): void {
    if (!read().has(id)) return
    origins.delete(id)
    isWritten.delete(id)
    publish(new Map([...read()].filter(([other]) => other !== id)))
  }

  return {
    read,
    subscribe,
    set(node, values) {
      const id = node.instanceId
      isWritten.delete(id)
      origins.set(id, node)
      publish(new Map([...read(), [id, { ...node, values: { ...node.values, [id]: values } }]]))
    },
    written: (id) => void isWritten.add(id),
    drop,
    settle({ nodes }) {
      for (const [id, origin] of [...origins]) {
        if (!nodes[id] || (isWritten.has(id) && nodes[id] !== origin)) drop(id)
      }
    },
    apply(content) {
      const drafts = read()
      if (drafts.size === 0) return content
      return { ...content, nodes: { ...content.nodes, ...Object.fromEntries(drafts) } }
    },
  }
}
