import type { GraphContent } from '@meadow/contract'
import type * as Y from 'yjs'
import { readLiveDocument } from '../projection/live-projector.ts'
import { getRoots, type RootName, type Roots } from '../schema/layout.ts'
import { formatPinKey, PINNED } from '../schema/pin-key.ts'
import { createLiveDocument, createPropertyMap, formatGroup, formatNode } from './create-live-document.ts'

/**
 * Replaces the content of a live document, as a repeated import and restoring a version do. The document then reads as
 * `content`; only the order of its nodes may differ. Equal nodes and groups are left alone, so open editors see no change
 * in them; groups and pins that are out of order are added again. Throws a `LiveEditError` for content that does not match
 * the contract.
 */
export function replaceContent(doc: Y.Doc, content: GraphContent, origin?: unknown): void {
  doc.transact(() => {
    writeDifferences(doc, content)
    if (isEqual(readLiveDocument(doc), content)) return
    // Parts that are back may have brought back hidden wires and memberships of equal parts (LD-12).
    const valid = readLiveDocument(createLiveDocument(content))
    if (!isEqual(readLiveDocument(doc), valid)) writeDifferences(doc, valid)
  }, origin)
}

/** Whether two contents are equal but for the order of their nodes. */
function isEqual(a: GraphContent, b: GraphContent): boolean {
  const ids = Object.keys(a.nodes)
  return (
    ids.length === Object.keys(b.nodes).length &&
    ids.every((id) => JSON.stringify(a.nodes[id]) === JSON.stringify(b.nodes[id])) &&
    JSON.stringify([a.groups, a.configuration]) === JSON.stringify([b.groups, b.configuration])
  )
}

function writeDifferences(doc: Y.Doc, content: GraphContent): void {
  const roots = getRoots(doc)
  const now = readLiveDocument(doc)
  const groups = new Map(content.groups.map((group) => [group.id, formatGroup(group)]))
  const nodes = new Map(Object.entries(content.nodes).map(([id, node]) => [id, formatNode(id, node)]))
  const groupsNow = new Map(now.groups.map((group) => [group.id, JSON.stringify(group)]))
  const newNodes = [...nodes].flatMap(([id, text]) => (JSON.stringify(now.nodes[id]) === text ? [] : [id]))
  const newGroups = listOutOfOrder(
    doc.clientID,
    roots.groups,
    [...groups].map(([key, text]) => ({ key, isEqual: groupsNow.get(key) === text })),
  )
  const pins = (['inputs', 'outputs'] as const).map((side) =>
    content.configuration[side].map((pin) => ({ key: formatPinKey(side, pin), isEqual: true })),
  )
  const newPins = pins.flatMap((ofSide) => listOutOfOrder(doc.clientID, roots.pins, ofSide))
  removeOthers(roots.nodes, nodes)
  for (const id of newNodes) roots.nodes.set(id, createPropertyMap(nodes.get(id)!))
  removeOthers(roots.groups, groups)
  for (const id of newGroups) roots.groups.set(id, createPropertyMap(groups.get(id)!))
  removeOthers(roots.pins, new Map(pins.flat().map((pin) => [pin.key, pin])))
  for (const key of newPins) roots.pins.set(key, PINNED)
}

function removeOthers(record: Roots[RootName], wanted: ReadonlyMap<string, unknown>): void {
  for (const key of [...record.keys()]) if (!wanted.has(key)) record.delete(key)
}

/**
 * The keys that have to be written so that a record has `wanted` in this order: see `listKeysByCreation`. What is written
 * comes after what this client and those with lower numbers have written, and before that of clients with higher numbers.
 */
export function listOutOfOrder(
  client: number,
  record: Roots[RootName],
  wanted: readonly { key: string; isEqual: boolean }[],
): string[] {
  const written = wanted.map(({ key, isEqual }) =>
    isEqual && record.has(key) ? record._map.get(key)!.id : undefined,
  )
  let first = 0
  while (isAfter(written[first], written[first - 1]) && written[first]!.client <= client) first++
  let end = wanted.length
  while (end > first && isBefore(written[end - 1], written[end]) && written[end - 1]!.client > client) end--
  return wanted.slice(first, end).map(({ key }) => key)
}

const isAfter = (id: Y.ID | undefined, previous: Y.ID | undefined): boolean =>
  id !== undefined &&
  (previous === undefined ||
    id.client > previous.client ||
    (id.client === previous.client && id.clock > previous.clock))

const isBefore = (id: Y.ID | undefined, next: Y.ID | undefined): boolean =>
  id !== undefined && (next === undefined || isAfter(next, id))
