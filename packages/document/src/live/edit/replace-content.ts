import type { GraphContent } from '@meadow/contract'
import type * as Y from 'yjs'
import { readLiveDocument } from '../projection/live-projector.ts'
import { getRoots, type PropertyMap } from '../schema/layout.ts'
import { formatPinKey, PINNED } from '../schema/pin-key.ts'
import { createPropertyMap, formatGroup, formatNode } from './create-live-document.ts'

/**
 * Replaces the content of a live document, as a repeated import does. Equal nodes and groups are left alone, so open
 * editors see no change in them. Throws a `LiveEditError` for content that does not match the contract.
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
  root: Y.Map<PropertyMap>,
  ids: ReadonlySet<string>,
  changed: readonly (readonly [id: string, text: string])[],
): void {
  for (const id of [...root.keys()]) if (!ids.has(id)) root.delete(id)
  for (const [id, text] of changed) root.set(id, createPropertyMap(text))
}
