import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { readInflatedArchive } from './forms/read-binary.ts'
import { writeInflatedArchive } from './forms/write-binary.ts'
import { XmlArchiveBuilder } from './forms/xml-archive-builder.ts'
import { BinaryReader } from './items/binary-reader.ts'
import { readArchive } from './read-archive.ts'
import { ARBITRARY_ARCHIVE } from './testing/arbitrary-archive.ts'
import { ARBITRARY_MUTATIONS, mutate } from './testing/mutate.ts'
import { listSamples } from './testing/samples.ts'
import type { Chunk } from './tree/archive.ts'
import { GrasshopperError } from './tree/grasshopper-error.ts'
import { writeArchive } from './write-archive.ts'

/** Makes runs repeatable. A seed that failed becomes a separate test. */
const SEED = 20110720
const LARGEST_INPUT = 200_000
const LIMITS = { maxBytes: 1_000_000, maxElements: 100_000 }

const ours = fc.sample(ARBITRARY_ARCHIVE, { seed: SEED, numRuns: 20 })
const withoutLarge = (files: Uint8Array[]) => files.filter(({ length }) => length <= LARGEST_INPUT)
const inflatedFiles = withoutLarge([
  ...ours.map(writeInflatedArchive),
  ...listSamples('gh', 'ghuser', 'ghcluster').map(({ bytes }) => inflateRawSync(bytes)),
])
const xmlFiles = withoutLarge([
  ...ours.map((archive) => writeArchive(archive, { form: 'ghx' })),
  ...listSamples('ghx').map(({ bytes }) => bytes),
])

/** Runs a reader on mutated files: each is read or rejected, and both occur. */
function fuzz(files: Uint8Array[], numRuns: number, run: (bytes: Uint8Array) => void): void {
  const counts = { read: 0, rejected: 0 }
  fc.assert(
    fc.property(fc.nat(files.length - 1), ARBITRARY_MUTATIONS, (which, mutations) => {
      try {
        run(mutate(files[which]!, mutations))
        counts.read += 1
      } catch (error) {
        if (!(error instanceof GrasshopperError)) throw error
        counts.rejected += 1
      }
    }),
    { seed: SEED, numRuns },
  )
  assert.ok(counts.read > 0 && counts.rejected > 0, JSON.stringify(counts))
}

test('[GHA-8] given mutated inflated files, when read, then they are rejected or come out byte for byte', () => {
  fuzz(inflatedFiles, 8000, (bytes) => {
    const archive = readInflatedArchive(bytes, LIMITS)
    assert.ok(Buffer.from(bytes).equals(writeInflatedArchive(archive)) || holdsNaN(archive.root))
  })
})

test('[GHA-25] given mutated deflated files, when read, then they are rejected or read', () => {
  const files = inflatedFiles.map((bytes) => deflateRawSync(bytes))
  fuzz(files, 3000, (bytes) => readArchive(bytes, LIMITS))
})

test('[GHA-25] given mutated XML files, when read, then they are rejected or survive being written', () => {
  fuzz(xmlFiles, 2000, (bytes) => {
    const archive = readArchive(bytes, LIMITS)
    assert.deepEqual(readArchive(writeArchive(archive, { form: 'ghx' })).root, archive.root)
  })
})

test('[GHA-24] given mutated files, when read, then steps taken are no more than bytes', (t) => {
  const scalars = ['readUint8', 'readInt32', 'readUint32', 'readInt64', 'readFloat32', 'readFloat64']
  const takeReads = countCalls(t, BinaryReader.prototype, scalars)
  const takeEvents = countCalls(t, XmlArchiveBuilder.prototype, ['openElement', 'addText', 'closeElement'])
  // Each step moves on by a byte at least, except the one that fails.
  const counting = (read: typeof readArchive, takeSteps: () => number) => (bytes: Uint8Array) => {
    try {
      read(bytes, LIMITS)
    } finally {
      assert.ok(takeSteps() <= bytes.length + 1)
    }
  }
  fuzz(inflatedFiles, 500, counting(readInflatedArchive, takeReads))
  fuzz(xmlFiles, 500, counting(readArchive, takeEvents))
})

/** Counts the calls of some methods without changing them. */
function countCalls(t: TestContext, prototype: object, names: string[]): () => number {
  const methods = names.map((name) => t.mock.method(prototype as Record<string, () => void>, name))
  return () => {
    const calls = methods.reduce((sum, method) => sum + method.mock.callCount(), 0)
    for (const method of methods) method.mock.resetCalls()
    return calls
  }
}

/** The bits of a NaN may change on the way through a number. */
function holdsNaN(chunk: Chunk): boolean {
  const markNaN = (_: string, value: unknown) =>
    Number.isNaN(value) ? 'NaN' : typeof value === 'bigint' ? 0 : value
  return JSON.stringify(chunk, markNaN).includes('"NaN"')
}
