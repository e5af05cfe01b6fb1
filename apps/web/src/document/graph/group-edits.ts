import type { GraphContent } from '@meadow/contract'
import { addGroup, removeGroups } from '@meadow/document/live'
import type { Doc } from 'yjs'

export function groupSelected(doc: Doc, nodeInstanceIds: readonly string[], origin: unknown): void {
  if (nodeInstanceIds.length === 0) return
  addGroup(doc, { nodeInstanceIds }, origin)
}

/** Takes away the groups that hold anything selected; the nodes stay. */
export function ungroupSelected(
  doc: Doc,
  { groups }: GraphContent,
  selectedIds: ReadonlySet<string>,
  origin: unknown,
): void {
  const found = groups.filter(({ nodeInstanceIds }) => nodeInstanceIds.some((id) => selectedIds.has(id)))
  removeGroups(
    doc,
    found.map(({ id }) => id),
    origin,
  )
}
