import type { GraphContent } from '@meadow/contract'
import { type Clipping, pasteNodes } from '@meadow/document/live'
import type { Doc } from 'yjs'
import { clip } from './clipboard.ts'
import type { Drag } from './flow.ts'

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
