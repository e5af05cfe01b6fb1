import type { ClusterContents, GraphContent, Node } from '@meadow/document'
import type { NodePlace } from '../config/rules.ts'

/** A node of a definition, or of a cluster in it. */
export interface WalkedNode {
  node: Node
  /** The graph that the node is in. */
  graph: GraphContent
  place: NodePlace
  /** Whether the node and all clusters around it are enabled. */
  isEnabled: boolean
  /** The number of clusters around the node. */
  depth: number
}

/** Yields all nodes of a definition in the order of the file, with the nodes of a cluster after it. */
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

/** Returns the place of a node that is not in a cluster. */
export function placeOf({ instanceId, name, nickName, position }: Node): NodePlace {
  return { id: instanceId, name: nickName || name, component: name, x: position.x, y: position.y }
}

function insideOf({ place }: Pick<WalkedNode, 'place'>, { name, nickName }: Node): NodePlace {
  const { id, x, y, clusters = [] } = place
  return { id, name: nickName || name, component: name, x, y, clusters: [...clusters, place.name] }
}
