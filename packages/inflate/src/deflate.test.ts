import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { deflateAsZlib } from './deflate.ts'

/** Of zlib 1.2.13 at level 6, memory level 8: `Root` and eight bytes that Node's own zlib packs otherwise. */
const PLAIN = Buffer.from('04526f6f74ffffffff0100000002000000', 'hex')
const PACKED = '6309cacf2ff90f048c0c0c0c4c400c00'
const FLUSHED = '6209cacf2ff90f048c0c0c0c4c400c000000ffff0300'

test('[INF-7] given bytes, when packed, then the stream is that of zlib, byte by byte', () => {
  assert.equal(Buffer.from(deflateAsZlib(PLAIN)).toString('hex'), PACKED)
  assert.equal(Buffer.from(deflateAsZlib(PLAIN, true)).toString('hex'), FLUSHED)
})

test('[INF-7] given any bytes, when packed, then they come back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.nat(60), fc.boolean(), (bytes, times, isFlushed) => {
      const plain = Buffer.alloc(bytes.length * times, bytes)
      assert.ok(inflateRawSync(deflateAsZlib(plain, isFlushed)).equals(plain))
    }),
    { numRuns: 50 },
  )
})
