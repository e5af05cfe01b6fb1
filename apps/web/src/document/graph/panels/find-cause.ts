import type { GraphContent } from '@meadow/contract'
import type { NodeMessage } from '../nodes/graph-context.ts'

/**
 * Returns the node that causes the messages of another one: the one that a message names, else the nearest one upstream
 * with an error or a warning that follows from no other. Returns undefined if a node's messages are its own.
 */
export function findCause(
  nodes: GraphContent['nodes'],
  messages: ReadonlyMap<string, readonly NodeMessage[]>,
  nodeId: string,
): string | undefined {
  const own = messages.get(nodeId) ?? []
  const named = own.find(({ causeNodeInstanceId: id }) => id !== undefined && id !== nodeId && nodes[id])
  if (named) return named.causeNodeInstanceId
  if (!own.some(isTrouble)) return undefined
  const seen = new Set([nodeId])
  let found: string | undefined
  let level = [nodeId]
  // The search goes upstream by distance. It goes on from a troubled node, whose trouble may follow from its sources.
  while (level.length > 0) {
    const before = [...new Set(level.flatMap((id) => listSources(nodes, id)))].filter((id) => !seen.has(id))
    for (const id of before) seen.add(id)
    const troubled = before.filter((id) => messages.get(id)?.some(isTrouble))
    found = troubled[0] ?? found
    level = troubled.length > 0 ? troubled.slice(0, 1) : before
  }
  return found
}

const isTrouble = ({ level }: NodeMessage): boolean => level === 'error' || level === 'warning'

const listSources = (nodes: GraphContent['nodes'], id: string): string[] =>
  Object.values(nodes[id]?.sources ?? {}).flatMap((wires) =>
    wires.flatMap(({ nodeInstanceId }) => (nodes[nodeInstanceId] ? [nodeInstanceId] : [])),
  )
