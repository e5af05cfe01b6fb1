import type { DataTree, Document, DocumentId, GraphContent, Solution, SolutionId } from '@meadow/contract'
import type { Value } from '@meadow/geometry/values/value'
import { decodeGeometry, encodeGeometry } from '@meadow/model'
import { solve, toWireData, toWireTree } from '@meadow/solver'

const AT = '2026-01-01T00:00:00.000Z'

/** The document and its solution with geometry as the API gives them, without a server. */
export function solveGraph(content: GraphContent): { document: Document; solution: Solution } {
  const solved = solve(content, { decodeGeometry })
  const facts = {
    id: 'doc_1' as DocumentId,
    name: 'Model',
    version: 1,
    createdAt: AT,
    updatedAt: AT,
  } as const
  const solution = toSolution(toWireData(solved, encodeGeometry))
  return { document: { ...facts, ...content }, solution: { ...solution, messages: solved.messages } }
}

/** A solution of nodes with one port each, which have these values in one branch. */
export function solutionOf(nodes: Readonly<Record<string, readonly Value[]>>): Solution {
  const trees = Object.entries(nodes).map(([id, values]) => {
    return [id, { [id]: toWireTree({ branches: [{ path: [0], values }] }, encodeGeometry) }] as const
  })
  return toSolution(Object.fromEntries(trees))
}

function toSolution(data: Record<string, Record<string, DataTree>>): Solution {
  return {
    data: Object.assign({ solutionId: 'sol_1' as SolutionId }, data) as Solution['data'],
    includesGeometry: true,
    solvedAt: AT,
    durationMs: 1,
    messages: [],
  }
}
