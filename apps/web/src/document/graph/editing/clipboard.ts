import type { GraphContent } from '@meadow/contract'
import { type Clipping, pasteNodes } from '@meadow/document/live'
import type { Doc } from 'yjs'
import type { Drag } from '../layout/flow-nodes.ts'

/** Tells our own text on the clipboard from any other. */
const MARK = 'meadow/clipping/1'

/** What was selected, with the groups that hold some of it. */
const clip = ({ nodes, groups }: GraphContent, selectedIds: ReadonlySet<string>): Clipping => ({
  nodes: Object.values(nodes).filter(({ instanceId }) => selectedIds.has(instanceId)),
  groups: groups.filter(({ nodeInstanceIds }) => nodeInstanceIds.some((id) => selectedIds.has(id))),
})

/** What was selected, as text for the system's clipboard: it can be pasted into another document, or another browser. */
export const formatClipping = (content: GraphContent, selectedIds: ReadonlySet<string>): string =>
  JSON.stringify({ mark: MARK, ...clip(content, selectedIds) })

/** Undefined for what is no clipping of ours. */
export function readClipping(text: string): Clipping | undefined {
  try {
    const read = JSON.parse(text)
    return read?.mark === MARK && Array.isArray(read.nodes)
      ? { nodes: read.nodes, groups: read.groups ?? [] }
      : undefined
  } catch {
    return undefined
  }
}

/** Puts copies so far away from nodes; gives the ids of the copies. */
export const copyNodes = (doc: Doc, content: GraphContent, { ids, x, y }: Drag, origin: unknown) =>
  pasteClipping(doc, clip(content, ids), { x, y }, origin)

/** Puts what was copied on the canvas; gives the ids that it has there. */
export function pasteClipping(
  doc: Doc,
  clipping: Clipping,
  offset: { x: number; y: number },
  origin: unknown,
): ReadonlySet<string> {
  const { ids } = pasteNodes(doc, clipping, offset, origin)
  return new Set(clipping.nodes.flatMap(({ instanceId }) => ids.get(instanceId) ?? []))
}
