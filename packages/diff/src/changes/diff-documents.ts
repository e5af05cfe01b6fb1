import type { Cluster } from '@meadow/contract'
import { type Group, type Node, type PortReference, type StoredFacts, sameJson } from '@meadow/document'
import type { Change, ClusterFacts, LayoutChange, NodeName } from './change.ts'
import { type Comparison, compareGraphs, nameNode, namePort } from './comparison.ts'
import { diffGroups, diffPins } from './diff-groups.ts'
import { diffNode, listWires, type Report } from './diff-node.ts'
import { diffStored, enterCluster, type StoredPlace } from './diff-stored.ts'

/** What is compared of a document: its graph, and the contents of its clusters where they are known. */
export interface DocumentContent {
  nodes: Record<string, Node>
  groups: Group[]
  /** The pinned ports; clusters have none. */
  configuration?: { inputs: PortReference[]; outputs: PortReference[] }
  /** The clusters by node id, as in a document of the API. */
  clusters?: Record<string, Cluster>
  /** What its file stores, as `describeStored` of @meadow/grasshopper gives it. Compared where both have it. */
  stored?: StoredFacts
}

/** What differs between two documents. Plain JSON. */
export interface Difference {
  /** What the documents say differently, node by node from left to right, then groups, then pins. */
  changes: Change[]
  /** What only looks different, in the same order. */
  layout: LayoutChange[]
}

/** Clusters nested deeper than this are not compared. Files have up to 30 levels. */
const MAX_DEPTH = 50

/**
 * Lists what differs between two documents (rules DIFF-1 to DIFF-12 of SPEC.md). Pure: it changes neither, and depends on
 * nothing else, also not on the order of their records. Takes time in proportion to the documents. The documents are
 * valid ones, as `repairGraph` makes them.
 */
export function diffDocuments(before: DocumentContent, after: DocumentContent): Difference {
  const difference: Difference = { changes: [], layout: [] }
  const place = { before: before.stored, after: after.stored, beforePath: '', afterPath: '' }
  if (before !== after) diffContents(before, after, [], place, difference)
  return difference
}

function diffContents(
  before: DocumentContent,
  after: DocumentContent,
  clusters: readonly NodeName[],
  place: StoredPlace,
  difference: Difference,
): Comparison {
  const comparison = compareGraphs(before, after)
  const own: Difference = { changes: [], layout: [] }
  const within = clusters.length === 0 ? {} : { clusters: [...clusters] }
  const report: Report = {
    change: (change) => void own.changes.push({ ...change, ...within }),
    layout: (change) => void own.layout.push({ ...change, ...within }),
  }
  for (const subject of listSubjects(comparison, before, after)) {
    diffSubject(comparison, subject, report)
    const { beforeId, afterId } = subject
    if (beforeId === undefined || afterId === undefined) continue
    const [was, is] = [before.clusters?.[beforeId], after.clusters?.[afterId]]
    if (was && is && was !== is && clusters.length < MAX_DEPTH) {
      diffCluster(comparison, subject, was, is, clusters, place, own, report)
    }
  }
  diffGroups(comparison, before.groups, after.groups, report)
  for (const side of ['input', 'output'] as const) {
    const [was, is] = [before, after].map(({ configuration }) => configuration?.[`${side}s`] ?? [])
    diffPins(comparison, side, was!, is!, report)
  }
  const other: Difference = { changes: [], layout: [] }
  diffStored(comparison, before, after, place, own, other)
  difference.changes.push(...own.changes, ...other.changes.map((change) => ({ ...change, ...within })))
  difference.layout.push(...own.layout)
  return comparison
}

/** A node of either document, or of both. */
interface Subject {
  beforeId: string | undefined
  afterId: string | undefined
  node: Node
}

/** All nodes that may differ, from left to right and from top to bottom as in the newer document. */
function listSubjects(
  { before, after, afterIds, beforeIds }: Comparison,
  older: DocumentContent,
  newer: DocumentContent,
): Subject[] {
  const subjects: Subject[] = []
  for (const [id, { node }] of before.nodes) {
    if (!afterIds.has(id)) subjects.push({ beforeId: id, afterId: undefined, node })
  }
  for (const [id, { node }] of after.nodes) {
    const beforeId = beforeIds.get(id)
    const isSame = beforeId === id && sameJson(before.nodes.get(id)!.node, node)
    if (isSame && older.clusters?.[id] === newer.clusters?.[id]) continue
    subjects.push({ beforeId, afterId: id, node })
  }
  return subjects.sort(
    (a, b) =>
      a.node.position.x - b.node.position.x ||
      a.node.position.y - b.node.position.y ||
      (a.node.instanceId < b.node.instanceId ? -1 : 1),
  )
}

function diffSubject(comparison: Comparison, { beforeId, afterId, node }: Subject, report: Report): void {
  const { before, after, afterIds, beforeIds } = comparison
  if (beforeId !== undefined && afterId !== undefined) {
    diffNode(comparison, beforeId, afterId, nameNode(comparison, 'after', afterId), report)
  } else if (afterId !== undefined) {
    // A wire between two added nodes is listed by its receiver.
    const isTheirs = (id: string, side: string) => side === 'output' && !beforeIds.has(id)
    const wires = listWires(comparison, 'after', after.nodes.get(afterId)!, undefined, isTheirs)
    report.change({ kind: 'node_added', node: nameNode(comparison, 'after', afterId), after: node, wires })
  } else if (beforeId !== undefined) {
    const isTheirs = (id: string, side: string) => side === 'output' && !afterIds.has(id)
    const wires = listWires(comparison, 'before', before.nodes.get(beforeId)!, undefined, isTheirs)
    report.change({
      kind: 'node_removed',
      node: nameNode(comparison, 'before', beforeId),
      before: node,
      wires,
    })
  }
}

/** Reports what differs inside a cluster, behind what differs about it. */
function diffCluster(
  outer: Comparison,
  { afterId }: Subject,
  before: Cluster,
  after: Cluster,
  clusters: readonly NodeName[],
  place: StoredPlace,
  difference: Difference,
  report: Report,
): void {
  const node = nameNode(outer, 'after', afterId!)
  const inside: Difference = { changes: [], layout: [] }
  const [was, is]: ClusterFacts[] = [before, after].map((cluster) => ({
    ...(cluster.description ? { description: cluster.description } : {}),
    ...(cluster.author ? { author: cluster.author } : {}),
    ...('reason' in cluster ? { reason: cluster.reason } : {}),
  }))
  if ('nodes' in before && 'nodes' in after) {
    const inner = diffContents(before, after, [...clusters, node], enterCluster(place, node), inside)
    const [portsBefore, portsAfter] = [before, after].map(({ ports }, i) =>
      nameHooks(outer, inner, node, i === 0 ? 'before' : 'after', ports),
    )
    if (!sameJson(portsBefore!.keys, portsAfter!.keys)) {
      was!.ports = portsBefore!.names
      is!.ports = portsAfter!.names
    }
  }
  if (!sameJson(was, is)) report.change({ kind: 'cluster_changed', node, before: was!, after: is! })
  difference.changes.push(...inside.changes)
  difference.layout.push(...inside.layout)
}

/** What stands for the ports of a cluster that are in both documents: by ids that are equal in both, and in words. */
function nameHooks(
  outer: Comparison,
  inner: Comparison,
  cluster: NodeName,
  version: 'before' | 'after',
  ports: Readonly<Record<string, string>>,
) {
  const nodeInstanceId = version === 'after' ? cluster.instanceId : (cluster.previousId ?? cluster.instanceId)
  const keys: Record<string, string> = {}
  const names: Record<string, string> = {}
  for (const [portInstanceId, hook] of Object.entries(ports)) {
    const port = namePort(outer, version, { nodeInstanceId, portInstanceId })
    const isInBoth = version === 'after' ? inner.beforeIds.has(hook) : inner.afterIds.has(hook)
    if (!isInBoth) continue
    const found = nameNode(inner, version, hook)
    keys[port.instanceId] = found.instanceId
    names[port.nickName || port.name] = found.nickName || found.name
  }
  return { keys, names }
}
