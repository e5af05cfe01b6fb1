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
