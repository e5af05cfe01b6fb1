import type { GraphContent } from '@meadow/contract'
import type { ClusterContents } from '@meadow/document'
import { GrasshopperError, readClusters } from '@meadow/grasshopper'
import { CLUSTER } from '@meadow/solver'
import type { BlobStore } from '../../platform/blobs/blobs.ts'

/**
 * What is inside the clusters of a document, of the file with this digest that it was imported from. Nothing is told of
 * clusters that the file does not hold, and of none where it is gone or cannot be read any more: the solver says so.
 */
export async function readInsides(
  { nodes }: GraphContent,
  original: string | undefined,
  blobs: Pick<BlobStore, 'read'>,
): Promise<ClusterContents> {
  const hasClusters = Object.values(nodes).some(({ templateId }) => templateId === CLUSTER)
  const bytes = hasClusters && original !== undefined && (await blobs.read(original))
  if (!bytes) return new Map()
  try {
    return readClusters(bytes)
  } catch (error) {
    if (error instanceof GrasshopperError) return new Map()
    throw error
  }
}
