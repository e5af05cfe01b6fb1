import assert from 'node:assert/strict'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { createFolder } from '../../testing/definition-folder.ts'
import { pourFile } from './pour-file.ts'

const PIECE = 256 * 1024

test('given a file of any size and a slow taker, then all bytes in order, in two buffers that are used again', async (t) => {
  const path = join(await createFolder(t), 'file')
  const sizes = fc.oneof(
    fc.nat(1000),
    fc.nat(4 * PIECE),
    fc.constantFrom(0, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE),
  )
  await fc.assert(
    fc.asyncProperty(sizes, fc.array(fc.boolean(), { minLength: 1 }), async (size, isSlow) => {
      const bytes = Buffer.from({ length: size, 0: 1 })
      for (let at = 0; at < size; at += 97) bytes[at] = at % 251
      await writeFile(path, bytes)
      await using file = await open(path)
      const taken: Buffer[] = []
      const buffers = new Set<ArrayBufferLike>()
      let turn = 0
      await pourFile(file, size, async (piece) => {
        buffers.add(piece.buffer)
        if (isSlow[turn++ % isSlow.length]) await new Promise(setImmediate)
        taken.push(Buffer.from(piece))
      })
      assert.ok(Buffer.concat(taken).equals(bytes))
      assert.ok(buffers.size <= 2)
    }),
    { numRuns: 40 },
  )
})

test('given a taker that fails, or a file that is shorter than it was, then pouring fails', async (t) => {
  const path = join(await createFolder(t), 'file')
  await writeFile(path, Buffer.alloc(3 * PIECE))
  await using file = await open(path)
  let count = 0
  const failing = pourFile(file, 3 * PIECE, async () => {
    if (++count === 2) throw new Error('enough')
  })
  await assert.rejects(failing, /enough/)
  await assert.rejects(
    pourFile(file, 4 * PIECE, async () => {}),
    /ends after 786432 bytes/,
  )
})
