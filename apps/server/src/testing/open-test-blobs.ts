import { type BlobsLocation, openBlobs } from '../platform/blobs/open-blobs.ts'
import type { TestScope } from './at-end.ts'
import { createFolder } from './definition-folder.ts'

/** A blob store in a folder of its own, until the test is over. */
export async function openTestBlobs(t: TestScope) {
  const folder = await createFolder(t)
  const blobsLocation: BlobsLocation = { kind: 'disk', folder }
  return { folder, blobsLocation, blobs: await openBlobs(blobsLocation) }
}
