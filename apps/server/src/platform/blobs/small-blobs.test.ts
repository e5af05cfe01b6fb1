import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFolder } from '../../testing/definition-folder.ts'
import type { OpenBlob } from './blobs.ts'
import { openDiskBlobs } from './disk.ts'
import { cacheSmallBlobs } from './small-blobs.ts'

async function pour(blob: OpenBlob, range?: { start: number; end: number }): Promise<string> {
  const pieces: Uint8Array[] = []
  await blob.pour(async (piece) => {
    pieces.push(Uint8Array.from(piece))
  }, range)
  return Buffer.concat(pieces).toString()
}

test('given a small blob that was opened before, then its bytes come from memory, whole or in part', async (t) => {
  const disk = await openDiskBlobs(await createFolder(t))
  const blobs = cacheSmallBlobs(disk, 8000)
  const { digest } = await blobs.put(Buffer.from('0123456789'))
  assert.equal(await pour((await blobs.open(digest))!), '0123456789')
  await disk.remove(digest)
  const cached = (await blobs.open(digest))!
  assert.equal(cached.size, 10)
  assert.equal(await pour(cached, { start: 2, end: 4 }), '234')
  const stream = (await blobs.open(digest))!.stream({ start: 8, end: 9 })
  assert.equal(Buffer.concat(await stream.toArray()).toString(), '89')
  await cached.close()
})

test('given a large blob, a missing one, or no memory for the cache, then it is as without', async (t) => {
  const disk = await openDiskBlobs(await createFolder(t))
  const blobs = cacheSmallBlobs(disk, 8000)
  const large = await blobs.put(Buffer.alloc(1001, 'x'))
  const opened = (await blobs.open(large.digest))!
  assert.equal(opened.size, 1001)
  await opened.close()
  await disk.remove(large.digest)
  assert.equal(await blobs.open(large.digest), undefined)
  assert.equal(cacheSmallBlobs(disk, 0), disk)
})

test('given more small blobs than fit, then those opened last stay cached', async (t) => {
  const disk = await openDiskBlobs(await createFolder(t))
  const blobs = cacheSmallBlobs(disk, 8000)
  const digests: string[] = []
  for (let i = 0; i < 12; i++) digests.push((await blobs.put(Buffer.alloc(900, 'abcdefghijkl'[i]))).digest)
  for (const digest of digests) await pour((await blobs.open(digest))!)
  for (const digest of digests) await disk.remove(digest)
  const found = await Promise.all(digests.map((digest) => blobs.open(digest)))
  assert.deepEqual(
    found.map((blob) => blob !== undefined),
    digests.map((_, i) => i >= 4),
  )
})
