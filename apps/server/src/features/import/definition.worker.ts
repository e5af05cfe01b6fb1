import { openGeometryMeasurer } from '@meadow/model'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { isOutOfMemory, jobSetup, serveJobs } from '../../platform/processes/job-child.ts'
import { reasonOf } from '../../platform/system-errors.ts'
import { storeContentBytes } from '../../team-writes/content-blobs.ts'
import type { ReadAnswer, ReaderSetup, ReadRequest } from './definition-reader.ts'
import { type MadeDocument, makeDocument } from './make-document.ts'

/** The process of a `DefinitionReader`: answers each file with its document, or with why there is none. */
const { blobsFolder } = jobSetup as ReaderSetup
const blobs = blobsFolder === undefined ? undefined : await openDiskBlobs(blobsFolder)
const measurer = openGeometryMeasurer()

serveJobs<ReadRequest, ReadAnswer>(async (request) =>
  'bytes' in request ? read(request.bytes) : readBlob(request.digest, blobs!),
)

async function read(bytes: Uint8Array): Promise<MadeDocument | { reason: string }> {
  try {
    return await makeDocument(bytes, measurer)
  } catch (error) {
    // One that is too large for memory ends the process.
    if (isOutOfMemory(error)) throw error
    return { reason: reasonOf(error) }
  }
}

/** A large content goes to the blob store from here: nobody else has to hold it in memory. */
async function readBlob(digest: string, blobs: BlobStore): Promise<ReadAnswer> {
  const bytes = await blobs.read(digest)
  if (!bytes) throw new Error(`The blob ${digest} of an uploaded file is missing.`)
  const made = await read(bytes)
  if ('reason' in made) return made
  return { content: await storeContentBytes(blobs, made.content), notes: made.notes }
}
