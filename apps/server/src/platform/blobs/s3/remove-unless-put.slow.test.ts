import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { openTestBucket } from '../../../testing/blob-stores.ts'

const BYTES = Buffer.from('wanted again')
const DIGEST = createHash('sha256').update(BYTES).digest('hex')

/** A bucket with a blob that nobody has put for long. */
async function givenOldBlob(t: TestContext) {
  const store = await openTestBucket(t)
  t.after(() => store.server.onRequest(() => undefined))
  await store.blobs.put(BYTES)
  const before = await store.makeOld([DIGEST])
  const { server, blobs } = store
  const put = () => blobs.put(BYTES)
  const remove = () => blobs.removeUnlessPut(DIGEST, before)
  const countRequests = async (work: () => Promise<unknown>) => {
    const first = server.requests.length
    await work()
    return server.requests.length - first
  }
  /** Does something after the first `count` requests of `work` took effect, and before the next one does. */
  const interrupt = async <T>(work: () => Promise<T>, count: number, other: () => Promise<unknown>) => {
    let left = count
    let isOther = false
    server.onRequest(() => {
      if (isOther || left-- > 0) return undefined
      isOther = true
      return { kind: 'delay', until: other }
    })
    const result = await work()
    server.onRequest(() => undefined)
    return result
  }
  const listKeys = async () => (await Array.fromAsync(blobs.list())).map(({ digest }) => digest)
  return { ...store, before, put, remove, countRequests, interrupt, listKeys }
}

test('[BLB-4] given a removal, when the blob is put between any two of its steps, then it is there afterwards, and in between', async (t) => {
  const { countRequests, remove } = await givenOldBlob(t)
  const steps = await countRequests(remove)
  assert.ok(steps >= 6, `${steps} steps`)
  for (let step = 0; step < steps; step++) {
    const { blobs, put, remove, interrupt } = await givenOldBlob(t)
    await interrupt(remove, step, async () => {
      await put()
      assert.equal(String(await blobs.read(DIGEST)), 'wanted again', `after step ${step}`)
    })
    assert.equal(String(await blobs.read(DIGEST)), 'wanted again', `at the end, put after step ${step}`)
    assert.equal(await blobs.size(DIGEST), BYTES.length)
  }
})

test('[BLB-4] given a blob that is put, when it is removed between any two steps of that, then it is there afterwards', async (t) => {
  const { countRequests, put } = await givenOldBlob(t)
  const steps = await countRequests(put)
  // It looks, writes a mark, and looks again.
  assert.equal(steps, 3)
  for (let step = 0; step < steps; step++) {
    const { blobs, put, remove, interrupt } = await givenOldBlob(t)
    await interrupt(put, step, remove)
    assert.equal(String(await blobs.read(DIGEST)), 'wanted again', `removed after step ${step}`)
  }
})

test('[BLB-4] given a removal that breaks off at any step, when the blob was put meanwhile or not, then it is there, or goes with the next one', async (t) => {
  const { countRequests, remove } = await givenOldBlob(t)
  const steps = await countRequests(remove)
  // After the last step nothing can break off.
  for (let step = 0; step < steps - 1; step++) {
    for (const isPut of [true, false]) {
      const { server, blobs, before, put, remove, listKeys, interrupt } = await givenOldBlob(t)
      const breakOff = async () => {
        if (isPut) await put()
        server.onRequest(() => ({ kind: 'refuse', status: 403, code: 'AccessDenied' }))
      }
      await assert.rejects(interrupt(remove, step, breakOff).finally(() => server.onRequest(() => undefined)))
      if (isPut)
        assert.equal(String(await blobs.read(DIGEST)), 'wanted again', `broken off after step ${step}`)
      assert.equal(await blobs.removeUnlessPut(DIGEST, before), !isPut, `after step ${step}`)
      assert.equal(await blobs.has(DIGEST), isPut)
      assert.deepEqual(await listKeys(), isPut ? [DIGEST] : [])
    }
  }
})
