/** The part of a document that its page shows: its graph, or that of a cluster, and perhaps some of its nodes. */
export interface GraphLocation {
  /** The ids of the clusters that are open, from the outermost; empty for the graph of the document. */
  clusterIds: readonly string[]
  /** The nodes that are selected and shown in the middle. The address has a single one only. */
  nodeIds?: readonly string[]
}

const CLUSTER = 'cluster'
const NODE = 'node'
/** The separator of ids, which does not occur in them and is not escaped in queries. */
const SEPARATOR = '/'

/** Reads `?cluster=outer/inner&node=id`. */
export function readLocation(query: URLSearchParams): GraphLocation {
  const clusterIds = (query.get(CLUSTER) ?? '').split(SEPARATOR).filter((id) => id !== '')
  const nodeId = query.get(NODE) || undefined
  return { clusterIds, ...(nodeId !== undefined && { nodeIds: [nodeId] }) }
}

/** The query of a location, with the question mark if it is not empty. Other parameters of `query` are kept. */
export function writeLocation(
  { clusterIds, nodeIds = [] }: GraphLocation,
  query = new URLSearchParams(),
): string {
  const others = [...query].filter(([name]) => name !== CLUSTER && name !== NODE)
  const pairs = [
    ...others,
    ...(clusterIds.length > 0 ? [[CLUSTER, clusterIds.join(SEPARATOR)]] : []),
    ...(nodeIds.length === 1 ? [[NODE, nodeIds[0]!]] : []),
  ]
  const text = new URLSearchParams(pairs).toString().replaceAll('%2F', SEPARATOR)
  return text === '' ? '' : `?${text}`
}

/** The cluster that was left on the way up from one location to another; undefined if the way did not lead up. */
export function findLeftCluster(before: GraphLocation, after: GraphLocation): string | undefined {
  const isAbove =
    after.clusterIds.length < before.clusterIds.length &&
    after.clusterIds.every((id, index) => before.clusterIds[index] === id)
  return isAbove ? before.clusterIds[after.clusterIds.length] : undefined
}
