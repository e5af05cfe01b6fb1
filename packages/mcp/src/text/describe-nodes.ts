import type { DataTree, Node } from '@meadow/client'
import { type Graph, listPorts, portLabel, titleOf } from './node-text.ts'
import { splitLines } from './page.ts'
import type { ShortIds } from './short-ids.ts'
import { listBranches } from './show-tree.ts'
import { clip } from './show-value.ts'

/** The number of values that are shown for each port of several nodes. For a single node, all are shown. */
const MAX_VALUES_OF_MANY = 10
/** The maximum number of characters of a text in the state of a node, when several nodes are shown. */
const MAX_STATE_OF_MANY = 2_000

/**
 * Describes everything that a document contains about some of its nodes: ids, ports with their types, the wires at both
 * sides, values that were typed in, scripts and other state.
 */
export function* describeNodes(nodes: readonly Node[], graph: Graph, ids: ShortIds): Generator<string> {
  const isSingle = nodes.length === 1
  const targets = findTargets(graph, ids)
  for (const node of nodes) {
    yield titleOf(node, ids)
    yield `  ${listFacts(node, graph).join('; ')}`
    for (const port of listPorts(node.inputs)) yield* describeInput(node, port, graph, ids)
    for (const port of listPorts(node.outputs)) {
      const fed = targets.get(`${node.instanceId}/${port}`)
      yield `  out ${describePort(node, port)}${fed ? ` > ${fed.join(' ')}` : ''}`
    }
    for (const [port, tree] of Object.entries(node.values))
      yield* describeTyped(
        portLabel(node, port),
        tree,
        isSingle ? Number.POSITIVE_INFINITY : MAX_VALUES_OF_MANY,
      )
    yield* describeState(node, isSingle ? Number.POSITIVE_INFINITY : MAX_STATE_OF_MANY)
  }
}

function listFacts({ instanceId, templateId, position, status, state }: Node, graph: Graph): string[] {
  const groups = graph.groups.filter(({ nodeInstanceIds }) => nodeInstanceIds.includes(instanceId))
  return [
    `id ${instanceId}`,
    `component ${templateId}`,
    ...(typeof state?.library === 'string' ? [`plug-in ${state.library}`] : []),
    `at ${Math.round(position.x)},${Math.round(position.y)}`,
    ...(status.isEnabled ? [] : ['disabled']),
    ...(status.isPreviewed ? [] : ['preview off']),
    ...groups.map(({ label }) => `in group ${JSON.stringify(label)}`),
  ]
}

function* describeInput(node: Node, port: string, graph: Graph, ids: ShortIds): Generator<string> {
  const sources = (node.sources[port] ?? []).map(({ nodeInstanceId, portInstanceId }) => {
    const source = graph.nodes[nodeInstanceId]
    if (!source) return ids.shorten(nodeInstanceId)
    return Object.keys(source.outputs).length > 1
      ? `${titleOf(source, ids)} .${portLabel(source, portInstanceId)}`
      : titleOf(source, ids)
  })
  yield `  in ${describePort(node, port)}${sources.length > 0 ? ` < ${sources.join(', ')}` : ''}`
}

/** Describes a port, such as `R Radius (Number item graft)`. */
function describePort(node: Node, id: string): string {
  const port = node.ports[id]
  if (!port) return id
  const { name, typeName, access, flags, options = [], expression } = port
  const label = portLabel(node, id)
  const facts = [
    typeName,
    access,
    ...flags,
    ...options,
    expression && `expression ${JSON.stringify(expression)}`,
  ]
  return `${label === name ? name : `${label} ${name}`} (${facts.filter((fact) => fact).join(' ')})`
}

/** Returns the inputs that each output feeds, as `id.input`, by `node/port`. */
function findTargets(graph: Graph, ids: ShortIds): Map<string, string[]> {
  const targets = new Map<string, string[]>()
  for (const node of Object.values(graph.nodes))
    for (const [port, sources] of Object.entries(node.sources))
      for (const { nodeInstanceId, portInstanceId } of sources) {
        const key = `${nodeInstanceId}/${portInstanceId}`
        const label = Object.keys(node.inputs).length > 1 ? `.${portLabel(node, port)}` : ''
        const target = `${ids.shorten(node.instanceId)}${label}`
        const known = targets.get(key)
        if (known) known.push(target)
        else targets.set(key, [target])
      }
  return targets
}

function* describeTyped(label: string, tree: DataTree, maxValues: number): Generator<string> {
  yield `  typed in at ${label}`
  for (const line of listBranches(tree, maxValues)) yield `    ${line}`
}

/** The members of a state that only determine how a node looks, or that are shown elsewhere. */
const NOT_SHOWN = new Set([
  'kind',
  'size',
  'colour',
  'alignment',
  'wraps',
  'drawsIndices',
  'drawsPaths',
  'library',
])

function* describeState({ state = {}, values }: Node, maxText: number): Generator<string> {
  const members = Object.entries(state).filter(
    // The text of a panel is shown as its value.
    ([name]) => !NOT_SHOWN.has(name) && !(name === 'text' && Object.keys(values).length > 0),
  )
  if (members.length === 0) return
  yield `  state of a ${state.kind}`
  for (const [name, value] of members) {
    const lines = splitLines(clip(typeof value === 'string' ? value : JSON.stringify(value), maxText))
    if (lines.length === 1) yield `    ${name}: ${lines[0]}`
    else {
      yield `    ${name}:`
      for (const line of lines) yield `      ${line}`
    }
  }
}
