import type { SolutionMessage } from '@meadow/contract'
import type { NodeSummary, PortSummary } from '@meadow/contract/web'
import type { Branch, Solution, Value } from '@meadow/solver'

/** What the editor is told of a solution in numbers, and what its nodes had to say. */
export interface SolutionSummary {
  messages: SolutionMessage[]
  /** By node id. */
  nodes: Record<string, NodeSummary>
}

export function summarise({ ports, messages, durationsMs }: Solution): SolutionSummary {
  const nodes: [string, NodeSummary][] = []
  for (const [nodeId, trees] of ports) {
    const durationMs = durationsMs.get(nodeId)
    nodes.push([
      nodeId,
      {
        ...(durationMs !== undefined && { durationMs: Math.round(durationMs * 100) / 100 }),
        ports: Object.fromEntries([...trees].map(([portId, { branches }]) => [portId, count(branches)])),
      },
    ])
  }
  // Ids come from files: none may stand for something that every object has.
  return { messages, nodes: Object.fromEntries(nodes) }
}

function count(branches: readonly Branch<Value | null>[]): PortSummary {
  let values = 0
  let nulls = 0
  for (const branch of branches) {
    values += branch.values.length
    for (const value of branch.values) if (value === null) nulls++
  }
  return { branches: branches.length, values, nulls }
}
