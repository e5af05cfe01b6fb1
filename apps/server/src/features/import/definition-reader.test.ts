import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { atEnd } from '../../testing/at-end.ts'
import { createDefinitionFile } from '../../testing/definition-file.ts'
import { DefinitionReader, type ReadLimits } from './definition-reader.ts'

function openReader(t: TestContext, limits?: ReadLimits, signal = new AbortController().signal) {
  const reader = new DefinitionReader(signal, limits)
  atEnd(t, () => reader[Symbol.asyncDispose]())
  return reader
}

/** As `readStableFile` makes them: memory of their own. */
const fileOf = (text = 'hello') => new Uint8Array(createDefinitionFile({ text }))

/** A thousand kilobytes as a file, and hundreds of megabytes of objects when it is read. */
const heavyFile = () => new Uint8Array(createDefinitionFile({ panels: 30_000 }))

test('given definitions, when they are read side by side, then each has its own document, and its bytes come back', async (t) => {
  const reader = openReader(t)
  const texts = ['one', 'two', 'three']
  const answers = await Promise.all(texts.map((text) => reader.read(fileOf(text))))
  for (const [index, { bytes, document }] of answers.entries()) {
    assert.deepEqual(bytes, fileOf(texts[index]))
    assert.ok(Buffer.from(document.content).toString().includes(`"${texts[index]}"`))
  }
})

test('given a file that is no definition, when it is read, then the reason is told and the next one is read', async (t) => {
  const reader = openReader(t)
  await assert.rejects(reader.read(new Uint8Array(3)), { name: 'ImportError', message: /\S/ })
  assert.ok((await reader.read(fileOf())).document.content.length > 0)
})

test('[IMP-15] given a file that takes too long, when it is read, then it fails and says so', async (t) => {
  const reader = openReader(t, { deadlineMs: 1, heapMb: 1024 })
  await assert.rejects(reader.read(fileOf()), {
    name: 'ImportError',
    message: 'it takes more than 0.001 s to read',
  })
})

test('[IMP-15] given a file that takes too much memory, when it is read, then it fails alone', async (t) => {
  const reader = openReader(t, { deadlineMs: 60_000, heapMb: 64 })
  const [heavy, next] = await Promise.allSettled([reader.read(heavyFile()), reader.read(fileOf())])
  assert.equal(heavy.status === 'rejected' && heavy.reason.message, 'it takes too much memory to read')
  assert.equal(next.status, 'fulfilled')
})

test('[IMP-17] given a reader that is closed, when files are read or wait, then none is blamed, and no thread starts again', async (t) => {
  const reader = openReader(t)
  await reader.read(fileOf())
  const reading = Promise.allSettled([reader.read(heavyFile()), reader.read(fileOf())])
  setImmediate(() => reader[Symbol.asyncDispose]())
  for (const read of await reading) {
    assert.equal(read.status === 'rejected' && read.reason.message, 'The thread has ended.')
  }
})

test('[IMP-14] given a file that is being read, when the import is stopped, then it is given up, and so are those that wait', async (t) => {
  const stop = new AbortController()
  const reader = openReader(t, undefined, stop.signal)
  await reader.read(fileOf())
  const reading = Promise.allSettled([reader.read(heavyFile()), reader.read(fileOf())])
  setImmediate(() => stop.abort())
  assert.deepEqual(
    (await reading).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})
