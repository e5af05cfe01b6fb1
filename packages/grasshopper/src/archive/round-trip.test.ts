import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readInflatedArchive } from './forms/read-binary.ts'
import { writeInflatedArchive } from './forms/write-binary.ts'
import { readArchive } from './read-archive.ts'
import { ARBITRARY_ARCHIVE, ARBITRARY_ITEMS } from './testing/arbitrary-archive.ts'
import type { Archive } from './tree/archive.ts'
import { writeArchive } from './write-archive.ts'

for (const { type, item } of ARBITRARY_ITEMS) {
  test(`[GHA-6] given any ${type}, when its item is written and read, then it is the same in both forms`, () => {
    fc.assert(
      fc.property(item, (it) => {
        const archive: Archive = { root: { name: 'Root', index: -1, items: [it], chunks: [] } }
        assert.deepEqual(readArchive(writeArchive(archive, { form: 'gh' })), archive)
        assert.deepEqual(readArchive(writeArchive(archive, { form: 'ghx' })), archive)
      }),
    )
  })
}

test('[GHA-7] given any tree, when it is written and read as binary, then it is the same', () => {
  fc.assert(
    fc.property(ARBITRARY_ARCHIVE, (archive) => {
      assert.deepEqual(readInflatedArchive(writeInflatedArchive(archive)), archive)
    }),
  )
})

test('[GHA-15] given any tree, when it is written and read as XML, then it is the same', () => {
  fc.assert(
    fc.property(ARBITRARY_ARCHIVE, (archive) => {
      assert.deepEqual(readArchive(writeArchive(archive, { form: 'ghx' })), archive)
    }),
  )
})

test('[GHA-7] given any tree read from XML, when it is written as binary and read, then it is the same', () => {
  fc.assert(
    fc.property(ARBITRARY_ARCHIVE, (archive) => {
      const fromXml = readArchive(writeArchive(archive, { form: 'ghx' }))
      assert.deepEqual(readArchive(writeArchive(fromXml, { form: 'gh' })), fromXml)
    }),
  )
})
