import type { GraphContent, Node } from '@meadow/contract'
import type { SolveError } from '@meadow/solver'
import type { SolveLimits } from './solver.ts'

/** A circle of hundreds of nodes is found as well when its first ones are known. */
const MAX_NAMED = 8
/** As much of a name as a reader needs to find the node. */
const MAX_NAME_LENGTH = 80

/** Why a solve failed, as a sentence or two for whoever drew the document. */
export function describeFailure(
  error: SolveError,
  { nodes }: Pick<GraphContent, 'nodes'>,
  limits?: SolveLimits,
): string {
  const { code, nodeInstanceIds } = error
  const message = (limits && describeLimit(error, limits)) ?? error.message
  const names = nodeInstanceIds.slice(0, MAX_NAMED).map((id) => nameNode(id, nodes[id]))
  if (names.length === 0) return message
  if (code !== 'document_cyclic') return sayWhere(message, `at ${names[0]}`)
  const rest = nodeInstanceIds.length - names.length
  const all = rest > 0 ? [...names, `${rest} more`] : names
  return `The wires of the document run in a circle, through ${all.join(', ')} and back to the first.`
}

/** In the words that the host of a solver has for it: who reads it need not know which of the two ended the solve. */
function describeLimit({ code }: SolveError, { timeMs, memoryMb }: SolveLimits): string | undefined {
  if (code === 'deadline_exceeded') return `The solve took longer than ${timeMs / 1000} s.`
  return code === 'too_much_memory' ? `The solve took more than ${memoryMb} MB of memory.` : undefined
}

/** `place` completes the sentence `It was …`; empty where nobody knows. */
export function sayWhere(reason: string, place: string): string {
  return place === '' ? reason : `${reason} It was ${place}.`
}

/** What it is called on the canvas, and its id, by which it is found for sure. */
export function nameNode(id: string, node: Pick<Node, 'nickName' | 'name'> | undefined): string {
  const name = node && (node.nickName || node.name)
  if (!name) return id
  const short = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name
  return `"${short}" (${id})`
}
