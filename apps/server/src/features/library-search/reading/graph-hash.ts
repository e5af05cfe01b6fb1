import { createHash } from 'node:crypto'
import type { GraphContent, Node, PortReference } from '@meadow/contract'
import { APPEARANCE, type ClusterContents } from '@meadow/document'
import { CLUSTER } from '@meadow/solver'

/**
 * A hash that two graphs share exactly when they have the same nodes with the same settings, literal values and scripts,
 * wired in the same way. Ids, positions, names, groups, previews and the order of nodes do not count. Null for a graph
 * without nodes, and for one with a cluster whose content is not known.
 * A node's hash includes those of all nodes before it, so two graphs with the same hash compute the same; that one of them
 * computes something once which the other computes twice shows in the number of nodes.
 */
export function hashGraph({ nodes }: GraphContent, clusters: ClusterContents): string | null {
  const hashes = new Map<string, string>()
  const all = Object.values(nodes)
  if (all.length === 0) return null
  for (const node of inOrder(nodes)) {
    const own = describe(node, clusters)
    if (own === null) return null
    const inputs = orderedPorts(node.inputs).map((id) =>
      (node.sources[id] ?? []).map((source) => nameSource(source, nodes, hashes)),
    )
    hashes.set(node.instanceId, sha256(stringify([own, inputs])))
  }
  return sha256([...hashes.values()].sort().join('\n'))
}

/** What feeds an input: the hash of the node, and which of its outputs. */
function nameSource(
  { nodeInstanceId, portInstanceId }: PortReference,
  nodes: GraphContent['nodes'],
  hashes: ReadonlyMap<string, string>,
): string {
  const order = nodes[nodeInstanceId]?.outputs[portInstanceId] ?? -1
  return `${hashes.get(nodeInstanceId) ?? ''}/${order}`
}

/** Sorts each node after those that feed it. Nodes of a cycle, which no valid document has, come in any order. */
function inOrder(nodes: GraphContent['nodes']): Node[] {
  const ordered: Node[] = []
  const seen = new Set<string>()
  for (const first of Object.keys(nodes)) {
    // This is not recursive, because graphs have thousands of nodes in a row.
    const stack = [{ id: first, isDone: false }]
    while (stack.length > 0) {
      const { id, isDone } = stack.pop()!
      const node = nodes[id]
      if (!node) continue
      if (isDone) {
        ordered.push(node)
        continue
      }
      if (seen.has(id)) continue
      seen.add(id)
      stack.push({ id, isDone: true })
      for (const sources of Object.values(node.sources)) {
        for (const { nodeInstanceId } of sources) {
          if (!seen.has(nodeInstanceId)) stack.push({ id: nodeInstanceId, isDone: false })
        }
      }
    }
  }
  return ordered
}

/** What a node is by itself, without its place in the graph. Null for a cluster whose content is not known. */
function describe(node: Node, clusters: ClusterContents): unknown {
  const { templateId, status, inputs, outputs, values, ports, state = {} } = node
  const settings = Object.entries(state).filter(([name]) => !APPEARANCE.has(name) && name !== 'targetIds')
  const { kind } = state
  // Scripts and expressions call their ports by name.
  const isNamed = kind === 'script' || kind === 'expression'
  const sides = [inputs, outputs].map((side) =>
    orderedPorts(side).map((id) => {
      const { access, flags = [], expression, options = [], nickName } = ports[id] ?? {}
      return [values[id], access, flags.toSorted(), expression, options.toSorted(), isNamed && nickName]
    }),
  )
  const own = [templateId.toLowerCase(), status.isEnabled, Object.fromEntries(settings), sides]
  if (templateId !== CLUSTER) return own
  const inside = clusters.get(node.instanceId)
  const content = inside && !('unknown' in inside) ? hashGraph(inside.content, inside.clusters) : null
  return content === null ? null : [...own, content]
}

const orderedPorts = (ports: Record<string, number>): string[] =>
  Object.entries(ports)
    .sort(([, a], [, b]) => a - b)
    .map(([id]) => id)

/** JSON with the members of each object in the order of their names. */
const stringify = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))
      : member,
  )

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
