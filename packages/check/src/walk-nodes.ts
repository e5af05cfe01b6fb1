import type { ClusterContents, GraphContent, Node } from '@meadow/document'
import type { NodePlace } from './rules.ts'

/** A node of a definition, or of a cluster in it. */
export interface WalkedNode {
  node: Node
  /** The graph that it is in. */
  graph: GraphContent
  place: NodePlace
  /** Whether it and all clusters around it are enabled. */
  isEnabled: boolean
  /** How many clusters are around it. */
  depth: number
}

/** All nodes of a definition in the order of the file; those of a cluster after it. */
export function* walkNodes(
  graph: GraphContent,
  clusters: ClusterContents,
  outer?: Pick<WalkedNode, 'place' | 'isEnabled' | 'depth'>,
): Generator<WalkedNode> {
  for (const node of Object.values(graph.nodes)) {
    const walked: WalkedNode = {
      node,
      graph,
      place: outer ? insideOf(outer, node) : placeOf(node),
      isEnabled: node.status.isEnabled && outer?.isEnabled !== false,
      depth: (outer?.depth ?? -1) + 1,
    }
    yield walked
    const cluster = clusters.get(node.instanceId)
    if (cluster && 'content' in cluster) yield* walkNodes(cluster.content, cluster.clusters, walked)
  }
}

/** Where a node of the definition itself is. */
export function placeOf({ instanceId, name, nickName, position }: Node): NodePlace {
  return { id: instanceId, name: nickName || name, component: name, x: position.x, y: position.y }
}

function insideOf({ place }: Pick<WalkedNode, 'place'>, { name, nickName }: Node): NodePlace {
  const { id, x, y, clusters = [] } = place
  return { id, name: nickName || name, component: name, x, y, clusters: [...clusters, place.name] }
}
