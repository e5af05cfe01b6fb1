import { listChangedFacts, type StoredFacts } from '@meadow/document'
import type { Change, LayoutChange, NodeName } from './change.ts'
import { type Comparison, nameNode } from './comparison.ts'
import type { Difference, DocumentContent } from './diff-documents.ts'

/** The place of two graphs: the documents themselves, or clusters in them. */
export interface StoredPlace {
  before: StoredFacts | undefined
  after: StoredFacts | undefined
  /** The ids of the clusters around it, each with a slash behind it; empty for the documents. */
  beforePath: string
  afterPath: string
}

/**
 * Adds what differs in the stored data of two files and is not said yet: data that no document shows, and shown data of what
 * otherwise has no change. `changes` and `layout` are what these two graphs and the clusters in them differ in.
 */
export function diffStored(
  comparison: Comparison,
  older: DocumentContent,
  newer: DocumentContent,
  place: StoredPlace,
  { changes, layout }: Difference,
  found: Difference,
): void {
  const { before, after, beforePath, afterPath } = place
  if (!before || !after) return
  const said = [...changes, ...layout]
  const changed = new Set(said.flatMap(listOwners))
  const compare = (beforeKey: string, afterKey: string, isSaid: boolean, isRecreated = false): string[] => {
    const [was, is] = [before[beforeKey], after[afterKey]]
    if (!was || !is) return []
    return listChangedFacts(was, is)
      .filter((name) => !(name.startsWith('~') && (isSaid || isRecreated)))
      .map((name) => name.replace(/^~/, ''))
  }
  for (const [afterId, beforeId] of comparison.beforeIds) {
    const names = compare(
      `${beforePath}${beforeId}`,
      `${afterPath}${afterId}`,
      changed.has(afterId),
      beforeId !== afterId,
    )
    if (names.length > 0)
      found.changes.push({ kind: 'other_settings', node: nameNode(comparison, 'after', afterId), names })
  }
  const labels = new Map(newer.groups.map(({ id, label }) => [id, label]))
  for (const { id } of older.groups) {
    const label = labels.get(id)
    const names =
      label === undefined ? [] : compare(`${beforePath}${id}`, `${afterPath}${id}`, changed.has(id))
    if (names.length > 0) found.changes.push({ kind: 'other_settings', group: { id, label: label! }, names })
  }
  const names = compare(beforePath.slice(0, -1), afterPath.slice(0, -1), said.length > 0)
  if (names.length > 0 && beforePath === '') found.changes.push({ kind: 'other_settings', names })
}

/** The ids of the nodes and groups that a change is of. */
function listOwners(change: Change | LayoutChange): string[] {
  const ids: (string | undefined)[] = []
  if ('node' in change) ids.push(change.node?.instanceId)
  if ('to' in change) ids.push(change.to.node.instanceId)
  if ('group' in change) ids.push(change.group?.id)
  return ids.filter((id) => id !== undefined)
}

/** Returns the place inside a cluster. */
export const enterCluster = (place: StoredPlace, { instanceId, previousId }: NodeName): StoredPlace => ({
  ...place,
  beforePath: `${place.beforePath}${previousId ?? instanceId}/`,
  afterPath: `${place.afterPath}${instanceId}/`,
})
