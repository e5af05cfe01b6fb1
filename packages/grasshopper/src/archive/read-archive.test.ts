import assert from 'node:assert/strict'
import { test } from 'node:test'
import { constants, deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { writeInflatedArchive } from './forms/write-binary.ts'
import { readArchive } from './read-archive.ts'
import { assertRejected } from './testing/assert-rejected.ts'
import type { Archive } from './tree/archive.ts'
import { type ArchiveForm, writeArchive } from './write-archive.ts'

const archive: Archive = {
  root: {
    name: 'Root',
    index: -1,
    items: [{ name: 'Text', index: -1, type: 'string', value: 'grass '.repeat(1000) }],
    chunks: [],
  },
}

test('[GHA-1] given either form under any name, when read, then the first bytes determine the form', () => {
  for (const form of ['gh', 'ghx'] as ArchiveForm[]) {
    assert.deepEqual(readArchive(writeArchive(archive, { form })), archive)
  }
  const withoutBom = writeArchive(archive, { form: 'ghx' }).subarray(3)
  assert.deepEqual(readArchive(withoutBom), archive)
})

test('[GHA-2] given each kind of file, when read, then its root identifies it', () => {
  for (const name of ['Root', 'UserObject', 'Cluster', 'Document']) {
    const bytes = writeArchive({ root: { name, index: -1, items: [], chunks: [] } }, { form: 'gh' })
    assert.equal(readArchive(bytes).root.name, name)
  }
})

const OTHER_FILES: [what: string, bytes: Uint8Array][] = [
  ['nothing', new Uint8Array()],
  ['JSON', Buffer.from('{"json":true}')],
  [
    'a pointer of Git LFS',
    Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n'),
  ],
  ['a zip archive', Buffer.from('504b0304140000000800', 'hex')],
  ['a PNG image', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ['deflated text', deflateRawSync(Buffer.from('{"json":true}'))],
  ['a deflated chunk with another name', deflateRawSync(Buffer.from('0141ffffffff0000000000000000', 'hex'))],
]

for (const [what, bytes] of OTHER_FILES) {
  test(`[GHA-2] given ${what}, when read, then it is not an archive`, () => {
    assertRejected('not_an_archive', /^$|^byte \d$/, () => readArchive(bytes))
  })
}

test('[GHA-30] given a file of another kind under the name of a definition, when read, then the error says what it is and what to do', () => {
  const utf16 = Buffer.from('\ufeff<?xml version="1.0"?><Archive name="Root" />', 'utf16le')
  const cases: [RegExp, string | Uint8Array][] = [
    [
      /pointer of Git LFS.*git lfs pull/,
      'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n',
    ],
    [/web page/, '<!DOCTYPE html>\n<html lang="en"><head><title>Sign in</title></head><body></body></html>'],
    [/web page/, '\ufeff\n<!-- saved --><HTML><body></body></HTML>'],
    [/ZIP archive/, Buffer.from('504b0304140000000800', 'hex')],
    [/gzip/, gzipSync(writeArchive(archive, { form: 'gh' }))],
    [/Rhino model.*\.3dm/, '3D Geometry File Format        7'],
    [/UTF-16.*UTF-8/, utf16],
    [/UTF-16.*UTF-8/, utf16.subarray(2)],
    [/JSON/, '{"message":"Not Found","status":404}'],
    [/JSON/, ' [{"error":"expired"}]\n'],
    [/zeros/, Buffer.alloc(5000)],
    [/empty/, ''],
  ]
  for (const [says, content] of cases) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    assert.throws(() => readArchive(bytes), { code: 'not_an_archive', message: says })
  }
})

const notXml = fc.string({ maxLength: 2000 }).filter((text) => !text.startsWith('<'))

test('[GHA-2] given any text except XML, when read, then the error does not call it a damaged archive', () => {
  fc.assert(
    fc.property(notXml, (text) => {
      assert.throws(() => readArchive(new TextEncoder().encode(text)), {
        code: /^(not_an_archive|truncated)$/,
      })
    }),
    // The first byte of what this inflates to is that of an archive; then it is damaged.
    { numRuns: 1000, examples: [['bA ']] },
  )
})

/** The bits of a last block of type 3, which deflate does not have. */
const BLOCK_OF_NO_TYPE = 0b111

test('[GHA-4] given an archive that is damaged after its start, when read, then the error reports it', () => {
  const numbers = Array.from({ length: 1000 }, (_, number) => Math.imul(number, 0x9e3779b1))
  const value = numbers.join(' ')
  const inflated = writeInflatedArchive({
    root: {
      name: 'Root',
      index: -1,
      items: [{ name: 'Text', index: -1, type: 'string', value }],
      chunks: [],
    },
  })
  const unfinished = deflateRawSync(inflated, { finishFlush: constants.Z_SYNC_FLUSH })
  const bytes = Buffer.concat([unfinished, Buffer.from([BLOCK_OF_NO_TYPE])])
  assertRejected('malformed', /^$/, () => readArchive(bytes))
})

test('[GHA-4] given deflated bytes that end early anywhere, when read, then the error is of a truncated file', () => {
  const bytes = writeArchive(archive, { form: 'gh' })
  for (let length = 1; length < bytes.length; length++) {
    assertRejected('truncated', /^$/, () => readArchive(bytes.subarray(0, length)))
  }
})

test('[GHA-3] given bytes after the deflated ones, when read, then they are rejected', () => {
  const bytes = Buffer.concat([writeArchive(archive, { form: 'gh' }), Buffer.alloc(3)])
  assert.match(assertRejected('malformed', /^$/, () => readArchive(bytes)).message, /^3 bytes/)
})

test('[GHA-20] given a file that inflates beyond the limit, when read, then it is rejected', () => {
  const inflated = writeInflatedArchive(archive)
  const bytes = deflateRawSync(inflated)
  assert.ok(bytes.length < inflated.length / 20)
  assert.deepEqual(readArchive(bytes, { maxBytes: inflated.length }), archive)
  assertRejected('too_large', /^$/, () => readArchive(bytes, { maxBytes: inflated.length - 1 }))
})
