import type { DataTree, Node, Solution } from '@meadow/client'
import { compareNodes, type Graph, listPorts, portLabel, titleOf } from './node-text.ts'
import { createShortIds, type ShortIds } from './short-ids.ts'
import { describeTree, listBranches } from './show-tree.ts'
import { oneLine } from './show-value.ts'

/** The number of values that are shown for each port of several nodes. For a single node, all are shown. */
const MAX_VALUES_OF_MANY = 20
/** The maximum number of nodes that are named for a message which many have. */
const MAX_NODES_OF_MESSAGE = 8

/** A solution with the document that it was computed from. */
export interface SolvedGraph {
  solution: Solution
  /** Undefined where the token may not read documents: nodes then have ids and no names. */
  graph: Graph | undefined
  ids: ShortIds
}

export const createSolvedGraph = (solution: Solution, graph?: Graph): SolvedGraph => ({
  solution,
  graph,
  ids: createShortIds(new Set([...Object.keys(graph?.nodes ?? {}), ...listSolved(solution)])),
})

/** Returns the ids of the nodes that a solution has values of. */
const listSolved = ({ data }: Solution): string[] => Object.keys(data).filter((key) => key !== 'solutionId')

/** Describes the result of a solve, its messages, and each output in a line with the number and types of its values. */
export function* summarizeSolution(solved: SolvedGraph): Generator<string> {
  yield* describeSolve(solved.solution)
  yield* listMessages(solved)
  yield 'Outputs: id.output of Node: values'
  for (const id of sortNodes(solved)) yield* summarizeNode(id, solved)
}

/** Describes the values of some nodes, in full if it is a single one. */
export function* describeValues(nodeIds: readonly string[], solved: SolvedGraph): Generator<string> {
  const { solution } = solved
  const isSingle = nodeIds.length === 1
  yield* describeSolve(solution)
  for (const id of nodeIds) {
    yield nodeTitle(id, solved)
    for (const { level, code, message } of solution.messages.filter(
      ({ nodeInstanceId }) => nodeInstanceId === id,
    ))
      yield `  ${level}${code ? ` (${code})` : ''}: ${oneLine(message)}`
    for (const [port, tree] of listTrees(id, solved, isSingle)) {
      yield `  ${labelOf(id, port, solved)}: ${describeTree(tree)}`
      for (const line of listBranches(tree, isSingle ? Number.POSITIVE_INFINITY : MAX_VALUES_OF_MANY))
        yield `    ${line}`
    }
  }
}

function* describeSolve({ data, solvedAt, durationMs, completeness, solver }: Solution): Generator<string> {
  const by = solver ? ` by ${solver.name} ${solver.version}` : ''
  yield `Solution ${data.solutionId}, solved ${solvedAt}${by} in ${durationMs} ms.`
  if (!completeness) return
  const { isComplete, valuesComplete, nodes, solved, failed, unsupported, unknown } = completeness
  const complete = isComplete
    ? 'Complete'
    : valuesComplete
      ? 'Complete but for nodes without outputs'
      : 'Not complete'
  yield isComplete && failed === 0
    ? `Complete: ${nodes} nodes.`
    : `${complete}: of ${nodes} nodes ${solved} solved, ${failed} failed, ${unsupported} unsupported, ${unknown} unknown.`
}

const LEVELS = ['error', 'warning', 'remark'] as const

/** Lists the messages of nodes, errors first. A message that several nodes have is listed once. */
function* listMessages(solved: SolvedGraph): Generator<string> {
  const nodes = new Map<string, string[]>()
  for (const wanted of LEVELS)
    for (const { nodeInstanceId, level, code, message } of solved.solution.messages) {
      if (level !== wanted) continue
      const text = `${level}${code ? ` (${code})` : ''}: ${oneLine(message)}`
      const known = nodes.get(text)
      if (known) known.push(nodeInstanceId)
      else nodes.set(text, [nodeInstanceId])
    }
  for (const [text, ids] of nodes) {
    const shown = ids.slice(0, MAX_NODES_OF_MESSAGE).map((id) => nodeTitle(id, solved))
    const more = ids.length > shown.length ? ` and ${ids.length - shown.length} more` : ''
    yield `${text} At ${shown.join(', ')}${more}`
  }
}

function nodeTitle(id: string, { graph, ids }: SolvedGraph): string {
  const node = graph?.nodes[id]
  return node ? titleOf(node, ids) : ids.shorten(id)
}

/**
 * Returns the nodes with values, from left to right as on the canvas; those that the document no longer has come last.
 */
function sortNodes({ solution, graph }: SolvedGraph): string[] {
  const solved = listSolved(solution)
  if (!graph) return solved
  const present = solved.flatMap((id) => graph.nodes[id] ?? []).sort(compareNodes)
  return [...present.map(({ instanceId }) => instanceId), ...solved.filter((id) => !graph.nodes[id])]
}

function* summarizeNode(id: string, solved: SolvedGraph): Generator<string> {
  const node = solved.graph?.nodes[id]
  for (const [port, tree] of listTrees(id, solved, false)) {
    const title = node ? nodeTitle(id, solved).slice(solved.ids.shorten(id).length) : ''
    const output = isOnlyOutput(node, port) ? '' : `.${labelOf(id, port, solved)}`
    yield `${solved.ids.shorten(id)}${output}${title}: ${describeTree(tree)}`
  }
}

const isOnlyOutput = (node: Node | undefined, port: string): boolean =>
  node !== undefined && Object.keys(node.outputs).length === 1 && port in node.outputs

/** Lists the trees of a node by port: its outputs, and also its inputs if `withInputs` is true. */
function listTrees(id: string, { solution, graph }: SolvedGraph, withInputs: boolean): [string, DataTree][] {
  const trees: Record<string, DataTree> = solution.data[id] ?? {}
  const node = graph?.nodes[id]
  if (!node) return Object.entries(trees)
  const ports = new Set([...(withInputs ? listPorts(node.inputs) : []), ...listPorts(node.outputs)])
  return [...ports].flatMap((port) => (trees[port] ? [[port, trees[port]] as [string, DataTree]] : []))
}

function labelOf(id: string, port: string, { graph }: SolvedGraph): string {
  const node = graph?.nodes[id]
  return node ? portLabel(node, port) : port
}
