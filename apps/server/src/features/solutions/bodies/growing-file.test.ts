import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import { createFolder } from '../../../testing/definition-folder.ts'
import { createGrowingFile, openGrowingFile } from './growing-file.ts'

/** What a reader gets, from now on. */
async function readAll(file: Awaited<ReturnType<typeof createGrowingFile>>): Promise<Buffer> {
  await using reader = file.open()!
  return Buffer.concat(await Array.fromAsync(reader.read()))
}

test('given chunks of any lengths, and readers that begin at any time, then each reads all bytes, and no file is left', async (t) => {
  const folder = await createFolder(t)
  const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 90_000 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(chunks, async (list) => {
      const file = await createGrowingFile(folder)
      const reads: Promise<Buffer>[] = []
      {
        await using written = await openGrowingFile(file.path, () => {})
        let bytes = 0
        for (const chunk of list) {
          reads.push(readAll(file))
          await written.append(chunk)
          bytes += chunk.length
          file.grow(bytes)
        }
      }
      reads.push(readAll(file))
      await file.end()
      const whole = Buffer.concat(list)
      for (const read of await Promise.all(reads)) assert.ok(read.equals(whole))
      assert.equal(file.open(), undefined)
      assert.deepEqual(await readdir(folder), [])
    }),
    { numRuns: 20 },
  )
})

test('given a writer that reports, then what it has reported can be read at once, before the end', async (t) => {
  const file = await createGrowingFile(await createFolder(t))
  await using written = await openGrowingFile(file.path, file.grow)
  await using reader = file.open()!
  const chunks = reader.read()[Symbol.asyncIterator]()
  const first = chunks.next()
  await written.append(Buffer.alloc(300_000, 7))
  assert.equal((await first).value![0], 7)
  await file.end()
})

test('given a writer that fails, then its readers get the error after what was there, and no file is left', async (t) => {
  const folder = await createFolder(t)
  const file = await createGrowingFile(folder)
  const rejected = assert.rejects(readAll(file), /1 MB/)
  await file.end(new Error('It took more than 1 MB of memory.'))
  await rejected
  assert.deepEqual(await readdir(folder), [])
})
