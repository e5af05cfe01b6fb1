import assert from 'node:assert/strict'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { createFolder } from '../../testing/definition-folder.ts'
import { pourFile } from './disk.ts'

const PIECE = 640 * 1024

type Part = [start: number, after: number]

/** Where a part of a file begins and ends; mostly it is the whole. */
const SHARES = fc.oneof(
  { weight: 2, arbitrary: fc.constant([0, 1]) },
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 2 }),
)

test('given a file of any size, any part of it and a slow taker, then those bytes in order, in two buffers that are used again', async (t) => {
  const path = join(await createFolder(t), 'file')
  const sizes = fc.oneof(
    fc.nat(1000),
    fc.nat(4 * PIECE),
    fc.constantFrom(0, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE),
  )
  await fc.assert(
    fc.asyncProperty(
      sizes,
      SHARES,
      fc.array(fc.boolean(), { minLength: 1 }),
      async (size, shares, isSlow) => {
        const [start, after] = shares.map((share) => Math.round(share * size)).sort((a, b) => a - b) as Part
        const bytes = Buffer.from({ length: size, 0: 1 })
        for (let at = 0; at < size; at += 97) bytes[at] = at % 251
        await writeFile(path, bytes)
        await using file = await open(path)
        const taken: Buffer[] = []
        const buffers = new Set<ArrayBufferLike>()
        let turn = 0
        await pourFile(file.fd, { start, end: after - 1 }, async (piece) => {
          buffers.add(piece.buffer)
          if (isSlow[turn++ % isSlow.length]) await new Promise(setImmediate)
          taken.push(Buffer.from(piece))
        })
        assert.ok(Buffer.concat(taken).equals(bytes.subarray(start, after)))
        assert.ok(buffers.size <= 2)
      },
    ),
    { numRuns: 40 },
  )
})

test('given a taker that fails, or a file that is shorter than it was, then pouring fails', async (t) => {
  const path = join(await createFolder(t), 'file')
  await writeFile(path, Buffer.alloc(3 * PIECE))
  await using file = await open(path)
  let count = 0
  const failing = pourFile(file.fd, { start: 0, end: 3 * PIECE - 1 }, async () => {
    if (++count === 2) throw new Error('enough')
  })
  await assert.rejects(failing, /enough/)
  await assert.rejects(
    pourFile(file.fd, { start: 0, end: 4 * PIECE - 1 }, async () => {}),
    /ends after 1966080 bytes/,
  )
})
