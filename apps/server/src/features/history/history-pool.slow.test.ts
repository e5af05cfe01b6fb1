import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import { encodeLiveDocument } from '@meadow/document/live'
import { JobFailure } from '@meadow/processes'
import { openHistoryPool } from '../../content/history/history-pool.ts'
import {
  createHistoryWork,
  createSmallHistoryWork,
  type HistoryWork,
  MAX_HERE_BYTES,
} from '../../content/history/history-work.ts'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { DEFAULT_POOL_LIMITS } from '../../platform/processes/pool-limits.ts'
import { atEnd } from '../../testing/at-end.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { sliderContent } from '../live/testing/sliders.ts'

const TEAM = '1'

async function open(t: TestContext, limits = DEFAULT_POOL_LIMITS.values) {
  const folder = await createFolder(t)
  const blobs = await openDiskBlobs(folder)
  const pool = openHistoryPool(blobs, { kind: 'disk', folder }, limits)
  atEnd(t, async () => {
    await pool[Symbol.asyncDispose]()
  })
  return { blobs, pool, here: createHistoryWork(blobs) }
}

const textOf = (sliders: number): Buffer => Buffer.from(JSON.stringify(sliderContent(sliders)))
const LARGE = 2000

test('[HIST-16] given a document of more than 500 KB, then the work on its versions in a child process has the results that it has here', async (t) => {
  const { blobs, pool, here } = await open(t)
  const text = textOf(LARGE)
  assert.ok(text.length > MAX_HERE_BYTES)
  const { digest } = await blobs.put(text)
  const version = { base: { content: null, blob: digest, isPlain: true }, delta: null, valueBytes: 0 }
  const updates = [encodeLiveDocument(sliderContent(3) as GraphContent)]
  const all = async (work: HistoryWork) => {
    const encoded = await work.encode({ kind: 'encode', json: { bytes: text }, base: undefined }, TEAM)
    const { edit, ...restored } = await work.restore(
      { kind: 'restore', version, updates, isContentWanted: true },
      TEAM,
    )
    const copied = await work.copy({ kind: 'copy', version }, TEAM)
    const replaced = await work.replace({ kind: 'replace', content: { digest }, updates }, TEAM)
    const opened = await work.open({ kind: 'open', content: { digest } }, TEAM)
    // The ids of the clients of an edit are random.
    assert.ok(edit instanceof Uint8Array && edit.length > 1000 && replaced.edit instanceof Uint8Array)
    return JSON.parse(JSON.stringify({ encoded, restored, copied, values: replaced.values, opened }))
  }
  assert.deepEqual(await all(pool), await all(here))
})

test('[HIST-16] given a job that needs more than a child may have, then only large documents fail, and nothing else does', async (t) => {
  const { pool } = await open(t, { ...DEFAULT_POOL_LIMITS.values, cpuMs: 1 })
  const request = (text: Buffer) => ({ kind: 'encode' as const, json: { bytes: text }, base: undefined })
  assert.equal((await pool.encode(request(textOf(5)), TEAM)).nodes, 5)
  // It takes seconds, and a process may always use a tenth of one.
  await assert.rejects(pool.encode(request(textOf(10 * LARGE)), TEAM), JobFailure)
  assert.equal((await pool.encode(request(textOf(6)), TEAM)).nodes, 6)
})

test('[HIST-16] given a large document, when it is to be worked on inside a transaction, then that is refused', async (t) => {
  const { blobs } = await open(t)
  const small = createSmallHistoryWork(blobs)
  const encode = (text: Buffer) =>
    small.encode({ kind: 'encode', json: { bytes: text }, base: undefined }, TEAM)
  assert.equal((await encode(textOf(5))).nodes, 5)
  await assert.rejects(encode(textOf(LARGE)), /changed meanwhile/)
})
