import type { Node, PortReference } from '@meadow/document'
import { type Graph, GraphIndex } from '../matching/graph-index.ts'
import { type Matching, matchNodes } from '../matching/match-nodes.ts'
import { matchPorts, type PortMatching } from '../matching/match-ports.ts'
import type { NodeName, PortAt, PortName } from './change.ts'

/** Two graphs with what is the same in them. */
export interface Comparison extends Matching {
  readonly before: GraphIndex
  readonly after: GraphIndex
  /** The ports of a matched node, by its id in the newer graph; undefined: they have the same ids. */
  findPorts(afterNodeId: string): PortMatching | undefined
}

export function compareGraphs(older: Graph, newer: Graph): Comparison {
  const [before, after] = [new GraphIndex(older), new GraphIndex(newer)]
  const matching = matchNodes(before, after)
  const known = new Map<string, PortMatching | undefined>()
  const findPorts = (afterId: string): PortMatching | undefined => {
    if (known.has(afterId)) return known.get(afterId)
    const beforeId = matching.beforeIds.get(afterId)
    const found =
      beforeId === undefined ? undefined : matchPorts(before.nodes.get(beforeId)!, after.nodes.get(afterId)!)
    known.set(afterId, found)
    return found
  }
  return { before, after, ...matching, findPorts }
}

/** Whether the nodes are of two classes. The ids are those of a matched node. */
function isReplaced({ before, after }: Comparison, beforeId: string, afterId: string): boolean {
  return before.nodes.get(beforeId)!.node.templateId !== after.nodes.get(afterId)!.node.templateId
}

/** The id of a port in the newer graph, if it is there. */
export function findPortAfter(
  { findPorts }: Comparison,
  afterNodeId: string,
  portId: string,
): string | undefined {
  const matching = findPorts(afterNodeId)
  return matching ? matching.afterIds.get(portId) : portId
}

export function findPortBefore(
  { findPorts }: Comparison,
  afterNodeId: string,
  portId: string,
): string | undefined {
  const matching = findPorts(afterNodeId)
  return matching ? matching.beforeIds.get(portId) : portId
}

/**
 * A key for a port at the other end of something, which is equal in both graphs exactly if the port is the same.
 * Undefined: the node or port was added or removed, which is a change of its own.
 */
export function keyOfPort(
  comparison: Comparison,
  version: 'before' | 'after',
  port: PortReference,
): string | undefined {
  const { nodeInstanceId, portInstanceId } = port
  const { afterIds, beforeIds } = comparison
  if (!comparison[version].nodes.has(nodeInstanceId)) return `? ${nodeInstanceId} ${portInstanceId}`
  const afterId = version === 'after' ? nodeInstanceId : afterIds.get(nodeInstanceId)
  const beforeId = version === 'before' ? nodeInstanceId : beforeIds.get(nodeInstanceId)
  if (afterId === undefined || beforeId === undefined) return undefined
  const find = version === 'before' ? findPortAfter : findPortBefore
  const found = find(comparison, afterId, portInstanceId)
  // If a component took the place of another one and lacks the port, each of its wires is a change.
  if (found === undefined)
    return isReplaced(comparison, beforeId, afterId) ? `${version} ${portInstanceId}` : undefined
  return `${afterId} ${version === 'after' ? portInstanceId : found}`
}

/** The name of a node of one of the graphs. */
export function nameNode(comparison: Comparison, version: 'before' | 'after', id: string): NodeName {
  const { before, after, afterIds, beforeIds } = comparison
  const afterId = version === 'after' ? id : afterIds.get(id)
  const beforeId = version === 'before' ? id : beforeIds.get(id)
  const node =
    (afterId === undefined ? undefined : after.nodes.get(afterId)) ?? before.nodes.get(beforeId ?? '')
  const { templateId = '', name = '', nickName = '' }: Partial<Node> = node?.node ?? {}
  const instanceId = afterId ?? id
  const isOther = beforeId !== undefined && beforeId !== instanceId
  return { instanceId, ...(isOther ? { previousId: beforeId } : {}), templateId, name, nickName }
}

/** The name of a port of one of the graphs, in the words of the newer one where it is in both. */
export function namePort(
  comparison: Comparison,
  version: 'before' | 'after',
  { nodeInstanceId, portInstanceId }: PortReference,
): PortName {
  const { before, after, afterIds, beforeIds } = comparison
  const afterNode = version === 'after' ? nodeInstanceId : afterIds.get(nodeInstanceId)
  const isMatched = afterNode !== undefined && (version === 'before' || beforeIds.has(nodeInstanceId))
  const other = isMatched
    ? (version === 'before' ? findPortAfter : findPortBefore)(comparison, afterNode, portInstanceId)
    : undefined
  const afterId = version === 'after' ? portInstanceId : other
  const beforeId = version === 'before' ? portInstanceId : other
  const owner = afterId === undefined ? before.nodes.get(nodeInstanceId) : after.nodes.get(afterNode ?? '')
  const instanceId = afterId ?? portInstanceId
  const { name = '', nickName = '' } = owner?.node.ports[instanceId] ?? {}
  const side = owner && !Object.hasOwn(owner.node.outputs, instanceId) ? 'input' : 'output'
  const isOther = beforeId !== undefined && beforeId !== instanceId
  return { instanceId, ...(isOther ? { previousId: beforeId } : {}), side, name, nickName }
}

export function nameEnd(comparison: Comparison, version: 'before' | 'after', end: PortReference): PortAt {
  return { node: nameNode(comparison, version, end.nodeInstanceId), port: namePort(comparison, version, end) }
}
