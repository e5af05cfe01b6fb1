import type { GraphContent } from '@meadow/contract'

/** The ids of nodes, and of all nodes that depend on them. */
export function listDependents({ nodes }: Pick<GraphContent, 'nodes'>, ids: Iterable<string>): Set<string> {
  const receivers = new Map<string, string[]>()
  for (const [id, { sources }] of Object.entries(nodes)) {
    for (const wires of Object.values(sources)) {
      for (const { nodeInstanceId } of wires) {
        const known = receivers.get(nodeInstanceId)
        if (known) known.push(id)
        else receivers.set(nodeInstanceId, [id])
      }
    }
  }
  const found = new Set<string>()
  const waiting = [...ids]
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue
    found.add(id)
    for (const receiver of receivers.get(id) ?? []) waiting.push(receiver)
  }
  return found
}
