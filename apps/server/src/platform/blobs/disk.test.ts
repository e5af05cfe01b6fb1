import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chown, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createFolder } from '../../testing/definition-folder.ts'
import { openDiskBlobs } from './disk.ts'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

async function openStore(t: TestContext) {
  const folder = await createFolder(t)
  return { folder, blobs: await openDiskBlobs(folder) }
}

test('given bytes, when they are put, then they are found under their SHA-256, whole and in part', async (t) => {
  const { blobs } = await openStore(t)
  const { digest, size } = await blobs.put(Buffer.from('a definition'))
  assert.deepEqual({ digest, size }, { digest: sha256('a definition'), size: 12 })
  assert.equal(await blobs.has(digest), true)
  assert.equal(String(await blobs.read(digest)), 'a definition')
  const opened = await blobs.open(digest)
  assert.equal(opened?.size, 12)
  const part = await opened.stream({ start: 2, end: 4 }).toArray()
  assert.equal(Buffer.concat(part).toString(), 'def')
})

test('given a stream, when it is put, then its bytes are stored in order; empty ones too', async (t) => {
  const { blobs } = await openStore(t)
  async function* chunks() {
    yield Buffer.from('one ')
    yield Buffer.from('two')
  }
  const { digest } = await blobs.put(chunks())
  assert.equal(digest, sha256('one two'))
  assert.equal(String(await blobs.read(digest)), 'one two')
  const empty = await blobs.put(new Uint8Array())
  assert.equal((await blobs.read(empty.digest))?.length, 0)
})

test('given a stream that breaks off, when it is put, then nothing of it stays', async (t) => {
  const { blobs, folder } = await openStore(t)
  async function* broken() {
    yield Buffer.from('one ')
    throw new Error('the disk was pulled')
  }
  await assert.rejects(blobs.put(broken()), /the disk was pulled/)
  assert.deepEqual(await readdir(folder, { recursive: true }), ['unfinished'])
})

test('given many writers of the same bytes at once, when all are done, then there is one whole blob', async (t) => {
  const { blobs, folder } = await openStore(t)
  const bytes = Buffer.alloc(300_000, 7)
  const other = await openDiskBlobs(folder)
  const stored = await Promise.all(
    Array.from({ length: 20 }, (_, i) => (i % 2 ? blobs : other).put(i % 3 ? bytes : streamOf(bytes))),
  )
  assert.equal(new Set(stored.map(({ digest }) => digest)).size, 1)
  assert.deepEqual(await blobs.read(stored[0]!.digest), bytes)
  assert.deepEqual(await readdir(join(folder, 'unfinished')), [])
})

async function* streamOf(bytes: Uint8Array) {
  for (let start = 0; start < bytes.length; start += 65_536) yield bytes.subarray(start, start + 65_536)
}

test('given a text that is no digest, when it is read, then it names no blob and leads nowhere', async (t) => {
  const { blobs, folder } = await openStore(t)
  await writeFile(join(folder, 'secret'), 'not a blob')
  for (const text of [
    '../secret',
    'secret',
    '',
    `../${'a'.repeat(61)}`,
    'A'.repeat(64),
    `${'a'.repeat(64)}\n`,
  ]) {
    assert.equal(await blobs.has(text), false)
    assert.equal(await blobs.read(text), undefined)
    assert.equal(await blobs.open(text), undefined)
    await blobs.remove(text)
  }
  assert.equal((await stat(join(folder, 'secret'))).size, 10)
})

test('given a blob, when it is removed, then it is missing, and removing it again is no mistake', async (t) => {
  const { blobs } = await openStore(t)
  const { digest } = await blobs.put(Buffer.from('x'))
  await blobs.remove(digest)
  await blobs.remove(digest)
  assert.equal(await blobs.has(digest), false)
  assert.equal(await blobs.open(digest), undefined)
})

test('given bytes that are there, when they are put again, then the blob counts as wanted now', async (t) => {
  const { blobs, folder } = await openStore(t)
  const { digest } = await blobs.put(Buffer.from('x'))
  const path = join(folder, digest.slice(0, 2), digest)
  await utimes(path, 1, 1)
  await blobs.put(Buffer.from('x'))
  assert.ok((await stat(path)).mtimeMs > Date.now() - 60_000)
})

test('given what a crash left behind, when the store is opened a day later, then it is cleared away', async (t) => {
  const { folder } = await openStore(t)
  const old = join(folder, 'unfinished', 'of-a-crash')
  await writeFile(old, 'half a bl')
  await utimes(old, 1, 1)
  await writeFile(join(folder, 'unfinished', 'being-written'), 'half')
  await openDiskBlobs(folder)
  assert.deepEqual(await readdir(join(folder, 'unfinished')), ['being-written'])
})

test('given a blob that was not put for long, when it is removed unless it was, then it goes; one that was just put stays', async (t) => {
  const { folder, blobs } = await openStore(t)
  const [old, young] = [await blobs.put(Buffer.from('old')), await blobs.put(Buffer.from('young'))]
  const longAgo = Date.now() - 100_000
  for (const { digest } of [old, young]) {
    const path = join(folder, digest.slice(0, 2), digest)
    await utimes(path, longAgo / 1000, longAgo / 1000)
  }
  await blobs.put(Buffer.from('young'))
  assert.deepEqual(
    await Promise.all([old, young].map(({ digest }) => blobs.removeUnlessPut(digest, longAgo + 1000))),
    [true, false],
  )
  assert.deepEqual(await Promise.all([old, young].map(({ digest }) => blobs.has(digest))), [false, true])
  assert.equal(await blobs.removeUnlessPut(old.digest, longAgo), true)
  assert.equal(await blobs.removeUnlessPut('../../etc/passwd', Date.now()), true)
})

test('given a blob that is put again and again, when another removes it unless it was put, then the last writer finds it', async (t) => {
  const { blobs } = await openStore(t)
  const bytes = Buffer.from('wanted again')
  for (let round = 0; round < 200; round++) {
    // A file system's clock may be a few milliseconds behind.
    const before = Date.now() - 10
    const [{ digest }] = await Promise.all([
      blobs.put(bytes),
      blobs.removeUnlessPut(sha256('wanted again'), before),
    ])
    assert.equal(await blobs.has(digest), true)
  }
})

test('[DATA-1] given a store of another user, when the administrator puts a blob, then it belongs to that user', {
  skip: process.getuid?.() !== 0 && 'only the administrator can give files away',
}, async (t) => {
  const folder = await createFolder(t)
  await chown(folder, 65534, 65534)
  const { digest } = await (await openDiskBlobs(folder)).put(Buffer.from('a definition'))
  for (const path of [digest.slice(0, 2), join(digest.slice(0, 2), digest)]) {
    assert.equal((await stat(join(folder, path))).uid, 65534, path)
  }
})

test('given blobs, marks and files of others, when the blobs are listed, then each is there once with its size and time', async (t) => {
  const { blobs, folder } = await openStore(t)
  await blobs.writeMark('store', 'an id')
  await writeFile(join(folder, 'of-another-program'), '')
  const before = Date.now()
  const stored = await Promise.all(Array.from({ length: 30 }, (_, i) => blobs.put(Buffer.alloc(i, 'x'))))
  const listed = await Array.fromAsync(blobs.list())
  const bySize = listed.toSorted((a, b) => a.size - b.size)
  assert.deepEqual(
    bySize.map(({ digest, size }) => ({ digest, size })),
    stored,
  )
  // A file system's clock may be a few milliseconds behind.
  assert.ok(listed.every(({ putAt }) => putAt > before - 1000 && putAt < Date.now() + 1000))
})

test('given a mark, when it is written again and removed, then its text is the last one, then none', async (t) => {
  const { blobs, folder } = await openStore(t)
  assert.equal(await blobs.readMark('store'), undefined)
  await blobs.writeMark('store', 'one')
  await blobs.writeMark('store', 'zwei ß')
  const other = await openDiskBlobs(folder)
  assert.equal(await other.readMark('store'), 'zwei ß')
  await other.removeMark('store')
  await other.removeMark('store')
  assert.equal(await blobs.readMark('store'), undefined)
  for (const name of ['', '../secret', 'Store', 'a'.repeat(81), 'a/b']) {
    await assert.rejects(blobs.readMark(name), /is not the name of a mark/)
    await assert.rejects(blobs.writeMark(name, ''), /is not the name of a mark/)
    await assert.rejects(blobs.removeMark(name), /is not the name of a mark/)
  }
})
