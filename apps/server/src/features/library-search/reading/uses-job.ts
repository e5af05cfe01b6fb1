import { readClusterContents } from '../../../content/cluster-contents.ts'
import { readGraph } from '../../../content/read-graph.ts'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import type { Job, JobParts } from '../../../platform/processes/job-child.ts'
import { listDocumentUses } from './document-uses.ts'
import type { UsesRequest, UsesResult } from './uses-reader.ts'
import { listUsingNodes } from './using-nodes.ts'

/** Creates the job of a `UsesReader`. */
export function createJob({ blobs }: JobParts): Job<UsesRequest, UsesResult> {
  return (request) => readUses(request, blobs!)
}

async function readUses(
  { content, original, reference, keys }: UsesRequest,
  blobs: BlobStore,
): Promise<UsesResult> {
  const graph = await readGraph(blobs, content)
  const clusters = await readClusterContents(graph, async () =>
    original === undefined ? undefined : blobs.read(original),
  )
  return reference
    ? { nodes: listUsingNodes(graph, clusters, reference, keys) }
    : { uses: listDocumentUses(graph, clusters) }
}
