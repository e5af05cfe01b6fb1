import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { type MessagePort, Worker } from 'node:worker_threads'
import { createFolder } from '../../testing/definition-folder.ts'
import { until } from '../../testing/until.ts'
import type { BlobStore } from './blobs.ts'
import { openDiskBlobs } from './disk.ts'
import { createBodyPoster } from './post-bodies.ts'
import { putCompressed } from './put-compressed.ts'
import { receiveBodies } from './receive-bodies.ts'

const CHUNK = Buffer.from('{"type":"number","value":0.5},'.repeat(3000))

test('given bodies of a thread, when they are posted side by side, then each is stored as it would have been there', async (t) => {
  const blobs = await openDiskBlobs(await createFolder(t))
  const putBody = createBodyPoster(receiveBodies(blobs))
  const bodies = [Array(50).fill(CHUNK), [], [Buffer.from('x')]]
  const posted = await Promise.all(bodies.map((chunks) => putBody(chunks, { gzipLevel: 3 })))
  const put = await Promise.all(bodies.map((chunks) => putCompressed(blobs, chunks, { gzipLevel: 3 })))
  assert.deepEqual(posted, put)
})

test('given a body that breaks off, when it is posted, then the call fails with the reason, and nothing is left', async (t) => {
  const folder = await createFolder(t)
  const putBody = createBodyPoster(receiveBodies(await openDiskBlobs(folder)))
  function* breaksOff() {
    yield CHUNK
    throw new Error('broken off')
  }
  await assert.rejects(putBody(breaksOff()), /broken off/)
  await untilEmpty(folder)
})

test('given a store that fails, when a body without end is posted, then the call fails with the reason', async () => {
  const noRoom = Object.assign(new Error('no room'), { code: 'ENOSPC' })
  const full = { put: () => Promise.reject(noRoom) } as unknown as BlobStore
  function* endless() {
    for (;;) yield CHUNK
  }
  await assert.rejects(createBodyPoster(receiveBodies(full))(endless()), {
    message: 'the disk is full',
    code: 'ENOSPC',
  })
})

test('given a store that does not read yet, when a body is posted, then no more than a few chunks are made', async (t) => {
  const blobs = await openDiskBlobs(await createFolder(t))
  const begin = Promise.withResolvers<void>()
  const slow: BlobStore = {
    ...blobs,
    put: async (bytes) => {
      await begin.promise
      return blobs.put(bytes)
    },
  }
  let made = 0
  function* counted() {
    // Compressed they are as long: nothing is hidden in a buffer.
    for (; made < 200; made++) yield crypto.getRandomValues(new Uint8Array(65_536))
  }
  const stored = createBodyPoster(receiveBodies(slow))(counted())
  await until('the first chunks are made', async () => made > 1)
  for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate)
  assert.ok(made < 20, `${made} chunks`)
  begin.resolve()
  assert.equal((await stored).bytes, 200 * 65_536)
})

test('given a thread that is ended within a body, then nothing of it is left', async (t) => {
  const folder = await createFolder(t)
  const bodies = receiveBodies(await openDiskBlobs(folder))
  const poster = JSON.stringify(new URL('./post-bodies.ts', import.meta.url))
  const worker = new Worker(
    `const { workerData } = require('node:worker_threads')
    async function* endless() { for (;;) yield Buffer.alloc(65536) }
    import(${poster}).then(({ createBodyPoster }) => createBodyPoster(workerData)(endless()))`,
    { eval: true, workerData: bodies satisfies MessagePort, transferList: [bodies] },
  )
  await until('the body is being written', async () => (await readdir(join(folder, 'unfinished'))).length > 0)
  await worker.terminate()
  await untilEmpty(folder)
})

const untilEmpty = (folder: string) =>
  until('nothing is left', async () => (await readdir(folder, { recursive: true })).join() === 'unfinished')
