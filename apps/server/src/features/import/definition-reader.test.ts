import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { openDiskBlobs } from '../../platform/blobs/disk.ts'
import { DEFAULT_POOL_LIMITS } from '../../platform/processes/pool-limits.ts'
import { atEnd } from '../../testing/at-end.ts'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { createFolder } from '../../testing/definition-folder.ts'
import { openDefinitionReader, type ReaderOptions } from './definition-reader.ts'

function openReader(t: TestContext, options: ReaderOptions = {}) {
  const reader = openDefinitionReader(options)
  atEnd(t, async () => reader[Symbol.asyncDispose]())
  return reader
}

const fileOf = (text = 'hello') => createDefinitionFile({ text })

/** A thousand kilobytes as a file, and hundreds of megabytes of objects when it is read. */
const heavyFile = () => createDefinitionFile({ panels: 30_000 })

/** Some 100 KB as a file, and so many megabytes of JSON when it is read. */
const hugePanel = (megabytes: number) => fileOf('"'.repeat((megabytes * 2 ** 20) / 2))

test('given definitions, when they are read side by side, then each has its own document', async (t) => {
  const reader = openReader(t)
  const texts = ['one', 'two', 'three']
  const documents = await Promise.all(texts.map((text) => reader.read(fileOf(text))))
  for (const [index, { content }] of documents.entries()) {
    assert.ok(Buffer.from(content).toString().includes(`"${texts[index]}"`))
  }
})

test('given a file that is no definition, when it is read, then the reason is told and the next one is read', async (t) => {
  const reader = openReader(t)
  await assert.rejects(reader.read(new Uint8Array(3)), { name: 'ImportError', message: /\S/ })
  assert.ok((await reader.read(fileOf())).content.length > 0)
})

test('[IMP-15] given a file that takes too long, when it is read, then it fails and says so', async (t) => {
  const reader = openReader(t, { limits: { ...DEFAULT_POOL_LIMITS.definitions, cpuMs: 1 } })
  await assert.rejects(reader.read(heavyFile()), {
    name: 'ImportError',
    message: 'it takes more than 0.001 s to read',
  })
})

test('[IMP-15] given a file that takes too much memory, when it is read, then it fails alone', async (t) => {
  const reader = openReader(t, { limits: { ...DEFAULT_POOL_LIMITS.definitions, heapMb: 64 } })
  const [heavy, next] = await Promise.allSettled([reader.read(heavyFile()), reader.read(fileOf())])
  assert.equal(heavy.status === 'rejected' && heavy.reason.message, 'it takes too much memory to read')
  assert.equal(next.status, 'fulfilled')
})

test('[IMP-22] given an uploaded file whose document is huge, when it is read, then the document is in the blob store, and this process holds none of it', async (t) => {
  const blobsFolder = await createFolder(t)
  const blobs = await openDiskBlobs(blobsFolder)
  const reader = openReader(t, { blobsFolder })
  const small = await blobs.put(fileOf())
  assert.equal((await reader.readBlob(small.digest, 'a')).content.kind, 'inline')
  const { digest, size } = await blobs.put(hugePanel(112))
  assert.ok(size < 300_000, `${size} bytes`)
  const before = process.memoryUsage.rss()
  const { content } = await reader.readBlob(digest, 'a')
  const grown = process.memoryUsage.rss() - before
  assert.ok(content.kind === 'blob')
  const opened = (await blobs.open(content.digest))!
  await opened.close()
  assert.ok(opened.size > 112 * 2 ** 20, `${opened.size} bytes`)
  assert.ok(grown < 64 * 2 ** 20, `${grown >> 20} MB more`)
})

test('[IMP-17] given a reader that is closed, when files are read or wait, then none is blamed, and no process starts again', async (t) => {
  const reader = openReader(t)
  await reader.read(fileOf())
  const reading = Promise.allSettled([reader.read(heavyFile()), reader.read(fileOf())])
  setImmediate(() => reader[Symbol.asyncDispose]())
  for (const read of await reading) {
    assert.equal(read.status === 'rejected' && read.reason.message, 'The service is stopping.')
  }
  await assert.rejects(reader.read(fileOf()), /The service is stopping/)
})

test('[IMP-14] given a file that is being read, when the import is stopped, then it is given up, and so are those that wait', async (t) => {
  const stop = new AbortController()
  const reader = openReader(t, { signal: stop.signal })
  await reader.read(fileOf())
  const reading = Promise.allSettled([reader.read(heavyFile()), reader.read(fileOf())])
  setImmediate(() => stop.abort())
  assert.deepEqual(
    (await reading).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})
