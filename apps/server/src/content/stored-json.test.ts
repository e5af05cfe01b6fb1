import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDiskBlobs } from '../platform/blobs/disk.ts'
import { createFolder } from '../testing/definition-folder.ts'
import { readStoredJson } from './stored-json.ts'

test('[HTTP-18] given a content in the blob store, or with values there, when it is read, then not before there is room for all of it and its response', async (t) => {
  const disk = await openDiskBlobs(await createFolder(t))
  const value = Buffer.from(JSON.stringify('x'.repeat(500_000)))
  const { digest } = await disk.put(value)
  const reference = { $blob: digest, bytes: value.length }
  const cases = [
    { json: { digest }, bytes: value.length },
    { json: { bytes: Buffer.from(JSON.stringify({ value: reference })) }, bytes: value.length },
  ]
  for (const { json, bytes } of cases) {
    const reads: string[] = []
    const blobs = {
      ...disk,
      read: (digest: string) => {
        reads.push(digest)
        return disk.read(digest)
      },
    }
    const room = Promise.withResolvers<void>()
    let reserved = 0
    const content = readStoredJson(blobs, json, async (wanted) => {
      reserved ||= wanted
      await room.promise
    })
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    assert.deepEqual(reads, [])
    room.resolve()
    assert.ok((await content).length >= bytes)
    assert.ok(reserved >= 2 * bytes, `${reserved} bytes`)
    assert.ok(reads.length > 0)
  }
})
