import type { GraphContent } from '@meadow/contract'

/**
 * The edges of a directed graph that close a cycle, found depth first from each vertex in turn.
 * Without them the graph has no cycle. Targets that are not vertices are ignored.
 * `listTrail` returns the current path from a start to `from`, which contains `to`; call it before the next edge.
 * Time grows with vertices and edges; no recursion.
 */
export function* listClosingEdges(
  targets: ReadonlyMap<string, readonly string[]>,
): Generator<{ from: string; to: string; listTrail: () => string[] }> {
  const done = new Set<string>()
  for (const start of targets.keys()) {
    if (done.has(start)) continue
    const trail = [{ id: start, next: 0 }]
    const onTrail = new Set([start])
    for (let step = trail.at(-1); step; step = trail.at(-1)) {
      const to = targets.get(step.id)?.[step.next++]
      if (to === undefined) {
        done.add(step.id)
        onTrail.delete(step.id)
        trail.pop()
      } else if (onTrail.has(to)) {
        yield { from: step.id, to, listTrail: () => trail.map(({ id }) => id) }
      } else if (!done.has(to) && targets.has(to)) {
        onTrail.add(to)
        trail.push({ id: to, next: 0 })
      }
    }
  }
}

/**
 * The ids of the nodes of one cycle in the direction of data flow, or undefined without a cycle.
 * Wires from nodes that do not exist are ignored. Time grows with nodes and wires; no recursion.
 */
export function findCycle(content: GraphContent): string[] | undefined {
  const senders = new Map(
    Object.entries(content.nodes).map(([id, { sources }]) => [
      id,
      Object.values(sources).flatMap((wires) => wires.map((wire) => wire.nodeInstanceId)),
    ]),
  )
  for (const { to, listTrail } of listClosingEdges(senders)) {
    const trail = listTrail() // against the direction of the wires
    return trail.slice(trail.indexOf(to)).reverse()
  }
  return undefined
}
