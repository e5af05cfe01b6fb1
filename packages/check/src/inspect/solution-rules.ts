import type { GraphContent } from '@meadow/document'
import type { Solution, SolutionMessage } from '@meadow/solver'
import type { FoundFault } from '../config/rules.ts'
import type { AssertResult } from './inspection.ts'
import { placeOf } from './walk-nodes.ts'

/** The codes of nodes that Meadow cannot solve, so that it is not known whether Grasshopper would report an error. */
const UNSOLVED: readonly SolutionMessage['code'][] = ['unsupported', 'limit']

/**
 * Finds errors that Grasshopper reports too, and warnings. `flagged` has the nodes whose lack of data another rule has
 * reported.
 */
export function* findReported(
  { nodes }: GraphContent,
  { messages }: Solution,
  flagged: ReadonlySet<string>,
): Generator<FoundFault> {
  for (const { nodeInstanceId, level, code, message } of messages) {
    const node = placeOf(nodes[nodeInstanceId]!)
    if (level === 'error' && code === 'failed') yield { rule: 'component-error', message, node }
    const isKnown = code === 'empty' && flagged.has(nodeInstanceId)
    if (level === 'warning' && !UNSOLVED.includes(code) && code !== 'unknown' && !isKnown)
      yield { rule: 'component-warning', message, node }
  }
}

/**
 * Finds what could not be solved, once for each reason, with the first node that has it, the number of such nodes, and
 * the number of nodes that depend on them.
 */
export function* findUnsolved(
  { nodes }: GraphContent,
  { messages }: Solution,
): Generator<Pick<FoundFault, 'message' | 'node'>> {
  const reasons = new Map<string, Set<string>>()
  const dependents = new Map<string, string[]>()
  for (const { nodeInstanceId, code, message, causeNodeInstanceId } of messages) {
    if (UNSOLVED.includes(code)) reasons.set(message, (reasons.get(message) ?? new Set()).add(nodeInstanceId))
    if (code !== 'unknown' || causeNodeInstanceId === undefined) continue
    const known = dependents.get(causeNodeInstanceId)
    if (known) known.push(nodeInstanceId)
    else dependents.set(causeNodeInstanceId, [nodeInstanceId])
  }
  for (const [message, ids] of reasons) {
    const [first] = ids
    const dependent = new Set([...ids].flatMap((id) => dependents.get(id) ?? [])).size
    const counts = [
      ...(ids.size > 1 ? [`${ids.size} components`] : []),
      ...(dependent > 0
        ? [dependent === 1 ? 'one node depends on it' : `${dependent} nodes depend on it`]
        : []),
    ]
    const more = counts.length === 0 ? '' : ` (${counts.join(', ')})`
    yield { message: `${message}${more}`, node: placeOf(nodes[first!]!) }
  }
}

/**
 * Finds the reasons why a test fails, or why it is not known whether it passes, by Rhino's convention. An unknown
 * result never lets it pass.
 */
export function* judgeTest(
  content: GraphContent,
  solution: Solution,
  asserts: readonly AssertResult[],
): Generator<FoundFault> {
  for (const { nodeInstanceId, level, code, message } of solution.messages) {
    if (level === 'error' && code === 'failed')
      yield { rule: 'test-failed', message, node: placeOf(content.nodes[nodeInstanceId]!) }
  }
  for (const { status, message, node } of asserts) {
    if (status === 'failed') yield { rule: 'test-failed', message: message!, node }
    // A node that is unknown because of another one is reported there.
    if (status === 'unknown' && solution.states.get(node.id) !== 'unknown')
      yield { rule: 'test-unknown', message: message!, node }
  }
  for (const { message, node } of findUnsolved(content, solution))
    if (!asserts.some((assert) => assert.node.id === node?.id))
      yield { rule: 'test-unknown', message, ...(node && { node }) }
}
