import { type GraphContent, type Node, repairGraph } from '@meadow/document'
import type { WriteContext } from '../write-context.ts'
import { leaveOutCycles, leaveOutUnknown } from './leave-out.ts'
import { replaceIds } from './replace-ids.ts'
import { settleNames } from './settle-names.ts'

/** What of a document can stand in a file: valid, under GUIDs, of known kinds and without cycles. */
export function prepareContent(
  content: GraphContent,
  original: GraphContent | undefined,
  isKnown: (node: Node) => boolean,
  context: WriteContext,
): GraphContent {
  const { content: repaired, repairs } = repairGraph(content)
  for (const { kind, droppedId, ...where } of repairs) {
    const what = kind.replaceAll('_', ' ')
    context.warn({ kind: 'repaired', ...where, message: `The document was not valid: ${what}.` })
  }
  const named = replaceIds(repaired, context)
  const known = leaveOutUnknown(named, isKnown, context)
  return settleNames(leaveOutCycles(known, context), original)
}
