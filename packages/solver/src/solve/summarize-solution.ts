import type { NodeSummary, PortSummary } from '@meadow/contract/web'
import type { SolutionMessage } from './messages.ts'
import type { Data, GraphSolution } from './solve-context.ts'

/** Counts and durations of a solution for the editor, and the messages of its nodes. */
export interface SolutionSummary {
  messages: SolutionMessage[]
  /** The summary of each node, by node id. */
  nodes: Record<string, NodeSummary>
}

export function summarizeSolution({ ports, states, messages, durationsMs }: GraphSolution): SolutionSummary {
  const nodes: [string, NodeSummary][] = []
  for (const [nodeId, trees] of ports) {
    const durationMs = durationsMs.get(nodeId)
    const state = states.get(nodeId)
    nodes.push([
      nodeId,
      {
        ...(durationMs !== undefined && { durationMs: Math.round(durationMs * 100) / 100 }),
        ...(state && { state }),
        ports: Object.fromEntries([...trees].map(([portId, data]) => [portId, countData(data)])),
      },
    ])
  }
  // `fromEntries`, because ids come from files and may be `__proto__`.
  return { messages, nodes: Object.fromEntries(nodes) }
}

/** The counts of the data of a port. */
export function countData({ branches }: Data): PortSummary {
  let values = 0
  let nulls = 0
  for (const branch of branches) {
    values += branch.values.length
    for (const value of branch.values) if (value === null) nulls++
  }
  return { branches: branches.length, values, nulls }
}
