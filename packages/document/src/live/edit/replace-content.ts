import type { GraphContent } from '@meadow/contract'
import type * as Y from 'yjs'
import { createFacts, formatGroup, formatNode } from '../create-live-document.ts'
import { formatPinKey, PINNED } from '../facts/pin-key.ts'
import { type Facts, getRoots } from '../layout.ts'
import { readLiveDocument } from '../read/read-live-document.ts'

/**
 * Makes a live document have another content, as importing its file again does. What is the same already stays as
 * it is, so nobody's view of it moves. Throws a `LiveEditError` for content that is not of the contract's shapes.
 */
export function replaceContent(doc: Y.Doc, content: GraphContent, origin?: unknown): void {
  const roots = getRoots(doc)
  const now = readLiveDocument(doc)
  const nodes = Object.entries(content.nodes)
    .filter(([id, node]) => JSON.stringify(now.nodes[id]) !== JSON.stringify(node))
    .map(([id, node]) => [id, formatNode(id, node)] as const)
  const groupsNow = new Map(now.groups.map((group) => [group.id, JSON.stringify(group)]))
  const groups = content.groups
    .filter((group) => groupsNow.get(group.id) !== JSON.stringify(group))
    .map((group) => [group.id, formatGroup(group)] as const)
  const pins = new Set(
    (['inputs', 'outputs'] as const).flatMap((side) =>
      content.configuration[side].map((pin) => formatPinKey(side, pin)),
    ),
  )
  doc.transact(() => {
    replace(roots.nodes, new Set(Object.keys(content.nodes)), nodes)
    replace(roots.groups, new Set(content.groups.map(({ id }) => id)), groups)
    for (const key of [...roots.pins.keys()]) if (!pins.has(key)) roots.pins.delete(key)
    for (const key of pins) if (!roots.pins.has(key)) roots.pins.set(key, PINNED)
  }, origin)
}

function replace(
  root: Y.Map<Facts>,
  kept: ReadonlySet<string>,
  changed: readonly (readonly [id: string, text: string])[],
): void {
  for (const id of [...root.keys()]) if (!kept.has(id)) root.delete(id)
  for (const [id, text] of changed) root.set(id, createFacts(text))
}
