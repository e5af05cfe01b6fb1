import type { GraphContent } from '@meadow/contract'
import { type Clipping, pasteNodes } from '@meadow/document/live'
import type { Doc } from 'yjs'
import type { Drag } from '../layout/drag.ts'

/** Identifies our own text on the clipboard. */
const FORMAT = 'meadow/clipping/1'

/**
 * Returns nodes as text for the system clipboard, which can be pasted into another document, even in another browser.
 */
export const formatClipping = (content: GraphContent, nodeIds: ReadonlySet<string>): string =>
  JSON.stringify({ mark: FORMAT, ...createClipping(content, nodeIds) })

/** Reads a clipping; returns undefined for other text. */
export function readClipping(text: string): Clipping | undefined {
  try {
    const parsed = JSON.parse(text)
    return parsed?.mark === FORMAT && Array.isArray(parsed.nodes)
      ? { nodes: parsed.nodes, groups: parsed.groups ?? [] }
      : undefined
  } catch {
    return undefined
  }
}

/** Copies nodes to an offset; returns the ids of the copies. */
export const copyNodes = (doc: Doc, content: GraphContent, { ids, x, y }: Drag, origin: unknown) =>
  pasteClipping(doc, createClipping(content, ids), { x, y }, origin)

/** Adds the nodes of a clipping to a document; returns their new ids. */
export function pasteClipping(
  doc: Doc,
  clipping: Clipping,
  offset: { x: number; y: number },
  origin: unknown,
): ReadonlySet<string> {
  const { ids } = pasteNodes(doc, clipping, offset, origin)
  return new Set(clipping.nodes.flatMap(({ instanceId }) => ids.get(instanceId) ?? []))
}

/** Returns a clipping of nodes, and of the groups that contain any of them. */
const createClipping = ({ nodes, groups }: GraphContent, nodeIds: ReadonlySet<string>): Clipping => ({
  nodes: Object.values(nodes).filter(({ instanceId }) => nodeIds.has(instanceId)),
  groups: groups.filter(({ nodeInstanceIds }) => nodeInstanceIds.some((id) => nodeIds.has(id))),
})
