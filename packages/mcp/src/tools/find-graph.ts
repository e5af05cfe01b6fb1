import type { Cluster, Document, Node } from '@meadow/client'
import { type Graph, titleOf } from '../text/node-text.ts'
import { createShortIds, type ShortIds } from '../text/short-ids.ts'
import { oneLine } from '../text/show-value.ts'
import { ToolError } from './context.ts'

/** The graph of a document or of one of its clusters, as a caller requested it. */
export interface FoundGraph {
  graph: Graph
  clusters: Record<string, Cluster>
  ids: ShortIds
  /** The title of the cluster; undefined for the document itself. */
  title: string | undefined
}

/**
 * Returns the graph of a document, or of the cluster at `inside`: the ids of clusters inside each other, with slashes
 * between them. Fails: `ToolError` when a node is not a cluster, or the contents of one are not known.
 */
export function findGraph(document: Document, inside = ''): FoundGraph {
  let found = toFound(document, document.clusters, undefined)
  for (const part of inside.split('/').filter(Boolean)) {
    const node = findNode(part, found.graph, found.ids)
    const title = titleOf(node, found.ids)
    const cluster = Object.hasOwn(found.clusters, node.instanceId)
      ? found.clusters[node.instanceId]
      : undefined
    if (!cluster)
      throw new ToolError(`${title} has no contents: inside takes nodes that are marked as clusters.`)
    if (!('nodes' in cluster))
      throw new ToolError(`The contents of ${title} are not known. ${cluster.message}`)
    found = toFound(cluster, cluster.clusters, title)
  }
  return found
}

const toFound = (
  graph: Graph,
  clusters: Record<string, Cluster> = {},
  title: string | undefined,
): FoundGraph => ({
  graph,
  clusters,
  ids: createShortIds(Object.keys(graph.nodes)),
  title,
})

/**
 * Returns the requested nodes, each of them once. A name is a short or full id, a nickname, the name of a node, or the
 * label of a group, which stands for all of its nodes.
 */
export const findNodes = (names: readonly string[], graph: Graph, ids: ShortIds): Node[] => [
  ...new Set(names.flatMap((name) => findNamed(name, graph, ids))),
]

const NO_NAME = 'The name of a node is empty. Take an id, nickname or group from outline_document.'

function findNamed(name: string, graph: Graph, ids: ShortIds): Node[] {
  // An empty name does not stand for nodes without a nickname and groups without a label.
  if (oneLine(name) === '') throw new ToolError(NO_NAME)
  const [byId, ...others] = ids.resolve(name)
  if (byId !== undefined && others.length === 0) return [graph.nodes[byId]!]
  const nodes = Object.values(graph.nodes)
  const group = graph.groups.filter(({ label }) => oneLine(label) === oneLine(name))
  const named = [
    ...nodes.filter(({ nickName }) => oneLine(nickName) === oneLine(name)),
    ...group.flatMap(({ nodeInstanceIds }) => nodeInstanceIds.flatMap((id) => graph.nodes[id] ?? [])),
  ]
  if (named.length > 0) return named
  const sameName = nodes.filter((node) => node.name === name.trim())
  if (sameName.length > 0) return sameName
  const several =
    byId === undefined ? '' : ` Several ids begin with it: ${[byId, ...others].slice(0, 5).join(', ')}.`
  throw new ToolError(
    `There is no node ${JSON.stringify(name)} here.${several} Take an id, nickname or group from outline_document.`,
  )
}

/** Returns the only node with this name. */
function findNode(name: string, graph: Graph, ids: ShortIds): Node {
  const [node, ...others] = findNamed(name, graph, ids)
  if (node && others.length === 0) return node
  throw new ToolError(`Several nodes are called ${JSON.stringify(name)}: give the id of one.`)
}
