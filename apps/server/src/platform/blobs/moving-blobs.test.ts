import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openTestBlobs } from '../../testing/open-test-blobs.ts'
import type { BlobStore } from './blobs.ts'
import { createMovingBlobs, MOVING_MARK } from './moving-blobs.ts'

async function open(t: TestContext) {
  const [{ blobs: next }, { blobs: former }] = [await openTestBlobs(t), await openTestBlobs(t)]
  await next.writeMark(MOVING_MARK, 'former')
  let now = 0
  const moving = createMovingBlobs(next, former, () => now)
  /** Ends the move, and lets the time pass in which that may go unnoticed. */
  const endMove = async () => {
    await next.removeMark(MOVING_MARK)
    now += 1001
  }
  return { next, former, moving, endMove }
}

const text = async (blobs: BlobStore, digest: string) => String(await blobs.read(digest))

async function* inChunks(...chunks: string[]) {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

test('[MOVE-3] given a move, when bytes or a stream are put, then both stores have them', async (t) => {
  const { next, former, moving } = await open(t)
  const puts = [await moving.put(Buffer.from('bytes')), await moving.put(inChunks('a ', 'stream'))]
  for (const [index, { digest }] of puts.entries()) {
    const expected = ['bytes', 'a stream'][index]
    assert.deepEqual([await text(next, digest), await text(former, digest)], [expected, expected])
  }
})

test('[MOVE-3] given a move, when a blob is in the former store only, then every call finds it, and the list has each once', async (t) => {
  const { former, moving } = await open(t)
  const { digest } = await former.put(Buffer.from('not copied yet'))
  const both = await moving.put(Buffer.from('in both'))
  assert.deepEqual(
    [await moving.has(digest), await moving.size(digest), await text(moving, digest)],
    [true, 14, 'not copied yet'],
  )
  const opened = await moving.open(digest)
  assert.equal(Buffer.concat(await opened!.stream().toArray()).toString(), 'not copied yet')
  const listed = (await Array.fromAsync(moving.list())).map((blob) => blob.digest)
  assert.deepEqual(listed.toSorted(), [digest, both.digest].toSorted())
  assert.deepEqual([await moving.has('f'.repeat(64)), await moving.open('f'.repeat(64))], [false, undefined])
})

test('[MOVE-3] given a move, when a blob is removed, then neither store has it, unless it was put since', async (t) => {
  const { next, former, moving } = await open(t)
  const { digest } = await moving.put(Buffer.from('to be removed'))
  assert.equal(await moving.removeUnlessPut(digest, Date.now() - 60_000), false)
  assert.deepEqual([await next.has(digest), await former.has(digest)], [true, true])
  assert.equal(await moving.removeUnlessPut(digest, Date.now() + 60_000), true)
  assert.deepEqual([await next.has(digest), await former.has(digest)], [false, false])
  await moving.put(Buffer.from('to be removed'))
  await moving.remove(digest)
  assert.deepEqual([await next.has(digest), await former.has(digest)], [false, false])
})

test('[MOVE-4] given a move that ends, when a second has passed, then the former store is not used any more', async (t) => {
  const { former, moving, endMove, next } = await open(t)
  const { digest } = await moving.put(Buffer.from('before'))
  const late = await former.put(Buffer.from('only there'))
  await endMove()
  assert.equal(await moving.has(late.digest), false)
  const { digest: after } = await moving.put(Buffer.from('after'))
  assert.deepEqual([await next.has(after), await former.has(after)], [true, false])
  await moving.remove(digest)
  assert.deepEqual([await next.has(digest), await former.has(digest)], [false, true])
})

test('[MOVE-4] given a blob that is copied and removed from the former store while it is looked for, then it is found', async (t) => {
  const { next, former } = await open(t)
  const { digest } = await former.put(Buffer.from('copied'))
  const racing: BlobStore = {
    ...former,
    async open(wanted) {
      await next.put(Buffer.from('copied'))
      await former.remove(wanted)
      return former.open(wanted)
    },
  }
  const opened = await createMovingBlobs(next, racing).open(digest)
  assert.equal(opened?.size, 6)
  await opened.close()
})
