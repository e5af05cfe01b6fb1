import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent } from '@meadow/document'
import fc from 'fast-check'
import { writeInflatedArchive } from '../archive/forms/write-binary.ts'
import { findForm, readArchive } from '../archive/read-archive.ts'
import { listSamples, NO_SAMPLES, type Sample } from '../archive/testing/samples.ts'
import type { Chunk } from '../archive/tree/archive.ts'
import { listFaults } from '../testing/check-structure.ts'
import { editAtRandom } from '../testing/edit-at-random.ts'
import { toJson } from '../testing/read-objects.ts'
import type { Definition } from './model/definition.ts'
import { readDefinition } from './read-definition.ts'
import { writeDefinition } from './write-definition.ts'

const EMPTY: GraphContent = { nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } }

function assertSame(written: Uint8Array, content: GraphContent): void {
  const { content: read } = readDefinition(written)
  assert.deepEqual(toJson(read), toJson(forgetTypes(content, read)))
}

/** A type that only the values define is unknown without them. */
function forgetTypes(content: GraphContent, read: GraphContent): GraphContent {
  const nodes = structuredClone(content.nodes)
  for (const [id, { ports }] of Object.entries(nodes)) {
    for (const [portId, port] of Object.entries(ports)) {
      if (read.nodes[id]?.ports[portId]?.typeName === 'Unknown') port.typeName = 'Unknown'
    }
  }
  return { ...content, nodes }
}

test('[GHD-37] given random new documents, when written and read, then they are the same', () => {
  fc.assert(
    fc.property(fc.gen(), (g) => {
      const content = editAtRandom(EMPTY, g, 25)
      const { bytes, warnings } = writeDefinition({ name: 'Any', ...content })
      assert.deepEqual(warnings, [])
      assertSame(bytes, content)
      assert.deepEqual(listFaults(readArchive(bytes)), [])
    }),
    { numRuns: 200, endOnFailure: true },
  )
})

test('[GHD-37] given real definitions with random edits, when written and read, then they are the same', {
  skip: NO_SAMPLES,
}, () => {
  const samples = listSamples('gh', 'ghx').filter(({ bytes }) => bytes.length < 60_000)
  fc.assert(
    fc.property(fc.gen(), fc.nat({ max: samples.length - 1 }), (g, i) => {
      const { name, bytes: original } = samples[i] as (typeof samples)[number]
      const content = editAtRandom(toJson(readDefinition(original).content), g)
      const { bytes, warnings } = writeDefinition({ name, ...content }, { original })
      // Copied plug-in data may be of another node.
      const others = warnings.filter(({ kind }) => kind !== 'hidden_content_copied')
      assert.deepEqual(others, [], name)
      assertSame(bytes, content)
    }),
    { numRuns: 150, endOnFailure: true },
  )
})

/** The rest is alike, and takes its time. */
const USUAL_BYTES = 100_000

let usual: (Sample & Definition)[] | undefined

/** Real definitions of usual size, which are read once. */
function readUsual(): readonly (Sample & Definition)[] {
  usual ??= listSamples('gh', 'ghx')
    .filter(({ bytes }) => bytes.length <= USUAL_BYTES)
    .map((sample) => ({ ...sample, ...readDefinition(sample.bytes) }))
  return usual
}

test('[GHD-36] given real definitions as they were imported, when written in both forms, then the archives are the same', {
  skip: NO_SAMPLES,
}, () => {
  const large = listSamples('gh', 'ghx').filter(({ bytes }) => bytes.length > USUAL_BYTES)
  const assertUnchanged = ({ name, bytes: original }: Sample, content: GraphContent) =>
    assert.deepEqual(
      writeDefinition({ name, ...toJson(content) }, { original, form: findForm(original) }),
      { bytes: new Uint8Array(original), warnings: [] },
      name,
    )
  for (const sample of large) assertUnchanged(sample, readDefinition(sample.bytes).content)
  for (const { content, original: archive, ...sample } of readUsual()) {
    assertUnchanged(sample, content)
    const { name, bytes: original } = sample
    const form = findForm(original) === 'gh' ? 'ghx' : 'gh'
    const { bytes, warnings } = writeDefinition({ name, ...toJson(content) }, { original, form })
    assert.deepEqual(warnings, [], name)
    assert.deepEqual(writeInflatedArchive(readArchive(bytes)), writeInflatedArchive(archive), name)
  }
})

test('[GHD-31] given real definitions, when all known objects are written new, then they are well-formed and read back the same', {
  skip: NO_SAMPLES,
}, () => {
  for (const { name, content } of readUsual()) {
    const { bytes, warnings } = writeDefinition({ name, ...toJson(content) })
    const plugins = Object.values(content.nodes).filter(
      ({ state }) => state && (state.kind === 'plugin' || 'plugin' in state),
    )
    const faults = listFaults(readArchive(bytes), new Set(plugins.map(({ templateId }) => templateId)))
    assert.deepEqual(faults, [], name)
    const unexpected = warnings.filter(({ kind }) => kind === 'fact_left_out' || kind === 'ports_kept')
    assert.deepEqual(unexpected, [], name)
  }
})

/** Of 2011, before the structure that files have today. */
const OLD = ['test-definition.ghx']

test('[GHD-31] given real definitions, when compared with the structure of written ones, then they have it too', {
  skip: NO_SAMPLES,
}, () => {
  for (const { name, original } of readUsual()) {
    if (OLD.includes(name)) continue
    const { root } = original
    assert.deepEqual(listFaults({ root }, listClasses(root)), [], name)
  }
})

function listClasses({ items, chunks }: Chunk): Set<string> {
  const own = items.flatMap(({ name, type, value }) =>
    name === 'GUID' && type === 'guid' ? [value as string] : [],
  )
  return new Set([...own, ...chunks.flatMap((chunk) => [...listClasses(chunk)])])
}
