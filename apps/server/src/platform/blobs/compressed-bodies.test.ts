import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { createFolder } from '../../testing/definition-folder.ts'
import type { BlobStore } from './blobs.ts'
import { putCompressed } from './compressed-bodies.ts'
import { openDiskBlobs } from './disk.ts'

const CHUNK = Buffer.from('{"type":"number","value":0.5},'.repeat(3000))

test('given a body in chunks, when it is stored, then both encodings hold all of it', async (t) => {
  const blobs = await openDiskBlobs(await createFolder(t))
  const { gzip, zstd, bytes } = await putCompressed(blobs, Array(50).fill(CHUNK))
  const body = Buffer.concat(Array(50).fill(CHUNK))
  assert.equal(bytes, body.length)
  assert.ok(gunzipSync((await blobs.read(gzip.digest))!).equals(body))
  assert.ok(zstdDecompressSync((await blobs.read(zstd.digest))!).equals(body))
  assert.ok(gzip.size < bytes / 10 && zstd.size < bytes / 10)
})

test('given an empty body, when it is stored, then both encodings hold nothing', async (t) => {
  const blobs = await openDiskBlobs(await createFolder(t))
  const { gzip, zstd, bytes } = await putCompressed(blobs, [])
  assert.equal(bytes, 0)
  assert.equal(gunzipSync((await blobs.read(gzip.digest))!).length, 0)
  assert.equal(zstdDecompressSync((await blobs.read(zstd.digest))!).length, 0)
})

test('given a body that breaks off, when it is stored, then it fails with the reason and leaves no blob', async (t) => {
  const folder = await createFolder(t)
  const blobs = await openDiskBlobs(folder)
  await assert.rejects(putCompressed(blobs, breaksOff()), /broken off/)
  assert.deepEqual(await readdir(folder, { recursive: true }), ['unfinished'])
})

test('given a body that breaks off, when the store has not begun to read, then nothing but the call fails', async () => {
  const slow = storeThat(async (bytes) => {
    await nextTurn()
    for await (const _ of bytes as AsyncIterable<Uint8Array>);
    throw new Error('it should have broken off')
  })
  await assert.rejects(putCompressed(slow, breaksOff()), /broken off/)
  await nextTurn()
})

test('given a store that fails before it has read all, when a body is stored, then it fails instead of waiting', async () => {
  const full = storeThat(() => Promise.reject(new Error('the disk is full')))
  await assert.rejects(putCompressed(full, Array(500).fill(CHUNK)), /the disk is full/)
  await nextTurn()
})

test('given a store that fails before the first chunk is made, when a body is stored, then nothing but the call fails', async () => {
  const full = storeThat(() => Promise.reject(new Error('the disk is full')))
  async function* late() {
    await nextTurn()
    yield CHUNK
  }
  await assert.rejects(putCompressed(full, late()), /the disk is full/)
  await nextTurn()
})

test('given a store that fails while it reads, when a body is stored, then it fails with that reason', async () => {
  let read = 0
  const full = storeThat(async (bytes) => {
    for await (const _ of bytes as AsyncIterable<Uint8Array>)
      if (++read === 3) throw new Error('the disk is full')
    return nextTurn().then(() => Promise.reject(new Error('it should have broken off')))
  })
  function* endless() {
    for (;;) yield crypto.getRandomValues(new Uint8Array(65_536))
  }
  await assert.rejects(putCompressed(full, endless()), /the disk is full/)
})

function* breaksOff() {
  yield CHUNK
  throw new Error('broken off')
}

const storeThat = (put: BlobStore['put']) => ({ put }) as BlobStore

/** After everything that is due now: an unhandled rejection then fails the test. */
const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
