import type { GraphContent, Node } from '@meadow/contract'
import type { SolveError } from '@meadow/geometry/budget/solve-error'

/** The limits of a solve in words of its host: processor time, and memory of JavaScript values. */
export interface SolveLimits {
  timeMs: number
  memoryMb: number
}

/** No more nodes of a cycle are named: the first ones suffice to find it. */
const MAX_NAMED = 8
const MAX_NAME_LENGTH = 80

/** Why a solve failed, as a sentence or two for the document's author. */
export function describeFailure(
  error: SolveError,
  { nodes }: Pick<GraphContent, 'nodes'>,
  limits?: SolveLimits,
): string {
  const { code, nodeInstanceIds } = error
  const message = (limits && describeLimit(error, limits)) ?? error.message
  const names = nodeInstanceIds.slice(0, MAX_NAMED).map((id) => nameNode(id, nodes[id]))
  if (names.length === 0) return message
  if (code !== 'document_cyclic') return withLocation(message, `at ${names[0]}`)
  const rest = nodeInstanceIds.length - names.length
  const all = rest > 0 ? [...names, `${rest} more`] : names
  return `The wires of the document run in a circle, through ${all.join(', ')} and back to the first.`
}

/**
 * Describes a limit in the words of the parent process, which enforces it too: readers need not know which of the two
 * did.
 */
function describeLimit({ code }: SolveError, { timeMs, memoryMb }: SolveLimits): string | undefined {
  if (code === 'deadline_exceeded') return `The solve took longer than ${timeMs / 1000} s.`
  return code === 'too_much_memory' ? `The solve took more than ${memoryMb} MB of memory.` : undefined
}

/** `location` completes the sentence `It was …`; empty when unknown. */
export function withLocation(reason: string, location: string): string {
  return location === '' ? reason : `${reason} It was ${location}.`
}

/** The name on the canvas and the id. */
export function nameNode(id: string, node: Pick<Node, 'nickName' | 'name'> | undefined): string {
  const name = node && (node.nickName || node.name)
  if (!name) return id
  const short = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name
  return `"${short}" (${id})`
}
