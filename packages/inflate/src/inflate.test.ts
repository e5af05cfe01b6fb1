import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constants, deflateRawSync, deflateSync, inflateRawSync, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { type Inflated, inflateRaw, inflateZlib } from './inflate.ts'

/** Bytes of every kind: none, random ones, few different ones, repeated from near and from far. */
const bytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.array(fc.constantFrom(7, 8, 9), { maxLength: 300 }).map((some) => Uint8Array.from(some)),
      fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(2000)).map(([some, times]) => {
        return Buffer.alloc(some.length * times, some)
      }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => Buffer.concat([...parts, ...parts]))

const options = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  memLevel: fc.integer({ min: 1, max: 9 }),
  windowBits: fc.integer({ min: 9, max: 15 }),
  strategy: fc.constantFrom(
    constants.Z_DEFAULT_STRATEGY,
    constants.Z_FILTERED,
    constants.Z_HUFFMAN_ONLY,
    constants.Z_RLE,
    constants.Z_FIXED,
  ),
})

const MAX = 2 ** 24

const FORMS = [
  { name: 'raw', inflate: inflateRaw, pack: deflateRawSync, unpack: inflateRawSync },
  { name: 'zlib', inflate: inflateZlib, pack: deflateSync, unpack: inflateSync },
] as const

for (const { name, inflate, pack, unpack } of FORMS) {
  test(`[INF-1] [INF-4] given ${name} streams of any kind, when inflated, then the bytes, and where the stream ended`, () => {
    fc.assert(
      fc.property(bytes, options, fc.uint8Array({ maxLength: 9 }), (plain, how, rest) => {
        const packed = pack(plain, how)
        const inflated = inflate(Buffer.concat([packed, rest]), MAX)
        assert.deepEqual([inflated.end, inflated.packedBytes], ['whole', packed.length])
        assert.ok(plain.equals(inflated.bytes))
      }),
      { numRuns: 300 },
    )
  })

  test(`[INF-1] [INF-6] given changed ${name} streams, when inflated, then as zlib does`, () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(bytes, options, changes, (plain, how, changed) => {
        // In a smaller window, whether zlib accepts a wrong distance depends on how it is called.
        const packed = pack(plain, { ...how, windowBits: 15 })
        for (const [at, value] of changed) packed[at % Math.min(packed.length, 200)] = value
        assertSame(inflate(packed, MAX), () => unpack(packed, { maxOutputLength: MAX }))
      }),
      { numRuns: 2000 },
    )
  })

  test(`[INF-1] [INF-6] given any bytes as a ${name} stream, when inflated, then as zlib does`, () => {
    const start = name === 'zlib' ? [0x78, 0x9c] : []
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (some) => {
        const packed = Buffer.from([...start, ...some])
        assertSame(inflate(packed, MAX), () => unpack(packed, { maxOutputLength: MAX }))
      }),
      { numRuns: 5000 },
    )
  })

  test(`[INF-2] given a ${name} stream that is cut short anywhere, when inflated, then it is truncated, and begins as the whole`, () => {
    fc.assert(
      fc.property(bytes, options, fc.nat(), (plain, how, length) => {
        const packed = pack(plain, how)
        const inflated = inflate(packed.subarray(0, length % packed.length), MAX)
        assert.equal(inflated.end, 'truncated')
        assert.ok(plain.subarray(0, inflated.bytes.length).equals(inflated.bytes))
      }),
      { numRuns: 500 },
    )
  })

  test(`[INF-3] given a limit, when a ${name} stream is inflated, then it has up to so many bytes`, () => {
    fc.assert(
      fc.property(bytes, options, fc.nat(), (plain, how, less) => {
        const packed = pack(plain, how)
        assert.equal(inflate(packed, plain.length).end, 'whole')
        if (plain.length === 0) return
        const { end, bytes } = inflate(packed, less % plain.length)
        assert.equal(end, 'too_large')
        assert.ok(bytes.length <= less % plain.length && plain.subarray(0, bytes.length).equals(bytes))
      }),
    )
  })
}

test('[INF-5] given a stream in zlib wrapping whose bytes are others, when inflated, then it is damaged', () => {
  const packed = deflateSync(Buffer.alloc(100_000, 'meadow'))
  assert.equal(inflateZlib(packed, MAX).end, 'whole')
  packed[packed.length - 1]! ^= 1
  assert.equal(inflateZlib(packed, MAX).end, 'damaged')
})

test('[INF-3] [INF-6] given a stream that inflates a thousandfold, when inflated, then no memory beyond the limit is taken', () => {
  const bomb = deflateRawSync(Buffer.alloc(2 ** 26))
  const { end, bytes } = inflateRaw(bomb, 2 ** 20)
  assert.equal(end, 'too_large')
  assert.ok(bytes.buffer.byteLength <= 2 ** 20)
})

/** Both return the same bytes, or both reject. */
function assertSame(inflated: Inflated, unpack: () => Uint8Array): void {
  let expected: Uint8Array
  try {
    expected = unpack()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A code without words is seen at once here; zlib reads on, until it misses the word for the end of the block.
    const ends = code === 'Z_BUF_ERROR' ? ['truncated', 'damaged'] : ['damaged']
    assert.ok(ends.includes(inflated.end), `${inflated.end}, and zlib ${code}`)
    return
  }
  assert.equal(inflated.end, 'whole')
  assert.ok(Buffer.from(expected).equals(inflated.bytes))
}
