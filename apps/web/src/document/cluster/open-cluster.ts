import type { Cluster, GraphContent, Node } from '@meadow/contract'
import type { EditorSolution, UnsolvableNode } from '@meadow/contract/web'
import { labelOf } from '../graph/layout/node-box.ts'

/** A step of the way into nested clusters. */
export interface Crumb {
  clusterIds: readonly string[]
  label: string
}

export interface OpenedCluster {
  /** The steps from the graph of the document to the cluster. */
  crumbs: Crumb[]
  /** The content of the cluster; undefined if it is not known. */
  content?: GraphContent
  /** A sentence that says why the content is not known. */
  reason?: string
}

type Clusters = Readonly<Record<string, Cluster>>

/** Returns the content of a cluster and the way to it. `clusterIds` may come from any address. */
export function openCluster(
  document: { name: string; content: Pick<GraphContent, 'nodes'>; isVisitor?: boolean },
  clusters: Clusters,
  clusterIds: readonly string[],
): OpenedCluster {
  const crumbs: Crumb[] = [{ clusterIds: [], label: document.name }]
  let { nodes } = document.content
  let known = clusters
  let groups: GraphContent['groups'] = []
  for (const [index, id] of clusterIds.entries()) {
    const node = Object.hasOwn(nodes, id) ? nodes[id] : undefined
    if (node?.state?.kind !== 'cluster') return { crumbs, reason: NO_CLUSTER }
    crumbs.push({ clusterIds: clusterIds.slice(0, index + 1), label: labelOf(node) })
    const cluster = Object.hasOwn(known, id) ? known[id] : undefined
    if (!cluster && document.isVisitor) return { crumbs, reason: MEMBERS_ONLY }
    if (!cluster) return { crumbs, reason: findReason(node.state) }
    if ('reason' in cluster) return { crumbs, reason: cluster.message }
    nodes = cluster.nodes
    groups = cluster.groups
    known = cluster.clusters ?? {}
  }
  return { crumbs, content: { nodes, groups, configuration: { inputs: [], outputs: [] } } }
}

const findReason = ({ isProtected, object }: NonNullable<Node['state']>): string =>
  isProtected ? PROTECTED : object === undefined ? NOT_STORED : PLACED

const NO_CLUSTER = 'There is no such cluster. It was deleted, or the address is wrong.'
/** The server gives visitors of a public document no contents of clusters. */
const MEMBERS_ONLY = 'What is inside clusters is shown to members of the team only.'
const PROTECTED = 'This cluster is behind a password.'
const PLACED =
  'This cluster was placed from the library. What is inside is shown in the document, not in its versions.'
const NOT_STORED =
  'What is inside this cluster is not known. It was pasted or copied from another document, or its file was imported by an older version of Meadow: import the file again.'

/**
 * What is known of the nodes of a cluster in the form of a solution: those that cannot be solved, and the clusters that
 * hold such nodes. There are no values.
 */
export function toInnerSolution(
  unsolvable: readonly UnsolvableNode[],
  clusterIds: readonly string[],
): EditorSolution {
  const depth = clusterIds.length
  const found = unsolvable
    .map((node) => ({ ...node, path: pathOf(node) }))
    .filter(({ path }) => path.length > depth && clusterIds.every((id, index) => path[index] === id))
  const isIn = ({ path }: { path: readonly string[] }) => path.length > depth + 1
  return {
    id: clusterIds.join('/') as EditorSolution['id'],
    solvedAt: '',
    durationMs: 0,
    creditTenths: null,
    completeness: null,
    hasGeometry: false,
    units: 'none',
    messages: found.map((node) => ({
      nodeInstanceId: node.path[depth]!,
      level: 'warning',
      code: 'unsupported',
      message: isIn(node) ? `Inside: ${node.name}: ${node.reason}` : node.reason,
    })),
    nodes: Object.fromEntries(
      found
        .filter((node) => !isIn(node))
        .map(({ path }) => [path[depth]!, { state: 'unsupported' as const, ports: {} }]),
    ),
  }
}

/** The ids of the clusters around a node, from the outermost, and its own. */
const pathOf = ({ nodeInstanceId, inside = [] }: UnsolvableNode): string[] => [nodeInstanceId, ...inside]
