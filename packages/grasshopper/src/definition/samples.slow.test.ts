import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { type ClusterContents, type GraphContent, repairGraph } from '@meadow/document'
import { createLiveDocument, openLiveProjector } from '@meadow/document/live'
import { listSamples, NO_SAMPLES } from '../archive/testing/samples.ts'
import type { Chunk } from '../archive/tree/archive.ts'
import { GrasshopperError } from '../archive/tree/grasshopper-error.ts'
import { CLASS } from './model/class-ids.ts'
import { readClusters } from './read-clusters.ts'
import { readDefinition } from './read-definition.ts'

test('[GHD-5] [GHD-28] given real definitions, when read, then every wire of the archive is in order, and the graph is valid, also after JSON and when edited live', {
  skip: NO_SAMPLES,
}, () => {
  for (const { name, bytes } of listSamples('gh', 'ghx')) {
    const { content, notes, original } = readDefinition(bytes)
    const [found, expected] = [listWires(content), new Map(listSources(original.root))]
    assert.ok(
      isDeepStrictEqual(found, expected),
      `${name}: ${found.size} ports with wires of ${expected.size}`,
    )
    assert.deepEqual(notes, [], name)

    assert.ok(isDeepStrictEqual(repairGraph(content), { content, repairs: [] }), name)
    const text = JSON.stringify(content)
    const sent: GraphContent = JSON.parse(text)
    const repaired = repairGraph(sent)
    assert.deepEqual(repaired.repairs, [], name)
    assert.ok(JSON.stringify(repaired.content) === text, name)

    const reader = openLiveProjector(createLiveDocument(content))
    assert.ok(reader.readJson().join('') === text, name)
  }
})

test('[GHD-49] [GHD-50] given real definitions, when their clusters are read, then every content is a valid graph, with an object for every port', {
  skip: NO_SAMPLES,
}, () => {
  const check = ({ nodes }: GraphContent, clusters: ClusterContents, name: string): void => {
    for (const { instanceId, templateId, ports } of Object.values(nodes)) {
      if (templateId !== CLASS.cluster) continue
      const cluster = clusters.get(instanceId)
      assert.ok(cluster && 'content' in cluster, name)
      assert.deepEqual([...cluster.hooks.keys()].sort(), Object.keys(ports).sort(), name)
      assert.deepEqual(repairGraph(cluster.content).repairs, [], name)
      check(cluster.content, cluster.clusters, name)
    }
  }
  for (const { name, bytes } of listSamples('gh', 'ghx')) {
    check(readDefinition(bytes).content, readClusters(bytes), name)
  }
})

test('[GHD-1] given real user objects and clusters, when read, then they are not definitions', {
  skip: NO_SAMPLES,
}, () => {
  const files = listSamples('ghuser', 'ghcluster')
  assert.ok(files.length > 0)
  for (const { name, bytes } of files) {
    assert.throws(
      () => readDefinition(bytes),
      (error) => (error as GrasshopperError).code === 'not_a_definition',
      name,
    )
  }
})

test('[GHD-30] given real definitions with changed bytes, when read, then they are read or rejected', {
  skip: NO_SAMPLES,
}, () => {
  const random = createRandom(20)
  for (const { name, bytes } of listSamples('gh', 'ghx').filter((sample) => sample.bytes.length < 30_000)) {
    for (let round = 0; round < 5; round++) {
      try {
        const { content } = readDefinition(changeSome(bytes, random))
        assert.deepEqual(repairGraph(content).repairs, [], name)
      } catch (error) {
        assert.ok(error instanceof GrasshopperError, `${name}: ${String(error)}`)
      }
    }
  }
})

/** Changes a few characters of an XML text, or a few bytes of a binary archive before it is deflated. */
function changeSome(bytes: Uint8Array, random: () => number): Uint8Array {
  const isXml = bytes[0] === 0x3c || bytes[0] === 0xef
  const changed = isXml ? Uint8Array.from(bytes) : inflateRawSync(bytes)
  for (let i = 0; i < 3; i++) {
    const at = Math.floor(random() * changed.length)
    changed[at] = isXml ? 48 + Math.floor(random() * 10) : Math.floor(random() * 256)
  }
  return isXml ? changed : deflateRawSync(changed)
}

/** The senders of each port that has any, found independently of the class of its object. */
function listSources(chunk: Chunk): [string, string[]][] {
  const sources = chunk.items.filter((item) => item.name === 'Source').sort((a, b) => a.index - b.index)
  const id = chunk.items.find((item) => item.name === 'InstanceGuid')?.value as string
  const own: [string, string[]][] =
    sources.length > 0 ? [[id, sources.map(({ value }) => value as string)]] : []
  return [...own, ...chunk.chunks.flatMap(listSources)]
}

function listWires({ nodes }: GraphContent): Map<string, string[]> {
  return new Map(
    Object.values(nodes).flatMap(({ sources }) =>
      Object.entries(sources).map(([id, wires]): [string, string[]] => [
        id,
        wires.map((wire) => wire.portInstanceId),
      ]),
    ),
  )
}

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
