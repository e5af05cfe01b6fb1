import type { GraphContent } from '@meadow/contract'
import type { ClusterContents } from '@meadow/document'
import { GrasshopperError, readClusters } from '@meadow/grasshopper'
import { CLUSTER } from '@meadow/solver'

/**
 * The contents of a document's clusters, from the file that it was imported from, which is read only for a document with
 * clusters. They are missing when the file does not hold them, is missing itself or cannot be read; the solver then
 * reports this on the clusters.
 */
export async function readClusterContents(
  { nodes }: GraphContent,
  readFile: () => Promise<Uint8Array | undefined>,
): Promise<ClusterContents> {
  const hasClusters = Object.values(nodes).some(({ templateId }) => templateId === CLUSTER)
  const bytes = hasClusters ? await readFile() : undefined
  if (!bytes) return new Map()
  try {
    return readClusters(bytes)
  } catch (error) {
    if (error instanceof GrasshopperError) return new Map()
    throw error
  }
}
