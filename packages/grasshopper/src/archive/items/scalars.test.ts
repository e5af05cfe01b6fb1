import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BinaryReader } from './binary-reader.ts'
import { BinaryWriter } from './binary-writer.ts'
import { decimal } from './decimal.ts'
import type { Scalar } from './scalar.ts'
import { colour, guid, int64 } from './scalars.ts'

function assertBytes<V>(scalar: Scalar<V>, value: V, hex: string): void {
  const writer = new BinaryWriter()
  scalar.write(writer, value)
  assert.equal(Buffer.from(writer.finish()).toString('hex'), hex)
  assert.equal(scalar.read(new BinaryReader(Buffer.from(hex, 'hex'))), value)
}

test('[GHA-6] given a GUID, when written, then the first three groups are little-endian', () => {
  assertBytes(guid, '00112233-4455-6677-8899-aabbccddeeff', '33221100554477668899aabbccddeeff')
})

test('[GHA-6] given a colour, when written, then its bytes are blue, green, red, alpha', () => {
  assertBytes(colour, 0xff112233, '332211ff')
})

test('[GHA-6] given a date with all 64 bits, when written, then none is lost', () => {
  assertBytes(int64, 0x7fff_ffff_ffff_fffen, 'feffffffffffff7f')
  assertBytes(int64, -(2n ** 63n), '0000000000000080')
})

test('[GHA-6] given decimals, when written, then places and sign are kept', () => {
  assertBytes(decimal, '50', '32000000000000000000000000000000')
  assertBytes(decimal, '50.00', '88130000000000000000000000000200')
  assertBytes(decimal, '-0.0', '00000000000000000000000000000180')
  assertBytes(decimal, '-79228162514264337593543950335', 'ffffffffffffffffffffffff00000080')
  assertBytes(decimal, '0.0000000000000000000000000001', '01000000000000000000000000001c00')
})

test('[GHA-27] given texts that are not decimals, when checked, then they are not accepted', () => {
  for (const text of [
    '',
    '.5',
    '5.',
    '05',
    '+5',
    '1e5',
    '0.00000000000000000000000000001',
    '79228162514264337593543950336',
  ]) {
    assert.equal(decimal.accepts(text), false, text)
    assert.equal(decimal.parse(text), undefined, text)
  }
})
