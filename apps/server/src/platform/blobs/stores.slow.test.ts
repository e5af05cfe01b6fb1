import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { BLOB_STORES } from '../../testing/blob-stores.ts'

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** Larger than what a store keeps in memory of a stream, and than a part of an upload. */
const LARGE = randomBytes(20 * 2 ** 20 + 12_345)

async function* streamOf(bytes: Uint8Array, chunkBytes = 65_536) {
  const chunk = Buffer.alloc(chunkBytes)
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    const length = Math.min(chunkBytes, bytes.length - start)
    chunk.set(bytes.subarray(start, start + length))
    // The same buffer again and again, as those of a pool.
    yield chunk.subarray(0, length)
  }
}

for (const kind of BLOB_STORES) {
  describe(`a blob store in ${kind.name}`, kind.options, () => {
    test('[BLB-1] given bytes, when they are put, then they are found under their SHA-256, whole and in part', async (t) => {
      const { blobs } = await kind.open(t)
      const { digest, size } = await blobs.put(Buffer.from('a definition'))
      assert.deepEqual({ digest, size }, { digest: sha256('a definition'), size: 12 })
      assert.equal(await blobs.has(digest), true)
      assert.equal(await blobs.size(digest), 12)
      assert.equal(String(await blobs.read(digest)), 'a definition')
      const opened = await blobs.open(digest)
      assert.equal(opened?.size, 12)
      const part = await opened.stream({ start: 2, end: 4 }).toArray()
      assert.equal(Buffer.concat(part).toString(), 'def')
      const closed = await blobs.open(digest)
      await closed?.close()
    })

    test('[BLB-1] given a stream, when it is put, then its bytes are stored in order; empty ones too', async (t) => {
      const { blobs } = await kind.open(t)
      async function* chunks() {
        yield Buffer.from('one ')
        yield Buffer.from('two')
      }
      const { digest } = await blobs.put(chunks())
      assert.equal(digest, sha256('one two'))
      assert.equal(String(await blobs.read(digest)), 'one two')
      const empty = await blobs.put(new Uint8Array())
      assert.equal((await blobs.read(empty.digest))?.length, 0)
      const opened = (await blobs.open(empty.digest))!
      assert.deepEqual([opened.size, await opened.stream().toArray()], [0, []])
    })

    test('[BLB-2] given a large blob as bytes and as a stream, when it is put, then it is one blob, whole and in part', async (t) => {
      const { blobs } = await kind.open(t)
      const stored = await blobs.put(streamOf(LARGE))
      assert.deepEqual(stored, { digest: sha256(LARGE), size: LARGE.length })
      assert.deepEqual(await blobs.put(LARGE), stored)
      await blobs.remove(stored.digest)
      assert.deepEqual(await blobs.put(LARGE), stored)
      assert.ok((await blobs.read(stored.digest))!.equals(LARGE))
      const range = { start: 9_000_001, end: 17_000_002 }
      const hash = createHash('sha256')
      await (await blobs.open(stored.digest))!.pour(async (chunk) => void hash.update(chunk), range)
      assert.equal(hash.digest('hex'), sha256(LARGE.subarray(range.start, range.end + 1)))
    })

    test('[BLB-2] given a stream that breaks off, when it is put, then it fails with the reason and nothing of it stays', async (t) => {
      const { blobs } = await kind.open(t)
      for (const length of [4, LARGE.length]) {
        async function* broken() {
          yield* streamOf(LARGE.subarray(0, length))
          throw new Error('the disk was pulled')
        }
        await assert.rejects(blobs.put(broken()), /the disk was pulled/)
      }
      assert.deepEqual(await Array.fromAsync(blobs.list()), [])
    })

    test('[BLB-1] given many writers of the same bytes at once, when all are done, then there is one whole blob', async (t) => {
      const { blobs, openAgain } = await kind.open(t)
      const bytes = Buffer.alloc(300_000, 7)
      const other = await openAgain()
      const stored = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 2 ? blobs : other).put(i % 3 ? bytes : streamOf(bytes))),
      )
      assert.equal(new Set(stored.map(({ digest }) => digest)).size, 1)
      assert.deepEqual(await blobs.read(stored[0]!.digest), bytes)
      assert.equal((await Array.fromAsync(blobs.list())).length, 1)
    })

    test('[BLB-3] given a text that is no digest, when it is read or removed, then it names no blob', async (t) => {
      const { blobs } = await kind.open(t)
      await blobs.writeMetadata('secret', 'not a blob')
      for (const text of [
        '../secret',
        '../marks/secret',
        'secret',
        '',
        `../${'a'.repeat(61)}`,
        'A'.repeat(64),
        `${'a'.repeat(64)}\n`,
      ]) {
        assert.equal(await blobs.has(text), false)
        assert.equal(await blobs.size(text), undefined)
        assert.equal(await blobs.read(text), undefined)
        assert.equal(await blobs.open(text), undefined)
        assert.equal(await blobs.removeUnlessPut(text, Date.now()), true)
        await blobs.remove(text)
      }
      assert.equal(await blobs.readMetadata('secret'), 'not a blob')
    })

    test('[BLB-1] given a blob, when it is removed, then it is missing, and removing it again is no mistake', async (t) => {
      const { blobs } = await kind.open(t)
      const { digest } = await blobs.put(Buffer.from('x'))
      await blobs.remove(digest)
      await blobs.remove(digest)
      assert.equal(await blobs.has(digest), false)
      assert.equal(await blobs.open(digest), undefined)
      assert.equal(await blobs.read(digest), undefined)
    })

    test('[BLB-4] given a blob that was not put for long, when it is removed unless it was, then it goes; one that was just put stays', async (t) => {
      const { blobs, makeOld } = await kind.open(t)
      const [old, young] = [await blobs.put(Buffer.from('old')), await blobs.put(Buffer.from('young'))]
      const before = await makeOld([old.digest, young.digest])
      await blobs.put(Buffer.from('young'))
      assert.equal(await blobs.removeUnlessPut(old.digest, before), true)
      assert.equal(await blobs.removeUnlessPut(young.digest, before), false)
      assert.deepEqual([await blobs.has(old.digest), await blobs.has(young.digest)], [false, true])
      assert.equal(await blobs.removeUnlessPut(old.digest, before), true)
    })

    test('[BLB-4] given a blob that is put again and again, when another removes it unless it was put, then each writer finds it', async (t) => {
      const { blobs, makeOld, rounds } = await kind.open(t)
      const bytes = Buffer.from('wanted again')
      const { digest } = await blobs.put(bytes)
      for (let round = 0; round < rounds; round++) {
        const before = await makeOld([digest])
        await Promise.all([blobs.put(bytes), blobs.removeUnlessPut(digest, before)])
        assert.equal(String(await blobs.read(digest)), 'wanted again')
      }
    })

    test('[BLB-5] given blobs and metadata, when the blobs are listed, then each is there once with its size and time', async (t) => {
      const { blobs, count } = await kind.open(t)
      await blobs.writeMetadata('store', 'an id')
      const before = Date.now()
      const contents = Array.from({ length: count }, (_, i) => Buffer.alloc(i, 'x'))
      const stored = await Promise.all(contents.map((bytes) => blobs.put(bytes)))
      const listed = await Array.fromAsync(blobs.list())
      assert.deepEqual(
        listed.toSorted((a, b) => a.size - b.size).map(({ digest, size }) => ({ digest, size })),
        stored,
      )
      // Whole seconds, of another clock.
      assert.ok(listed.every(({ putAt }) => Math.abs(putAt - before) < 60_000))
    })

    test('[BLB-6] given metadata, when it is written again and removed, then its text is the last one, then none', async (t) => {
      const { blobs, openAgain } = await kind.open(t)
      assert.equal(await blobs.readMetadata('store'), undefined)
      await blobs.writeMetadata('store', 'one')
      await blobs.writeMetadata('store', 'zwei ß')
      const other = await openAgain()
      assert.equal(await other.readMetadata('store'), 'zwei ß')
      await blobs.writeMetadata('store-2', '')
      assert.deepEqual((await other.listMetadata('store')).sort(), ['store', 'store-2'])
      assert.deepEqual(await other.listMetadata('store-'), ['store-2'])
      assert.deepEqual(await other.listMetadata('x'), [])
      await other.removeMetadata('store-2')
      await other.removeMetadata('store')
      await other.removeMetadata('store')
      assert.equal(await blobs.readMetadata('store'), undefined)
      for (const name of ['', '../secret', 'Store', 'a'.repeat(81), 'a/b']) {
        await assert.rejects(blobs.readMetadata(name), /is not a name of metadata/)
        await assert.rejects(blobs.writeMetadata(name, ''), /is not a name of metadata/)
        await assert.rejects(blobs.removeMetadata(name), /is not a name of metadata/)
      }
    })

    test('[BLB-9] given a store that makes addresses, when one is followed, then the blob with its name and type, also in part', async (t) => {
      const { blobs, disposition } = await kind.open(t)
      if (!blobs.createAddress) return t.skip('a folder has none')
      const { digest } = await blobs.put(Buffer.from('a definition'))
      const address = (await blobs.createAddress({ digest, mediaType: 'model/vnd.3dm', disposition }, 60))!
      const response = await fetch(address)
      assert.equal(await response.text(), 'a definition')
      const { headers } = response
      assert.deepEqual(
        [headers.get('content-type'), headers.get('content-disposition')],
        ['model/vnd.3dm', disposition],
      )
      const part = await fetch(address, { headers: { range: 'bytes=2-4' } })
      assert.deepEqual([part.status, await part.text()], [206, 'def'])
      assert.equal((await fetch(address.replace('vnd.3dm', 'vnd.4dm'))).status, 403)
      await blobs.remove(digest)
      assert.equal(await blobs.createAddress({ digest, mediaType: 'text/plain', disposition }, 60), undefined)
    })

    test('[BLB-7] given a store that can be written, when it is checked again and again, then nothing of it remains as a blob', async (t) => {
      const { blobs } = await kind.open(t)
      for (let time = 0; time < 3; time++) await blobs.checkWritable()
      assert.deepEqual(await Array.fromAsync(blobs.list()), [])
    })
  })
}
