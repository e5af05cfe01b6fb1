import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { writeInflatedArchive } from './forms/write-binary.ts'
import { readArchive } from './read-archive.ts'
import { listSamples, NO_SAMPLES } from './testing/samples.ts'
import { writeArchive } from './write-archive.ts'

test('[GHA-7] given real binary files, when read and written, then the inflated bytes are identical', {
  skip: NO_SAMPLES,
}, () => {
  for (const { name, bytes } of listSamples('gh', 'ghuser', 'ghcluster')) {
    const written = writeInflatedArchive(readArchive(bytes))
    assert.ok(inflateRawSync(bytes).equals(written), name)
  }
})

/** The rest is alike, and takes its time. */
const USUAL_BYTES = 60_000

test('[GHA-15] given real binary files, when written as XML and read, then the tree is the same', {
  skip: NO_SAMPLES,
}, () => {
  for (const { name, bytes } of listSamples('gh', 'ghuser', 'ghcluster')) {
    if (bytes.length > USUAL_BYTES) continue
    const throughXml = readArchive(writeArchive(readArchive(bytes), { form: 'ghx' }))
    assert.ok(inflateRawSync(bytes).equals(writeInflatedArchive(throughXml)), name)
  }
})

test('[GHA-7] given real XML files, when written as binary and read, then the tree is the same', {
  skip: NO_SAMPLES,
}, () => {
  for (const { name, bytes } of listSamples('ghx')) {
    const archive = readArchive(bytes)
    assert.deepEqual(readArchive(writeArchive(archive, { form: 'gh' })), archive, name)
  }
})

/** Names version 1.0.7, but writes numbers as later versions do. */
const WITH_FOREIGN_DIGITS = ['Script_C.ghx']

test('[GHA-19] given real XML files, when read and written, then the text is the same', {
  skip: NO_SAMPLES,
}, () => {
  const differing = listSamples('ghx').filter(({ bytes }) => {
    const written = writeArchive(readArchive(bytes), { form: 'ghx' })
    return withoutUnknowable(bytes) !== withoutUnknowable(written)
  })
  assert.deepEqual(
    differing.map(({ name }) => name),
    WITH_FOREIGN_DIGITS,
  )
})

/** Comments are not part of the tree, and git changes line ends. */
function withoutUnknowable(bytes: Uint8Array): string {
  return new TextDecoder()
    .decode(bytes)
    .replaceAll('\r\n', '\n')
    .replace(/\n *<!--.*?-->/g, '')
    .trimEnd()
}
