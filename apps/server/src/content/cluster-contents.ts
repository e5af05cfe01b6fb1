import type { GraphContent } from '@meadow/contract'
import type { ClusterContents } from '@meadow/document'
import { GrasshopperError, readClusters, readPlacedClusters } from '@meadow/grasshopper'
import { CLUSTER } from '@meadow/solver'

/**
 * The contents of a document's clusters: of those that were placed from library items, from their state; of others, from
 * the file that the document was imported from. They are missing when the file does not hold them,
 * is missing itself or cannot be read; the solver then reports this on the clusters.
 */
export async function readClusterContents(
  { nodes }: GraphContent,
  readFile: () => Promise<Uint8Array | undefined>,
): Promise<ClusterContents> {
  const placed = readPlacedClusters({ nodes })
  const hasOthers = Object.values(nodes).some(
    ({ templateId, instanceId }) => templateId === CLUSTER && !placed.has(instanceId),
  )
  const bytes = hasOthers ? await readFile() : undefined
  return bytes ? new Map([...readImported(bytes), ...placed]) : placed
}

function readImported(bytes: Uint8Array): ClusterContents {
  try {
    return readClusters(bytes)
  } catch (error) {
    if (error instanceof GrasshopperError) return new Map()
    throw error
  }
}
