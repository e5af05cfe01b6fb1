import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { DocumentId, SolutionId } from '@meadow/contract'
import { readScene, SCENE_TYPES } from '@meadow/contract/web'
import { openModelLibrary } from '@meadow/model'
import fc from 'fast-check'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import { openDiskBlobs } from '../../../platform/blobs/disk.ts'
import { createFolder } from '../../../testing/definition-folder.ts'
import { createGraph } from '../../../testing/graph/create-graph.ts'
import { solveDocument } from '../../solves/solve-document.ts'
import { TEXT_DOT } from '../../solves/testing/models.ts'
import { tubes } from '../testing/graphs.ts'
import type { BodyRequest } from './body-pool.ts'
import { makeBody } from './make-body.ts'

const documentId = 'doc_1' as DocumentId

const openStore = async (t: TestContext) => openDiskBlobs(await createFolder(t))

/** A blob store with the results of a real solve. */
async function givenSolve(
  t: TestContext,
  solutionId = 'sol_1' as SolutionId,
  store?: BlobStore,
  graph = tubes(2),
) {
  const blobs = store ?? (await openStore(t))
  await using library = openModelLibrary()
  const bytes = Buffer.from(JSON.stringify(graph))
  const requested = { documentId, solutionId, content: { seq: 1, bytes } }
  const outcome = await solveDocument(requested, { blobs, library })
  assert.equal(outcome.state, 'solved')
  const { valuesGzip: gzip, valuesZstd: zstd, valuesBytes, model, summary } = outcome.files
  const values = { gzip, zstd, bytes: valuesBytes }
  const request = (form: BodyRequest['form'], file: BodyRequest['model']): BodyRequest => ({
    form,
    documentId,
    solutionId,
    units: 'none',
    values,
    model: file,
    content: { bytes },
  })
  const read = async (digest: string) => (await blobs.read(digest))!
  return { blobs, request, model: model!, digests: [gzip, zstd, model!.digest, summary!], read }
}

test('[C2] given a solve, when a body is made of it, then both compressed forms are in the store, and its length is right', async (t) => {
  const { blobs, request, model, read } = await givenSolve(t)
  for (const form of ['geometry', 'bimz'] as const) {
    const { forms, fault } = await makeBody(request(form, model), blobs)
    assert.equal(fault, undefined)
    const plain = gunzipSync(await read(forms!.gzip))
    assert.ok(zstdDecompressSync(await read(forms!.zstd)).equals(plain))
    assert.equal(plain.length, forms!.bytes)
    assert.match(String(plain), /"geometry":\{"version":10000/)
    // Deterministic bytes: two processes that make the body concurrently store one blob.
    assert.deepEqual((await makeBody(request(form, model), blobs)).forms, forms)
  }
})

test('[EDIT-3] given a value that the solver has no type for, when the scene is made, then what can be shown of it is there, and its box', async (t) => {
  const graph = createGraph('Dot', ({ group, parameter }) => {
    group('All', 'inputs')
    parameter('Geometry', 'Dot', [TEXT_DOT, { type: 'unknown', value: { description: 'Mesh settings' } }])
  })
  const { request, model, blobs, read } = await givenSolve(t, 'sol_1' as SolutionId, undefined, graph)
  const { forms } = await makeBody(request('scene', model), blobs)
  const scene = readScene(new Uint8Array(gunzipSync(await read(forms!.gzip))).buffer)
  assert.deepEqual(
    [scene.skipped, scene.origin, scene.boundingBox],
    [
      0,
      [1, 2, 3],
      [
        [0, 0, 0],
        [0, 0, 0],
      ],
    ],
  )
  const [batch] = scene.batches
  assert.deepEqual([scene.batches.length, batch?.kind], [1, 'points'])
  assert.equal(SCENE_TYPES[scene.integers(batch!.types!)[0]!], 'text')
})

test('[JOB-12] given two solves of one document, then they share no blob: the older one’s can be removed', async (t) => {
  const blobs = await openStore(t)
  const all: string[] = []
  for (const solutionId of ['sol_1', 'sol_2'] as SolutionId[]) {
    const { request, model, digests } = await givenSolve(t, solutionId, blobs)
    all.push(...digests)
    for (const form of ['geometry', 'bimz', 'scene'] as const) {
      const { forms } = await makeBody(request(form, model), blobs)
      all.push(forms!.gzip, forms!.zstd)
    }
  }
  assert.equal(new Set(all).size, 20)
})

test('[C4] given any file in place of the model file, then a reason and no geometry, never a failure', async (t) => {
  const { blobs, request, model, read } = await givenSolve(t)
  const file = await read(model.digest)
  const damages = fc.oneof(
    fc.record({ keep: fc.nat(file.length - 1) }),
    fc.record({ garbage: fc.uint8Array({ maxLength: 500 }) }),
    fc.record({
      changes: fc.array(fc.tuple(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 })), {
        minLength: 1,
      }),
    }),
  )
  function damage(fixtures: { keep?: number; garbage?: Uint8Array; changes?: [number, number][] }): Buffer {
    if (fixtures.garbage) return Buffer.from(fixtures.garbage)
    const bytes = Buffer.from(file.subarray(0, fixtures.keep))
    for (const [at, difference] of fixtures.changes ?? []) bytes[at]! ^= difference
    return bytes
  }
  await fc.assert(
    fc.asyncProperty(damages, async (fixtures) => {
      const bytes = damage(fixtures)
      fc.pre(!bytes.equals(file))
      const store = {
        ...blobs,
        read: async (digest: string) => (digest === model.digest ? bytes : read(digest)),
      }
      const geometry = await makeBody(request('geometry', model), store)
      assert.equal(geometry.forms, undefined)
      assert.match(geometry.fault!, /model/)
      const { forms, fault } = await makeBody(request('bimz', model), store)
      assert.match(fault!, /model/)
      assert.match(String(gunzipSync(await read(forms!.gzip))), /"geometry":null/)
    }),
    { numRuns: 60 },
  )
})

test('given values that are missing or broken, when a body is made of them, then it fails', async (t) => {
  const { blobs, request, model } = await givenSolve(t)
  const broken = await blobs.put(Buffer.from('no gzip'))
  for (const gzip of [createHash('sha256').update('missing').digest('hex'), broken.digest]) {
    const requested = request('geometry', model)
    await assert.rejects(makeBody({ ...requested, values: { ...requested.values, gzip } }, blobs))
  }
})
