import type { DataTree, GraphContent, Node } from '@meadow/contract'
import { createRecord } from '../graph/record.ts'
import type { LargeTree, LargeValue } from './schema/large-value.ts'
import { LIVE_LIMITS } from './schema/limits.ts'

/** Stores JSON text in the blob store. Resolves to the SHA-256 of its UTF-8 bytes in lower-case hex once it is durable. */
export type PutBlob = (json: string) => Promise<string>

/**
 * Moves each large tree and each large member of a node's state to the blob store, and replaces it by a reference.
 * Nodes without large values stay the same objects.
 */
export async function putLargeValues(content: GraphContent, put: PutBlob): Promise<GraphContent> {
  const nodes = createRecord<Node>()
  for (const [id, node] of Object.entries(content.nodes)) nodes[id] = await putLarge(node, put)
  return { ...content, nodes }
}

async function putLarge(node: Node, put: PutBlob): Promise<Node> {
  if (isSmall(JSON.stringify(node))) return node
  const values = createRecord<DataTree>()
  for (const [portId, tree] of Object.entries(node.values)) {
    const large = await putText(JSON.stringify(tree), put)
    values[portId] = large ? ({ branches: [], ...large } satisfies LargeTree) : tree
  }
  if (!node.state) return { ...node, values }
  const state: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(node.state)) {
    state[name] = (await putText(JSON.stringify(value), put)) ?? value
  }
  return { ...node, values, state }
}

/** Stores a large text and returns its reference; undefined for a small one. */
async function putText(text: string, put: PutBlob): Promise<LargeValue | undefined> {
  if (isSmall(text)) return undefined
  return { $blob: await put(text), bytes: new TextEncoder().encode(text).length }
}

const isSmall = (text: string) => text.length <= LIVE_LIMITS.inlineBytes
