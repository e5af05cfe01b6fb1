import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { DocumentId, SolutionId } from '@meadow/contract'
import { openModelLibrary } from '@meadow/model'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { solveDocument } from './solve-document.ts'
import { points } from './testing/graphs.ts'

const IDS = { documentId: 'doc_1' as DocumentId, solutionId: 'sol_1' as SolutionId }

test('[JOB-11] given a model file that cannot be written, when a document is solved, then its values are there all the same', async (t) => {
  const blobs = await openDiskBlobs(await createFolder(t))
  await using tooSlow = openModelLibrary(0)
  const bytes = Buffer.from(JSON.stringify(points()))
  const { outcome } = await solveDocument({ ...IDS, content: { seq: 1, bytes } }, { blobs, library: tooSlow })
  assert.ok(outcome.state === 'solved')
  assert.equal(outcome.files.model, undefined)
  assert.match(outcome.files.modelFault!, /did not answer/)
  const body = gunzipSync((await blobs.read(outcome.files.valuesGzip))!)
  assert.equal(JSON.parse(body.toString()).data.solutionId, 'sol_1')
})

test('[JOB-10] given a content that lies in the blob store, when it is solved, then it is read from there', async (t) => {
  const blobs = await openDiskBlobs(await createFolder(t))
  await using library = openModelLibrary()
  const { digest } = await blobs.put(Buffer.from(JSON.stringify(points())))
  const { outcome } = await solveDocument({ ...IDS, content: { seq: 3, digest } }, { blobs, library })
  assert.ok(outcome.state === 'solved')
  assert.deepEqual([outcome.seq, outcome.files.model?.objects], [3, 3])
})

test('[JOB-13] given a disk without room, when a document is solved, then it fails and says so', async (t) => {
  const disk = await openDiskBlobs(await createFolder(t))
  await using library = openModelLibrary()
  const noRoom = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
  for (const failingAt of [1, 2, 3, 4]) {
    let puts = 0
    const put: BlobStore['put'] = async (bytes) =>
      ++puts >= failingAt ? Promise.reject(noRoom) : disk.put(bytes)
    const content = { seq: 1, bytes: Buffer.from(JSON.stringify(points())) }
    const { outcome } = await solveDocument({ ...IDS, content }, { blobs: { ...disk, put }, library })
    assert.ok(outcome.state === 'failed', `put ${failingAt}`)
    assert.equal(outcome.reason, 'The server could not store what the solve made: the disk is full.')
  }
})
