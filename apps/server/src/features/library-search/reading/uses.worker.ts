import type { GraphContent } from '@meadow/contract'
import { readClusterContents } from '../../../content/cluster-contents.ts'
import { openJobBlobs, serveJobs } from '../../../platform/processes/job-child.ts'
import { listDocumentUses } from './document-uses.ts'
import type { UsesRequest, UsesResult } from './uses-reader.ts'
import { listUsingNodes } from './using-nodes.ts'

/** The child process of a `UsesReader`. */
const blobs = (await openJobBlobs())!

serveJobs<UsesRequest, UsesResult>(async ({ content, original, reference, keys }) => {
  const bytes = 'bytes' in content ? content.bytes : await blobs.read(content.digest)
  if (!bytes) throw new Error('The blob of the content of a document is missing.')
  const graph: GraphContent = JSON.parse(new TextDecoder().decode(bytes))
  const clusters = await readClusterContents(graph, async () =>
    original === undefined ? undefined : blobs.read(original),
  )
  return reference
    ? { nodes: listUsingNodes(graph, clusters, reference, keys) }
    : { uses: listDocumentUses(graph, clusters) }
})
