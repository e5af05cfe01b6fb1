import type { Cluster, Node } from '@meadow/contract'
import type { AppResponse, listLibraryItems, readFileContents } from '@meadow/contract/web'
import { isFileName, listNodeOrigins } from '@meadow/document'

type LibraryItem = AppResponse<typeof listLibraryItems>['items'][number]

interface FoundItem extends LibraryItem {
  /** Whether the node is linked to a file of that name. */
  isLinked: boolean
}

/** The library items whose name a node has, or whose file it names. */
export function findItems(node: Node, items: readonly LibraryItem[]): FoundItem[] {
  const origins = new Set(listNodeOrigins(node))
  return items.flatMap((item) => {
    const shared = item.origins.filter((origin) => origins.has(origin))
    return shared.length === 0 ? [] : [{ ...item, isLinked: shared.some(isFileName) }]
  })
}

/**
 * Whether a node holds what a library item of its name holds now; undefined where that is not known. `cluster` is what is
 * inside of the node.
 */
export function isSame(
  node: Node,
  cluster: Cluster | undefined,
  { graph, clusters }: AppResponse<typeof readFileContents>,
): boolean | undefined {
  const [placed] = Object.values(graph.nodes)
  if (!placed || placed.state?.kind !== node.state?.kind) return undefined
  if (node.state?.kind === 'script') return textsOf(node) === textsOf(placed)
  const other = clusters[placed.instanceId]
  if (!cluster || !other || 'reason' in cluster || 'reason' in other) return undefined
  return insideOf(cluster) === insideOf(other)
}

const textsOf = ({ state = {} }: Node): string => {
  const { language, imports = '', source = '', members = '' } = state
  return JSON.stringify([language, imports, source, members])
}

/** Returns the content of a cluster as text to compare. Placing a cluster keeps the ids of the objects in it. */
const insideOf = ({ nodes, clusters = {} }: Exclude<Cluster, { reason: string }>): string =>
  JSON.stringify([nodes, clusters])
