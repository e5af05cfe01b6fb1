import type { Cluster, DocumentFile, GraphContent, Plugin } from '@meadow/contract'
import type { UnsolvableNode } from '@meadow/contract/web'
import type { NodeState } from '@meadow/document'
import type { GraphLocation } from '../state/graph-location.ts'

/** A fact about a file: its name and value. */
export type FileFact = readonly [name: string, value: string]

/** The program that a file was saved with: `Rhino 8 (8.10.24198.10001), Grasshopper 1.0.8`. */
export function describeVersions({ versions }: Pick<DocumentFile, 'versions'>): string | undefined {
  const { rhino, grasshopper } = versions ?? {}
  const parts = [
    rhino === undefined ? grasshopper && findRhino(grasshopper) : `Rhino ${rhino.split('.')[0]} (${rhino})`,
    grasshopper && `Grasshopper ${grasshopper}`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(', ') : undefined
}

/** The version of Rhino that has this Grasshopper. */
function findRhino(grasshopper: string): string | undefined {
  const [major, minor, build] = grasshopper.split('.').map(Number)
  if (major === 0) return minor === 9 ? 'Rhino 5' : 'Rhino 4 or 5'
  return major === 1 && minor === 0 && build !== undefined
    ? build >= 8
      ? 'Rhino 8'
      : 'Rhino 6 or 7'
    : undefined
}

/** What the author typed in about themselves and the file. */
export function listAuthorFacts({ author }: Pick<DocumentFile, 'author'>): FileFact[] {
  if (!author) return []
  const { name, company, email, website, copyright } = author
  const facts: FileFact[] = [
    ['Author', [name, company].filter(Boolean).join(', ')],
    ['E-mail', email],
    ['Website', website],
    ['Copyright', copyright],
  ]
  return facts.filter(([, value]) => value !== '')
}

/** Nodes of one graph of a document. */
export interface NodesAt extends Required<GraphLocation> {
  /** The names of the clusters around them, from the outermost. */
  clusters: readonly string[]
}

export interface PluginUse extends Plugin {
  /** The graphs that have nodes of it: the document, then clusters. */
  locations: NodesAt[]
  /** How many nodes there are now, in all graphs. */
  count: number
  /** How many of them are not solved. The others are solved or disabled. */
  unsolved: number
}

/** The plug-ins of a file, those with the most nodes first, with these nodes. `unsolved`: see `listUnsolved`. */
export function listPluginUses(
  plugins: readonly Plugin[],
  document: Pick<GraphContent, 'nodes'>,
  clusters: Readonly<Record<string, Cluster>>,
  unsolved: readonly UnsolvableNode[],
): PluginUse[] {
  const locations = Map.groupBy(listLocations(document.nodes, clusters, [], []), ({ pluginId }) => pluginId)
  return plugins
    .filter(({ id, name }) => name !== '' || locations.has(id))
    .map((plugin) => {
      const own = (locations.get(plugin.id) ?? []).map(({ pluginId: _, ...location }) => location)
      return {
        ...plugin,
        locations: own,
        count: own.reduce((sum, { nodeIds }) => sum + nodeIds.length, 0),
        unsolved: unsolved.filter(({ library }) => library && library.name === plugin.name).length,
      }
    })
    .sort((a, b) => b.count - a.count)
}

/** Lists the nodes of plug-ins by graph and plug-in. */
function* listLocations(
  nodes: GraphContent['nodes'],
  clusters: Readonly<Record<string, Cluster>>,
  clusterIds: readonly string[],
  names: readonly string[],
): Generator<NodesAt & { pluginId: string }> {
  const byPlugin = Map.groupBy(Object.values(nodes), ({ state }) =>
    findPluginId(state as NodeState | undefined),
  )
  for (const [pluginId, own] of byPlugin)
    if (pluginId !== undefined)
      yield { pluginId, clusterIds, clusters: names, nodeIds: own.map(({ instanceId }) => instanceId) }
  for (const [id, cluster] of Object.entries(clusters)) {
    const node = Object.hasOwn(nodes, id) ? nodes[id] : undefined
    if (!node || 'reason' in cluster) continue
    const inner = [...names, node.nickName.trim() || node.name]
    yield* listLocations(cluster.nodes, cluster.clusters ?? {}, [...clusterIds, id], inner)
  }
}

function findPluginId(state: NodeState | undefined): string | undefined {
  if (state?.kind === 'plugin') return state.libraryId
  return state?.kind === 'valueList' ? state.plugin?.libraryId : undefined
}
