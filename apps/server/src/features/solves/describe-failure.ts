import type { GraphContent, Node } from '@meadow/contract'
import type { SolveError } from '@meadow/solver'

/** A circle of hundreds of nodes is found as well when its first ones are known. */
const MAX_NAMED = 8
/** As much of a name as a reader needs to find the node. */
const MAX_NAME_LENGTH = 80

/** Why a solve failed, as a sentence or two for whoever drew the document. */
export function describeFailure(
  { code, message, nodeInstanceIds }: SolveError,
  { nodes }: Pick<GraphContent, 'nodes'>,
): string {
  const names = nodeInstanceIds.slice(0, MAX_NAMED).map((id) => nameNode(id, nodes[id]))
  if (names.length === 0) return message
  if (code !== 'document_cyclic') return sayWhere(message, `at ${names[0]}`)
  const rest = nodeInstanceIds.length - names.length
  const all = rest > 0 ? [...names, `${rest} more`] : names
  return `The wires of the document run in a circle, through ${all.join(', ')} and back to the first.`
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
