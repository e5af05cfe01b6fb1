import type { GraphContent } from '@meadow/document'
import type { Difference } from '../compare/differences.ts'
import type { WriteWarning } from '../written-definition.ts'
import { describeNode } from './write-context.ts'

/** Warnings of what the file says otherwise than the document, where nothing was said of it yet. */
export function listUntold(
  differences: readonly Difference[],
  content: GraphContent,
  told: readonly WriteWarning[],
): WriteWarning[] {
  const known = new Set(told.map(placeOf))
  return differences
    .filter((difference) => !known.has(placeOf(difference)))
    .map(({ what, ...where }) => {
      const node = where.nodeInstanceId === undefined ? undefined : content.nodes[where.nodeInstanceId]
      const port = where.portInstanceId === undefined ? undefined : node?.ports[where.portInstanceId]
      const owner = [node && describeNode(node), port && `port ${port.name}`].filter(Boolean).join(', ')
      const message = `The file cannot say all of the ${what}${owner === '' ? '' : ` of ${owner}`}.`
      return { kind: what === 'ports' ? 'ports_kept' : 'fact_left_out', ...where, message }
    })
}

function placeOf({ nodeInstanceId, portInstanceId, groupId }: Partial<Difference>): string {
  return [nodeInstanceId, portInstanceId, groupId].join(' ')
}
