import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { DocumentId, SolutionId } from '@meadow/contract'
import { readDefinition } from '@meadow/grasshopper'
import { openModelLibrary } from '@meadow/model'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { CLUSTERED, createClusteredFile } from '../../testing/clustered-file.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { solveDocument } from './solve-document.ts'
import { points } from './testing/graphs.ts'

const IDS = { documentId: 'doc_1' as DocumentId, solutionId: 'sol_1' as SolutionId }

test('[JOB-11] given a model file that cannot be written, when a document is solved, then its values are stored nevertheless', async (t) => {
  const blobs = await openDiskBlobs(await createFolder(t))
  await using tooSlow = openModelLibrary(0)
  const bytes = Buffer.from(JSON.stringify(points()))
  const outcome = await solveDocument({ ...IDS, content: { seq: 1, bytes } }, { blobs, library: tooSlow })
  assert.ok(outcome.state === 'solved')
  assert.equal(outcome.files.model, undefined)
  assert.match(outcome.files.modelFault!, /did not answer/)
  const body = gunzipSync((await blobs.read(outcome.files.valuesGzip))!)
  assert.equal(JSON.parse(body.toString()).data.solutionId, 'sol_1')
})

test('[JOB-10] given content in the blob store, when it is solved, then it is read from there', async (t) => {
  const blobs = await openDiskBlobs(await createFolder(t))
  await using library = openModelLibrary()
  const { digest } = await blobs.put(Buffer.from(JSON.stringify(points())))
  const outcome = await solveDocument({ ...IDS, content: { seq: 3, digest } }, { blobs, library })
  assert.ok(outcome.state === 'solved')
  assert.deepEqual([outcome.seq, outcome.files.model?.objects], [3, 3])
})

const FILE = createClusteredFile(7)

/** Solves the document of a definition with clusters; `stored` is what is stored as its file. */
async function solveClustered(t: TestContext, stored: Uint8Array | undefined) {
  const blobs = await openDiskBlobs(await createFolder(t))
  await using library = openModelLibrary()
  const bytes = Buffer.from(JSON.stringify(readDefinition(FILE).content))
  const original = stored ? (await blobs.put(stored)).digest : 'a'.repeat(64)
  const outcome = await solveDocument({ ...IDS, content: { seq: 1, bytes }, original }, { blobs, library })
  assert.ok(outcome.state === 'solved')
  const { data, messages } = JSON.parse(gunzipSync((await blobs.read(outcome.files.valuesGzip))!).toString())
  return { output: data[CLUSTERED.cluster][CLUSTERED.output], nodes: Object.keys(data), messages, outcome }
}

test('[JOB-16] given a document with clusters and its imported file, when it is solved, then the outputs of the clusters are stored, and none of the geometry inside them', async (t) => {
  const { output, nodes, messages, outcome } = await solveClustered(t, FILE)
  assert.deepEqual(output, { branches: [{ path: '{0}', values: [{ type: 'point', value: [21, 21, 21] }] }] })
  assert.deepEqual([nodes.length, messages], [3, []])
  assert.equal(outcome.files.model?.objects, 1)
  assert.deepEqual([outcome.completeness?.isComplete, outcome.completeness?.causes], [true, []])
})

test('[JOB-16] given a document whose file is missing or damaged, when it is solved, then its clusters say that their contents are unknown', async (t) => {
  for (const stored of [undefined, FILE.subarray(9)]) {
    const { output, messages, outcome } = await solveClustered(t, stored)
    assert.deepEqual(output.branches, [])
    assert.match(messages[0].message, /^What is inside this cluster is not known: /)
    const { isComplete, causes = [] } = outcome.completeness ?? {}
    assert.equal(isComplete, false)
    assert.match(causes[0]!.cause, /What is inside this cluster is not known: /)
    assert.equal(causes[0]!.nodes, 1)
  }
})

test('[JOB-13] given a full disk, when a document is solved, then it fails with that reason', async (t) => {
  const disk = await openDiskBlobs(await createFolder(t))
  await using library = openModelLibrary()
  const diskFull = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
  for (const failingAt of [1, 2, 3, 4]) {
    let puts = 0
    const put: BlobStore['put'] = async (bytes) =>
      ++puts >= failingAt ? Promise.reject(diskFull) : disk.put(bytes)
    const content = { seq: 1, bytes: Buffer.from(JSON.stringify(points())) }
    const outcome = await solveDocument({ ...IDS, content }, { blobs: { ...disk, put }, library })
    assert.ok(outcome.state === 'failed', `put ${failingAt}`)
    assert.equal(outcome.reason, 'The server could not store what the solve made: the disk is full.')
  }
})
