import type { Group } from '@meadow/contract'

/** Which group each node belongs to, and which group each group is in. */
export interface GroupTree {
  /** The innermost group around each node, by node id. */
  groupOf: ReadonlyMap<string, Group>
  parentOf: ReadonlyMap<Group, Group>
}

interface Extent {
  group: Group
  /** The ids of its nodes, and of the nodes of groups inside it. */
  nodeIds: ReadonlySet<string>
  /** The groups inside it, at any depth, and itself. */
  groups: ReadonlySet<Group>
}

/**
 * The tree of a document's groups. A group is in the smallest other one that names it or has all its nodes, as on the
 * canvas, where it is drawn inside. Groups that only overlap are side by side; a node in both belongs to the smaller.
 */
export function planGroups(groups: readonly Group[]): GroupTree {
  const byId = new Map(groups.map((group) => [group.id, group]))
  const extents = groups.map((group) => measureExtent(group, byId)).sort(compareExtents)
  const groupOf = new Map<string, Group>()
  const parentOf = new Map<Group, Group>()
  const around = new Map<string, Extent[]>()
  for (const extent of extents) {
    const [first] = extent.nodeIds
    const parent = first && around.get(first)?.findLast((outer) => isInside(extent, outer))
    if (parent) parentOf.set(extent.group, parent.group)
    for (const nodeId of extent.nodeIds) {
      groupOf.set(nodeId, extent.group)
      const known = around.get(nodeId)
      if (known) known.push(extent)
      else around.set(nodeId, [extent])
    }
  }
  return { groupOf, parentOf }
}

function measureExtent(group: Group, byId: ReadonlyMap<string, Group>): Extent {
  const nodeIds = new Set<string>()
  const groups = new Set([group])
  for (const next of groups) {
    for (const id of next.nodeInstanceIds) nodeIds.add(id)
    for (const id of next.groupIds) {
      const inner = byId.get(id)
      if (inner) groups.add(inner)
    }
  }
  return { group, nodeIds, groups }
}

/** Orders outer groups before those inside them. */
function compareExtents(a: Extent, b: Extent): number {
  return b.nodeIds.size - a.nodeIds.size || b.groups.size - a.groups.size
}

function isInside(inner: Extent, outer: Extent): boolean {
  if (outer.groups.has(inner.group)) return !inner.groups.has(outer.group)
  return outer.nodeIds.size > inner.nodeIds.size && [...inner.nodeIds].every((id) => outer.nodeIds.has(id))
}
