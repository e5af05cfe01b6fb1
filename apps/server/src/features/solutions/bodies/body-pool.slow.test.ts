import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { DocumentId, SolutionId } from '@meadow/contract'
import { DEFAULT_POOL_LIMITS } from '../../../platform/processes/pool-limits.ts'
import { atEnd } from '../../../testing/at-end.ts'
import { openTestBlobs } from '../../../testing/open-test-blobs.ts'
import { type BodyRequest, openBodyPool } from './body-pool.ts'

async function openPool(t: TestContext, limits = DEFAULT_POOL_LIMITS.bodies) {
  const { blobs, blobsLocation } = await openTestBlobs(t)
  const pool = openBodyPool(blobsLocation, limits)
  atEnd(t, async () => pool[Symbol.asyncDispose]())
  const make = (request: BodyRequest) => pool.run(request, { group: 'a' })
  return { blobs, pool, make }
}

const requestFor = (gzip: string, bytes: number): BodyRequest => ({
  form: 'bimz',
  documentId: 'doc_1' as DocumentId,
  solutionId: 'sol_1' as SolutionId,
  units: 'none',
  values: { gzip, zstd: '', bytes },
  model: undefined,
  content: undefined,
})

async function givenValues({ blobs }: Awaited<ReturnType<typeof openPool>>, count: number) {
  const value = { type: 'number', value: 1 }
  const tree = { branches: [{ path: '{0}', values: Array.from({ length: count }, () => value) }] }
  const body = Buffer.from(JSON.stringify({ data: { solutionId: 'sol_1', n: { p: tree } } }))
  const { digest } = await blobs.put(gzipSync(body))
  return requestFor(digest, body.length)
}

test('given a request that fails, then its reason is given, and waiting requests are answered', async (t) => {
  const opened = await openPool(t)
  const request = await givenValues(opened, 3)
  const { make } = opened
  const missing = requestFor('a'.repeat(64), 1)
  const [failed, made] = await Promise.allSettled([make(missing), make(request)])
  assert.match(failed.status === 'rejected' ? failed.reason.message : '', /is missing/)
  assert.ok(made.status === 'fulfilled' && made.value.forms)
})

test('given a body that takes longer than the limit, then it fails, and the next one gets a new process', async (t) => {
  const opened = await openPool(t, { ...DEFAULT_POOL_LIMITS.bodies, cpuMs: 1 })
  const request = await givenValues(opened, 100_000)
  const { make } = opened
  await assert.rejects(make(request), /longer than 0.001 s/)
  await assert.rejects(make(request), /longer than 0.001 s/)
})

test('given a pool that is closed, then waiting and new requests fail', async (t) => {
  const opened = await openPool(t)
  const request = await givenValues(opened, 100_000)
  const { make } = opened
  const waiting = Promise.allSettled([make(request), make(request)])
  await opened.pool[Symbol.asyncDispose]()
  for (const { status } of await waiting) assert.equal(status, 'rejected')
  await assert.rejects(make(request), /is stopping/)
})
