import type { DataTree, Node } from '@meadow/contract'
import { CLUSTER } from '@meadow/document'

/** What of a document only the server can compute. */
export type ServerPart = 'cluster' | 'large value' | 'reference'

/**
 * Returns why a node needs what only the server has: the imported file, with what is inside clusters, a large value, or
 * an object of a Rhino model. Returns undefined for a node that does not.
 */
export function findServerPart({ templateId, status, values, sources }: Node): ServerPart | undefined {
  if (!status.isEnabled) return undefined
  if (templateId === CLUSTER) return 'cluster'
  for (const [portId, tree] of Object.entries(values)) {
    if ('$blob' in tree) return 'large value'
    if (!sources[portId]?.length && refersToModel(tree)) return 'reference'
  }
  return undefined
}

const refersToModel = ({ branches }: DataTree): boolean =>
  branches.some(({ values }) => values.some((value) => value?.referenceId !== undefined && !value.geometry))
