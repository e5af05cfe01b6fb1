import type { Group, Node, PortReference } from '@meadow/client'
import { compareNodes, type Graph, listPorts, MAX_TEXT, portLabel, showSource, titleOf } from './node-text.ts'
import { createShortIds, type ShortIds } from './short-ids.ts'
import { clip, countOf, oneLine, quote, showNumber, summarizeTree } from './show-value.ts'

/** A document as outlines show it, with facts besides its graph. */
export interface OutlinedDocument extends Graph {
  id: string
  name: string
  configuration: { inputs: PortReference[]; outputs: PortReference[] }
  clusters?: Record<string, object>
  file?: { plugins?: { name: string; nodeCount: number }[] }
}

/** The maximum number of characters of the labels of a group and of the groups around it. */
const MAX_LABEL = 60
const NO_LABEL = '-'
const IN_NO_GROUP = 'In no group'
/** A document with more nodes than this begins with a list of its groups, of up to `MAX_LISTED`. */
const LARGE = 400
const MAX_LISTED = 80
/** The kind of nodes that are drawings. They compute nothing and contain no text. */
const DRAWN = 'sketch'

const LEGEND = 'id Name "nickname" input<id.output input=typed-in value'

/**
 * Outlines a document as lines of text: first its facts, then its nodes by group, from left to right as on the canvas.
 * A node has its short id, by which its details can be requested, and the sources of its inputs. With `group`, only the
 * nodes in the groups with this label are listed.
 */
export function* outlineDocument(document: OutlinedDocument, group?: string): Generator<string> {
  const ids = createShortIds(Object.keys(document.nodes))
  yield `${oneLine(document.name)} (${document.id}): ${countParts(document)}`
  const plugins = document.file?.plugins?.filter(({ nodeCount }) => nodeCount > 0) ?? []
  if (plugins.length > 0)
    yield `Plug-ins: ${plugins.map(({ name, nodeCount }) => `${name} (${nodeCount})`).join(', ')}`
  for (const side of ['inputs', 'outputs'] as const)
    if (document.configuration[side].length > 0)
      yield `Pinned ${side}: ${document.configuration[side].map((port) => showSource(port, document, ids)).join(' ')}`
  yield* outlineGraph(document, ids, document.clusters, group)
}

/** Outlines the inside of a cluster. The ids of its nodes are unique only within it. */
export function* outlineCluster(
  name: string,
  graph: Graph,
  clusters?: Record<string, object>,
  group?: string,
): Generator<string> {
  yield `Inside of ${name}: ${countParts(graph)}`
  yield* outlineGraph(graph, createShortIds(Object.keys(graph.nodes)), clusters, group)
}

function countParts({ nodes, groups }: Graph): string {
  const all = Object.values(nodes)
  const wires = all.reduce((count, { sources }) => count + Object.values(sources).flat().length, 0)
  const drawn = all.filter(isDrawn).length
  const parts = [countOf(all.length, 'node'), countOf(wires, 'wire'), countOf(groups.length, 'group')]
  return `${parts.join(', ')}${drawn > 0 ? `, ${countOf(drawn, 'drawing')} left out` : ''}`
}

const isDrawn = ({ state }: Node): boolean => state?.kind === DRAWN

function* outlineGraph(
  graph: Graph,
  ids: ShortIds,
  clusters: Record<string, object> = {},
  group?: string,
): Generator<string> {
  const sections = listSections(graph)
  const shown = group === undefined ? sections : sections.filter(({ labels }) => labels.includes(group))
  if (Object.keys(graph.nodes).length > LARGE && group === undefined) yield `Groups: ${listLabels(sections)}`
  yield LEGEND
  for (const { labels, nodes } of shown) {
    if (graph.groups.length > 0) yield `# ${clip(labels.join(' > '), MAX_LABEL)}`
    for (const node of nodes) yield outlineNode(node, graph, ids, clusters)
  }
}

/** Lists the labels of groups, which can be outlined one by one, with their numbers of nodes. */
function listLabels(sections: readonly Section[]): string {
  const counts = new Map<string, number>()
  for (const { labels, nodes } of sections)
    for (const label of new Set(labels)) counts.set(label, (counts.get(label) ?? 0) + nodes.length)
  const largest = [...counts].filter(([label]) => label !== NO_LABEL).sort(([, a], [, b]) => b - a)
  const listed = largest.slice(0, MAX_LISTED).map(([label, count]) => `${clip(label, MAX_LABEL)} (${count})`)
  return `${listed.join(', ')}${largest.length > MAX_LISTED ? ', …' : ''}`
}

interface Section {
  /** The labels of the groups around the nodes, outermost first. */
  labels: string[]
  nodes: Node[]
}

/**
 * Lists each node once, under the smallest group that contains it, from left to right. The position of a section is
 * that of its first node.
 */
function listSections(graph: Graph): Section[] {
  const byGroup = new Map<Group | undefined, Node[]>()
  const homes = findHomes(graph.groups)
  const shown = Object.values(graph.nodes).filter((node) => !isDrawn(node))
  for (const node of shown.sort(compareNodes)) {
    const home = homes.get(node.instanceId)
    const nodes = byGroup.get(home)
    if (nodes) nodes.push(node)
    else byGroup.set(home, [node])
  }
  const parents = findParents(graph.groups)
  return [...byGroup].map(([group, nodes]) => ({
    labels: group ? labelsOf(group, parents) : [IN_NO_GROUP],
    nodes,
  }))
}

/** Returns the group with the fewest nodes for each node that is in a group. */
function findHomes(groups: readonly Group[]): Map<string, Group> {
  const homes = new Map<string, Group>()
  for (const group of [...groups].sort((a, b) => a.nodeInstanceIds.length - b.nodeInstanceIds.length))
    for (const id of group.nodeInstanceIds) if (!homes.has(id)) homes.set(id, group)
  return homes
}

/** Returns the group around each group that is inside another one. */
function findParents(groups: readonly Group[]): Map<string, Group> {
  return new Map(groups.flatMap((group) => group.groupIds.map((id) => [id, group] as const)))
}

/**
 * Returns the labels of a group and of the groups around it, outermost first. A file can contain groups in a circle.
 */
function labelsOf(group: Group, parents: ReadonlyMap<string, Group>): string[] {
  const around = new Set<Group>()
  for (let each: Group | undefined = group; each && !around.has(each); each = parents.get(each.id))
    around.add(each)
  const labels = [...around].map(({ label }) => oneLine(label)).filter(Boolean)
  return labels.length > 0 ? labels.reverse() : [NO_LABEL]
}

function outlineNode(node: Node, graph: Graph, ids: ShortIds, clusters: Record<string, object>): string {
  const parts = [
    titleOf(node, ids),
    stateOf(node),
    ...listInputs(node, graph, ids),
    listOutputFlags(node),
    Object.hasOwn(clusters, node.instanceId) && 'with contents',
    !node.status.isEnabled && 'off',
  ]
  return parts.filter((part) => part !== undefined && part !== false && part !== '').join(' ')
}

/** Describes the setting of a node, by its kind. */
function stateOf({ state, values, instanceId, sources, ports }: Node): string | undefined {
  const own = values[instanceId]
  const value = own && !sources[instanceId] ? summarizeTree(own, MAX_TEXT) : undefined
  switch (state?.kind) {
    case 'slider':
    case 'knob':
      return `=${value ?? '?'} (${showNumber(Number(state.minimum))}..${showNumber(Number(state.maximum))})`
    case 'panel':
      return sources[instanceId] ? undefined : quote(String(state.text ?? ''), MAX_TEXT)
    case 'scribble':
      return quote(String(state.text ?? ''), MAX_TEXT)
    case 'script':
      return `${state.language} ${countLines(state.source)} lines`
    case 'expression':
      return quote(String(state.expression ?? ''), MAX_TEXT)
    case 'valueList':
      return value === undefined ? undefined : `=${value}`
    default:
      return value === undefined || !Object.hasOwn(ports, instanceId) ? undefined : `=${value}`
  }
}

const countLines = (source: unknown): number => String(source ?? '').split('\n').length

/** Lists the inputs that have wires or typed-in values. The name of an only input is left out. */
function listInputs(node: Node, graph: Graph, ids: ShortIds): string[] {
  const inputs = listPorts(node.inputs)
  return inputs.flatMap((id) => {
    const label = inputs.length === 1 ? '' : portLabel(node, id)
    const flags = listFlags(node, id)
    const sources = node.sources[id]
    if (sources) return [`${label}${flags}<${sources.map((port) => showSource(port, graph, ids)).join(',')}`]
    const typed = id === node.instanceId ? undefined : node.values[id]
    return typed && typed.branches.length > 0
      ? [`${label}${flags}=${summarizeTree(typed, MAX_TEXT / 2)}`]
      : []
  })
}

const listFlags = (node: Node, port: string): string =>
  (node.ports[port]?.flags ?? []).map((flag) => `:${flag}`).join('')

/** Lists the outputs that change the structure of their trees. */
function listOutputFlags(node: Node): string | undefined {
  const flagged = listPorts(node.outputs).filter(
    (id) => id !== node.instanceId && (node.ports[id]?.flags.length ?? 0) > 0,
  )
  return flagged.map((id) => `${portLabel(node, id)}${listFlags(node, id)}`).join(' ')
}
