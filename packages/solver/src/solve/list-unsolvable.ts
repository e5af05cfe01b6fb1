import type { GraphContent, Node } from '@meadow/contract'
import { type ClusterContents, findCanvasObject, findComponentName, findScript } from '@meadow/document'
import { CLUSTER, describeUnknownCluster, NO_CLUSTER_CONTENT } from './solve-cluster.ts'
import { findPlugin, findUnsupportedReason } from './unsupported-node.ts'

/** The length to which names and reasons are cut. */
const MAX_LENGTH = 300

/** A node that cannot be solved, whatever its inputs are. */
export interface Unsolvable {
  /** The node of the document: for a node inside a cluster, that cluster, and of nested clusters the outermost. */
  readonly nodeInstanceId: string
  /** The name of the component. */
  readonly name: string
  readonly kind: 'script' | 'plugin' | 'component' | 'cluster'
  /** A sentence without its full stop. */
  readonly reason: string
  /** The plug-in that the component belongs to. */
  readonly library?: { readonly name: string; readonly version?: string }
  /** The name of the cluster that holds it. */
  readonly cluster?: string
  /** The ids of the way from that cluster to the node: the clusters between, from the outermost, and the node itself. */
  readonly inside?: string[]
}

/**
 * The enabled nodes of a document that the solver has no kind for, those inside clusters too, in the order of the
 * document. A node that is not among them may still meet a limit.
 */
export function* listUnsolvable({ nodes }: GraphContent, clusters: ClusterContents): Generator<Unsolvable> {
  for (const node of Object.values(nodes)) {
    if (!node.status.isEnabled) continue
    if (node.templateId === CLUSTER) yield* listInCluster(node, clusters)
    const reason = findUnsupportedReason(node)
    if (reason !== undefined) yield describe(node, reason)
  }
}

function* listInCluster(node: Node, clusters: ClusterContents): Generator<Unsolvable> {
  const { instanceId, name, nickName } = node
  const cluster = clusters.get(instanceId) ?? { unknown: NO_CLUSTER_CONTENT }
  if ('unknown' in cluster) {
    yield { ...describe(node, describeUnknownCluster(cluster)), kind: 'cluster' }
    return
  }
  for (const found of listUnsolvable(cluster.content, cluster.clusters))
    yield {
      ...found,
      nodeInstanceId: instanceId,
      cluster: shorten(nickName || name || 'Cluster'),
      inside: [found.nodeInstanceId, ...(found.inside ?? [])],
    }
}

function describe(node: Node, reason: string): Unsolvable {
  const { instanceId, templateId, name, nickName, state } = node
  const plugin = findPlugin(node)
  const isScript = findScript(templateId) !== undefined || state?.kind === 'script'
  return {
    nodeInstanceId: instanceId,
    name: shorten(
      name || nickName || findComponentName(templateId) || findCanvasObject(templateId)?.name || '',
    ),
    kind: isScript ? 'script' : plugin ? 'plugin' : 'component',
    reason: shorten(reason),
    ...(plugin?.name !== undefined && { library: toLibrary(plugin.name, plugin.version) }),
  }
}

const toLibrary = (name: string, version: string | undefined) => ({
  name: shorten(name),
  ...(version !== undefined && { version: shorten(version) }),
})

const shorten = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)
