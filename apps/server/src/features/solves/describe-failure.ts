import type { GraphContent } from '@meadow/contract'
import type { SolveError } from '@meadow/solver'

/** A circle of hundreds of nodes is found as well when its first ones are known. */
const MAX_NAMED = 8

/** Why a solve failed, as a sentence for whoever drew the document. */
export function describeFailure(
  { code, message, nodeInstanceIds }: SolveError,
  content: GraphContent,
): string {
  if (code !== 'document_cyclic' || nodeInstanceIds.length === 0) return message
  const names = nodeInstanceIds.slice(0, MAX_NAMED).map((id) => describeNode(id, content))
  const rest = nodeInstanceIds.length - names.length
  const all = rest > 0 ? [...names, `${rest} more`] : names
  return `The wires of the document run in a circle, through ${all.join(', ')} and back to the first.`
}

function describeNode(id: string, { nodes }: GraphContent): string {
  const node = nodes[id]
  const name = node && (node.nickName || node.name)
  return name ? `"${name}" (${id})` : id
}
