import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { openTestBucket } from '../../../testing/blob-stores.ts'
import type { S3Fault } from '../../../testing/s3-server.ts'
import { findUnavailable } from '../../database/unavailable.ts'
import { openS3Blobs } from './s3-blobs.ts'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** A part and a bit. */
const LARGE = randomBytes(8 * 2 ** 20 + 100_000)

/** Short enough for tests, long enough for a busy machine: only what stalls takes so long. */
const STALLING = { readMs: 1500, writeMs: 1500 }

/** The faults that pass, as each hits a request. */
const PASSING: readonly S3Fault[] = [
  { kind: 'refuse', status: 503, code: 'SlowDown' },
  { kind: 'refuse', status: 500, code: 'InternalError' },
  { kind: 'refuse', status: 429, code: 'TooManyRequests' },
  { kind: 'cut', at: 'request' },
  { kind: 'cut', at: 'effect' },
  { kind: 'cut', at: 'half' },
]

/** Whether the fault also hits an upload in parts: all that are answered with a status pass alike. */
const hasParts = (fault: S3Fault): boolean => fault.kind !== 'refuse' || fault.status === 503

/** Chooses the fault for the first request of each kind; the next one gets through. */
function onceEach(fault: S3Fault) {
  const seen = new Set<string>()
  return (line: string) => {
    const kind = line.replaceAll(/[0-9a-f]{32,64}/g, '')
    if (seen.has(kind)) return undefined
    seen.add(kind)
    return fault
  }
}

for (const fault of PASSING) {
  const what =
    fault.kind === 'refuse'
      ? `answers ${fault.status}`
      : `loses the connection at "${fault.kind === 'cut' && fault.at}"`
  test(`[S3-2, S3-3, S3-5] given a store that ${what} once to each kind of request, when blobs are put and read, then nobody notices`, async (t) => {
    const { server, location, blobs } = await openTestBucket(t)
    server.onRequest(onceEach(fault))
    t.after(() => server.onRequest(() => undefined))
    const small = await blobs.put(Buffer.from('a definition'))
    assert.equal(String(await blobs.read(small.digest)), 'a definition')
    const bytes = hasParts(fault) ? LARGE : LARGE.subarray(0, 100_000)
    const large = await blobs.put(bytes)
    assert.ok((await blobs.read(large.digest))!.equals(bytes))
    assert.deepEqual(
      (await Array.fromAsync(blobs.list())).map(({ size }) => size).toSorted((a, b) => a - b),
      [12, bytes.length],
    )
    await blobs.remove(small.digest)
    assert.equal(await blobs.has(small.digest), false)
    // An upload whose answer was lost is unknown: it is removed a day later.
    const unknown = fault.kind === 'cut' && fault.at !== 'request' ? 1 : 0
    assert.equal((await server.listUploads(location.prefix)).length, unknown)
  })
}

test('[S3-2, S3-3] given a store that stalls before, in and after an answer, when a blob is put and read, then nobody notices', async (t) => {
  const { server, blobs } = await openTestBucket(t, { patience: STALLING })
  t.after(() => server.onRequest(() => undefined))
  server.onRequest(onceEach({ kind: 'stall' }))
  const { digest } = await blobs.put(LARGE.subarray(0, 300_000))
  server.onRequest(onceEach({ kind: 'freeze' }))
  assert.ok((await blobs.read(digest))!.equals(LARGE.subarray(0, 300_000)))
  // It went on where it was.
  assert.equal(server.requests.at(-1), server.requests.at(-2))
})

test('[S3-3] given a connection that is lost in each answer, when a blob is read, then each answer brings it further', async (t) => {
  const { server, blobs } = await openTestBucket(t)
  t.after(() => server.onRequest(() => undefined))
  const { digest } = await blobs.put(LARGE)
  let answers = 0
  server.onRequest(() => (++answers <= 10 ? { kind: 'cut', at: 'half' } : undefined))
  const hash = createHash('sha256')
  await (await blobs.open(digest))!.pour(async (chunk) => void hash.update(chunk))
  assert.equal(hash.digest('hex'), digest)
  assert.ok(answers >= 11)
  answers = 0
  const range = { start: 1000, end: 7_999_999 }
  const part = await (await blobs.open(digest))!.stream(range).toArray()
  assert.equal(sha256(Buffer.concat(part)), sha256(LARGE.subarray(1000, 8_000_000)))
})

test('[S3-2] given a store that refuses all for as long as it is tried, when it is used, then that is an outage, and later it works', async (t) => {
  const { server, blobs } = await openTestBucket(t, { patience: { totalMs: 500 } })
  t.after(() => server.onRequest(() => undefined))
  const { digest } = await blobs.put(Buffer.from('a definition'))
  server.onRequest(() => ({ kind: 'refuse', status: 503, code: 'SlowDown' }))
  for (const work of [() => blobs.read(digest), () => blobs.put(Buffer.from('x')), blobs.checkWritable]) {
    const error = await work().then(
      () => assert.fail('it should have failed'),
      (error: unknown) => error,
    )
    assert.match(
      findUnavailable(error)!.message,
      /^The object store cannot be reached: it answers 503( SlowDown)?\.$/,
    )
  }
  server.onRequest(() => undefined)
  assert.equal(String(await blobs.read(digest)), 'a definition')
})

test('[S3-2] given a store that asks to come back later, when it is used, then no sooner', async (t) => {
  const { server, blobs } = await openTestBucket(t)
  t.after(() => server.onRequest(() => undefined))
  const at: number[] = []
  server.onRequest(() => {
    at.push(performance.now())
    return at.length === 1 ? { kind: 'refuse', status: 503, code: 'SlowDown', retryAfter: 1 } : undefined
  })
  await blobs.has(sha256('x'))
  assert.ok(at[1]! - at[0]! >= 990, `${at[1]! - at[0]!} ms`)
})

test('[S3-2] given a store that is not there, when it is used, then the outage says so', async (t) => {
  const { location, server, openAgain } = await openTestBucket(t)
  const away = { ...location, endpoint: 'http://127.0.0.1:9' }
  const opening = openS3Blobs(away, { getKeys: async () => server.keys, patience: { totalMs: 200 } })
  await assert.rejects(
    opening,
    /cannot be used\. The object store cannot be reached: nothing answers at that address\./,
  )
  assert.ok(await openAgain())
})

test('[S3-1, S3-4] given bytes that change on their way, when they are put or read, then no wrong byte is stored or taken for right', async (t) => {
  const { server, blobs } = await openTestBucket(t)
  t.after(() => server.onRequest(() => undefined))
  const { digest } = await blobs.put(LARGE)
  const isBlob = (line: string) => line.startsWith('GET') && line.includes('/blobs/')
  let faults = 1
  server.onRequest((line) => (isBlob(line) && faults-- > 0 ? { kind: 'corrupt' } : undefined))
  // A second time it is right.
  assert.ok((await blobs.read(digest))!.equals(LARGE))
  server.onRequest((line) => (isBlob(line) ? { kind: 'corrupt' } : undefined))
  await assert.rejects(blobs.read(digest), /The blob [0-9a-f]{64} is damaged/)
  let length = 0
  const pouring = (await blobs.open(digest))!.pour(async (chunk) => {
    length += chunk.length
  })
  await assert.rejects(pouring, /is damaged/)
  assert.ok(length < LARGE.length, 'a reader had the whole blob')
})

test('[S3-5] given a part that fails for good, when a blob is put, then it fails, and nothing of it stays', async (t) => {
  const { server, location, blobs } = await openTestBucket(t)
  t.after(() => server.onRequest(() => undefined))
  for (const failing of ['partNumber=2', 'partNumber=1', /^POST .*uploadId/]) {
    server.onRequest((line) =>
      line.match(failing) ? { kind: 'refuse', status: 403, code: 'AccessDenied' } : undefined,
    )
    await assert.rejects(blobs.put(streamOf(LARGE)), /has to be allowed|have to be allowed/)
    assert.deepEqual(await server.listUploads(location.prefix), [])
    assert.deepEqual(await readdir(location.spoolFolder), [])
  }
  server.onRequest(() => undefined)
  assert.deepEqual(await Array.fromAsync(blobs.list()), [])
})

test('[S3-5] given an upload that a killed process left, when the store is opened a day later, then it is aborted; a younger one goes on', async (t) => {
  const { server, location, blobs, openAgain } = await openTestBucket(t)
  t.after(() => server.onRequest(() => undefined))
  server.onRequest((line) =>
    line.startsWith('DELETE') || line.includes('partNumber=2')
      ? { kind: 'refuse', status: 403, code: 'AccessDenied' }
      : undefined,
  )
  for (let time = 0; time < 2; time++) await assert.rejects(blobs.put(streamOf(LARGE)))
  server.onRequest(() => undefined)
  const [old, young] = await server.listUploads(location.prefix)
  await server.makeUploadOld(old!)
  await openAgain()
  assert.deepEqual(await server.listUploads(location.prefix), [young])
})

test('[S3-6] given a stream of a blob that is there, when it is put, then it is not sent; nothing stays in the spool folder', async (t) => {
  const { server, location, blobs } = await openTestBucket(t)
  await blobs.put(LARGE)
  const before = server.requests.length
  await blobs.put(streamOf(LARGE))
  assert.deepEqual(
    server.requests.slice(before).map((line) => line.split(' ')[0]),
    ['HEAD'],
  )
  assert.deepEqual(await readdir(location.spoolFolder), [])
})

test('[S3-7] given a mistake, when the store is opened, then it fails at once with what to do', async (t) => {
  const { location, server } = await openTestBucket(t)
  const mistakes: [change: object, keys: object, sentence: RegExp][] = [
    [
      { bucket: 'nothing-here' },
      {},
      /The bucket "nothing-here" at .*does not exist: make it, or correct MEADOW_BLOBS/,
    ],
    [{}, { accessKeyId: 'AKIDUNKNOWN' }, /does not know the access key: check AWS_ACCESS_KEY_ID/],
    [{}, { secretAccessKey: 'a-wrong-secret' }, /does not accept the signature: check AWS_SECRET_ACCESS_KEY/],
  ]
  for (const [change, keys, sentence] of mistakes) {
    const before = server.requests.length
    const opening = openS3Blobs(
      { ...location, ...change },
      { getKeys: async () => ({ ...server.keys, ...keys }) },
    )
    await assert.rejects(opening, (error: Error) => {
      assert.match(error.message, sentence)
      // S3-9
      assert.doesNotMatch(error.message, /S3RVER|a-wrong-secret/)
      return true
    })
    assert.equal(server.requests.length - before, 1)
  }
})

test('[S3-8] given keys that the store refuses as expired, when it is used, then others are fetched, once', async (t) => {
  const asked: (boolean | undefined)[] = []
  const { server } = await openTestBucket(t)
  const getKeys = async (isRefused?: boolean) => {
    asked.push(isRefused)
    return server.keys
  }
  const { blobs } = await openTestBucket(t, { getKeys })
  t.after(() => server.onRequest(() => undefined))
  let refusals = 1
  server.onRequest(() => (refusals-- > 0 ? { kind: 'refuse', status: 400, code: 'ExpiredToken' } : undefined))
  asked.length = 0
  assert.equal(await blobs.has(sha256('x')), false)
  assert.equal(asked.filter(Boolean).length, 1)
  server.onRequest(() => ({ kind: 'refuse', status: 400, code: 'ExpiredToken' }))
  await assert.rejects(blobs.read(sha256('x')), /keys to the object store have expired/)
})

async function* streamOf(bytes: Uint8Array) {
  for (let start = 0; start < bytes.length; start += 262_144) yield bytes.subarray(start, start + 262_144)
}
