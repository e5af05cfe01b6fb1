import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BinaryReader } from '../items/binary-reader.ts'
import { BinaryWriter } from '../items/binary-writer.ts'
import { assertRejected } from '../testing/assert-rejected.ts'
import type { Chunk } from '../tree/archive.ts'
import { findItem } from '../tree/find.ts'
import { MAX_DEPTH } from '../tree/limits.ts'
import { readInflatedArchive } from './read-binary.ts'
import { writeInflatedArchive } from './write-binary.ts'

/** The bytes of a root chunk's head, followed by others. */
function bytesOf(
  itemCount: number,
  chunkCount: number,
  write: (writer: BinaryWriter) => void = () => {},
): Uint8Array {
  const writer = new BinaryWriter()
  writer.writeString('Root')
  writer.writeInt32(-1)
  writer.writeInt32(itemCount)
  writer.writeInt32(chunkCount)
  write(writer)
  return writer.finish()
}

function itemBytes(code: number, value: number[]): Uint8Array {
  return bytesOf(1, 0, (writer) => {
    writer.writeString('It')
    writer.writeInt32(7)
    writer.writeInt32(code)
    writer.writeBytes(Uint8Array.from(value))
  })
}

test('[GHA-5] given the first bytes of a real file, when read, then they are as specified', () => {
  const hex =
    '04526f6f74ffffffff01000000000000000e4172636869766556657273696f6effffffff50000000000000000200000002000000'
  const archive = readInflatedArchive(Buffer.from(hex, 'hex'))
  assert.deepEqual(archive.root, {
    name: 'Root',
    index: -1,
    items: [
      { name: 'ArchiveVersion', index: -1, type: 'version', value: { major: 0, minor: 2, revision: 2 } },
    ],
    chunks: [],
  })
})

test('[GHA-4] given a whole archive, when it ends early anywhere, then the error is of a truncated one', () => {
  const root: Chunk = {
    name: 'Root',
    index: -1,
    items: [
      { name: 'Text', index: 0, type: 'string', value: 'ähnlich 🦗' },
      { name: 'Bytes', index: 0, type: 'bytearray', value: Uint8Array.of(1, 2, 3) },
      { name: 'Plane', index: 0, type: 'plane', value: { origin: x(1), xAxis: x(2), yAxis: x(3) } },
    ],
    chunks: [
      { name: 'Inner', index: 3, items: [{ name: 'Id', index: -1, type: 'bool', value: true }], chunks: [] },
    ],
  }
  const bytes = writeInflatedArchive({ root })
  for (let length = 0; length < bytes.length; length++) {
    assertRejected('truncated', /byte \d+$/, () => readInflatedArchive(bytes.subarray(0, length)))
  }
})

function x(value: number) {
  return { x: value, y: 0, z: 0 }
}

test('[GHA-3] given bytes after the end, when read, then they are rejected', () => {
  assertRejected('malformed', /^byte 17$/, () =>
    readInflatedArchive(bytesOf(0, 0, (writer) => writer.writeUint8(0))),
  )
})

test('[GHA-23] given wrong counts, when read, then they are rejected before anything is allocated for them', () => {
  assertRejected('truncated', /^Root, byte 9$/, () => readInflatedArchive(bytesOf(0x7fff_ffff, 0)))
  assertRejected('truncated', /^Root, byte 13$/, () => readInflatedArchive(bytesOf(0, 0x7fff_ffff)))
  assertRejected('malformed', /^Root, byte 9$/, () => readInflatedArchive(bytesOf(-1, 0)))
  assertRejected('malformed', /^Root, byte 13$/, () => readInflatedArchive(bytesOf(0, -5)))
})

test('[GHA-23] given a text of 4 GB in a small file, when read, then it is rejected where it starts', () => {
  const fourGigabytes = [0xff, 0xff, 0xff, 0xff, 0x0f]
  assertRejected('truncated', /^Root\/It #7, byte 33$/, () =>
    readInflatedArchive(itemBytes(10, fourGigabytes)),
  )
})

test('[GHA-8] given text lengths that no writer produces, when read, then they are rejected', () => {
  for (const length of [
    [0x80, 0x00],
    [0x81, 0x80, 0x00],
    [0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  ]) {
    assertRejected('malformed', /It #7/, () =>
      readInflatedArchive(itemBytes(10, [...length, ...Array(200).fill(0x41)])),
    )
  }
})

test('[GHA-23] given byte and double arrays with a wrong length, when read, then they are rejected', () => {
  assertRejected('truncated', /It #7/, () => readInflatedArchive(itemBytes(20, [0xff, 0xff, 0xff, 0x7f])))
  assertRejected('truncated', /It #7/, () =>
    readInflatedArchive(itemBytes(21, [0xff, 0xff, 0xff, 0x7f, 0, 0])),
  )
  assertRejected('malformed', /It #7/, () => readInflatedArchive(itemBytes(37, [0xff, 0xff, 0xff, 0xff])))
})

test('[GHA-8] given invalid values of a type, when read, then they are rejected', () => {
  assertRejected('malformed', /It #7/, () => readInflatedArchive(itemBytes(1, [2])))
  assertRejected('malformed', /It #7/, () => readInflatedArchive(itemBytes(10, [1, 0xff])))
  const decimalOf = (flags: number[]) => [...Array(12).fill(0), ...flags]
  assertRejected('malformed', /It #7/, () => readInflatedArchive(itemBytes(7, decimalOf([0, 0, 29, 0]))))
  assertRejected('malformed', /It #7/, () => readInflatedArchive(itemBytes(7, decimalOf([1, 0, 0, 0]))))
  assertRejected('malformed', /It #7/, () => readInflatedArchive(itemBytes(7, decimalOf([0, 0, 0, 0x40]))))
})

test('[GHA-5] given an item of a type that does not exist, when read, then it is named', () => {
  const error = assertRejected('malformed', /^Root\/It #7, byte \d+$/, () =>
    readInflatedArchive(itemBytes(11, [0])),
  )
  assert.match(error.message, /type 11/)
})

test('[GHA-2] given a root with another name, when read, then it is not an archive', () => {
  const bytes = writeInflatedArchive({ root: { name: 'Wurzel', index: -1, items: [], chunks: [] } })
  assertRejected('not_an_archive', /^byte/, () => readInflatedArchive(bytes))
})

function nested(depth: number): Chunk {
  const root: Chunk = { name: 'Root', index: -1, items: [], chunks: [] }
  let deepest = root
  for (let level = 1; level < depth; level++) {
    const child: Chunk = { name: 'Deeper', index: -1, items: [], chunks: [] }
    deepest.chunks.push(child)
    deepest = child
  }
  return root
}

test('[GHA-22] given chunks nested to the limit, when read, then they are, and one deeper is rejected', () => {
  const deepest = { root: nested(MAX_DEPTH) }
  const bytes = writeInflatedArchive(deepest)
  assert.deepEqual(readInflatedArchive(bytes), deepest)
  assertRejected('too_large', /Deeper/, () => writeInflatedArchive({ root: nested(MAX_DEPTH + 1) }))
  const deeper = bytesOf(0, 1, (writer) => {
    for (let level = 0; level < 10_000; level++) {
      writer.writeString('')
      writer.writeInt32(0)
      writer.writeInt32(0)
      writer.writeInt32(1)
    }
  })
  assertRejected('too_large', /^Root\/ #0/, () => readInflatedArchive(deeper))
})

test('[GHA-21] given more elements than allowed, when read, then the count is rejected', () => {
  const bytes = bytesOf(100, 0, (writer) => writer.writeBytes(new Uint8Array(1000)))
  assertRejected('too_large', /^Root/, () => readInflatedArchive(bytes, { maxElements: 99 }))
})

test('[GHA-9] given an archive in a larger buffer, when its bytes change after reading, then the tree does not', () => {
  const bytes = itemBytes(20, [2, 0, 0, 0, 0xaa, 0xbb])
  const value = findItem(readInflatedArchive(bytes).root, 'It', 'bytearray', 7)
  bytes.fill(0)
  assert.deepEqual(value, Uint8Array.of(0xaa, 0xbb))
  assert.equal(value?.buffer.byteLength, 2)
})

test('[GHA-7] given a text with a byte order mark or U+FFFD, when read, then both are kept', () => {
  const writer = new BinaryWriter()
  writer.writeString('\ufeffa\ufffd')
  assert.equal(new BinaryReader(writer.finish()).readString(), '\ufeffa\ufffd')
})
