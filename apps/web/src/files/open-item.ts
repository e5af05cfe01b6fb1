import type { AppResponse, readFileContents } from '@meadow/contract/web'
import type { ScriptState } from '@meadow/document'
import { type OpenedCluster, openCluster } from '../document/cluster/open-cluster.ts'

export type ItemContents = AppResponse<typeof readFileContents>

/** The script that a user object places; undefined for other objects. */
export function findItemScript({ graph }: ItemContents): ScriptState | undefined {
  const state = Object.values(graph.nodes)[0]?.state
  return state?.kind === 'script' ? (state as ScriptState) : undefined
}

/**
 * The graph that a library item shows: that of its cluster, or the object alone. `clusterIds` lead from there into the
 * clusters in it, and may come from any address.
 */
export function openItem(
  name: string,
  { graph, clusters }: ItemContents,
  clusterIds: readonly string[],
): OpenedCluster {
  const [node] = Object.values(graph.nodes)
  const root = { clusterIds: [], label: name }
  if (node?.state?.kind !== 'cluster') return { crumbs: [root], content: graph }
  const opened = openCluster({ name, content: graph }, clusters, [node.instanceId, ...clusterIds])
  // The crumb of the file also stands for its cluster.
  const inner = opened.crumbs.slice(2).map((crumb) => ({ ...crumb, clusterIds: crumb.clusterIds.slice(1) }))
  return { ...opened, crumbs: [root, ...inner] }
}
