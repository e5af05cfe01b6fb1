import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'

import fc from 'fast-check'
import { GrasshopperError } from '../archive/tree/grasshopper-error.ts'
import { buildDefinition, buildId, buildItem, buildObject, buildSources } from '../testing/build-archive.ts'
import { buildCluster, buildContent, NUMBER_CLASS } from '../testing/build-cluster.ts'
import { CLASS } from './model/class-ids.ts'
import { type KnownCluster, readClusters } from './read-clusters.ts'
import { readDefinition } from './read-definition.ts'

const hookIn = (id: number) => buildObject({ guid: CLASS.clusterInput, id, container: buildSources() })
const hookOut = (id: number, from: number) =>
  buildObject({ guid: CLASS.clusterOutput, id, container: buildSources(from) })
/** An input 901 that goes to an output 902. */
const PASSING = [hookIn(901), hookOut(902, 901)]
const PORTS = { inputs: [[31, 901]], outputs: [[32, 902]] } as const

/** The result of `readClusters` for the cluster 30. */
function readOne(cluster: Omit<Parameters<typeof buildCluster>[0], 'id'>, limits = {}) {
  return readClusters(buildDefinition([buildCluster({ id: 30, ...cluster })]), limits).get(buildId(30))!
}

function contentOf(read: ReturnType<typeof readOne>): KnownCluster {
  assert.ok('content' in read, JSON.stringify(read))
  return read
}

function unknown(read: ReturnType<typeof readOne>): string {
  assert.ok('unknown' in read)
  return read.unknown
}

test('[GHD-49] given a cluster, when it is read, then its content is a graph, and its ports are linked by ParamMap', () => {
  const { content, hooks, clusters } = contentOf(readOne({ ...PORTS, content: buildContent(PASSING) }))
  assert.deepEqual(Object.keys(content.nodes), [buildId(901), buildId(902)])
  assert.deepEqual(content.nodes[buildId(902)]!.sources[buildId(902)], [
    { nodeInstanceId: buildId(901), portInstanceId: buildId(901) },
  ])
  assert.deepEqual(
    [...hooks],
    [
      [buildId(31), buildId(901)],
      [buildId(32), buildId(902)],
    ],
  )
  assert.equal(clusters.size, 0)
})

test('[GHD-49] given a ParamMap that links ports to other objects, or to none, then those ports have no link', () => {
  const objects = [...PASSING, buildObject({ guid: NUMBER_CLASS, id: 903, container: buildSources() })]
  const inputs = [
    [31, 902],
    [32, 903],
    [33, 999],
    [34, 901],
  ] as const
  const { hooks } = contentOf(readOne({ inputs, outputs: [[35, 901]], content: buildContent(objects) }))
  assert.deepEqual([...hooks], [[buildId(34), buildId(901)]])
})

test('[GHD-50] given clusters in clusters, copies among them, then each is read by itself', () => {
  const inner = buildContent(PASSING)
  const middle = buildContent([
    buildCluster({ id: 40, ...PORTS, content: inner }),
    buildCluster({ id: 41, inputs: [[33, 901]], outputs: [[34, 902]], content: inner }),
  ])
  const { clusters } = contentOf(readOne({ content: middle }))
  assert.deepEqual([...clusters.keys()], [buildId(40), buildId(41)])
  for (const read of clusters.values()) assert.equal(contentOf(read).hooks.size, 2)
})

test('[GHD-51] given a cluster behind a password, and one without content, then their contents are unknown, with the reason', () => {
  const encrypted = [buildItem('bytearray', 'EncryptedDocument', new Uint8Array(16))]
  assert.equal(unknown(readOne({ ...PORTS, more: encrypted })), 'it is behind a password')
  assert.equal(unknown(readOne(PORTS)), 'the file does not hold it')
})

test('[GHD-51] given contents that cannot be read, then they are unknown, and the others are read', () => {
  const cyclic = buildContent([
    buildObject({ guid: NUMBER_CLASS, id: 1, container: buildSources(2) }),
    buildObject({ guid: NUMBER_CLASS, id: 2, container: buildSources(1) }),
  ])
  const faults: [Uint8Array, RegExp][] = [
    [
      deflateRawSync(Buffer.from('no archive')),
      /^it cannot be read \(The file is not a Grasshopper archive\)$/,
    ],
    [buildContent(PASSING).subarray(0, -9), /^it cannot be read \(The file (ends too early|is damaged)/],
    [buildDefinition(PASSING), /^it cannot be read \(The archive of a cluster is a Root\)$/],
    [buildContent([...PASSING, ...PASSING]), /^it cannot be read \(.*Document\/DefinitionObjects/],
    [cyclic, /^it cannot be read \(Wires form a cycle/],
  ]
  for (const [bytes, reason] of faults) {
    const read = readClusters(
      buildDefinition([
        buildCluster({ id: 1, content: bytes }),
        buildCluster({ id: 2, content: buildContent(PASSING) }),
      ]),
    )
    assert.match(unknown(read.get(buildId(1))!), reason)
    contentOf(read.get(buildId(2))!)
  }
})

test('[GHD-51] given any change of the bytes of a content, then it is read or unknown', () => {
  const whole = buildContent([...PASSING, buildCluster({ id: 40, ...PORTS, content: buildContent(PASSING) })])
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, value) => {
      const changed = Uint8Array.from(whole)
      changed[at] = value
      const read = readOne({ ...PORTS, content: changed })
      assert.ok('content' in read || read.unknown.length > 0)
    }),
  )
})

test('[GHD-52] given a hundred nested clusters, then those that are too deep are unknown', () => {
  let bytes = buildContent(PASSING)
  for (let level = 0; level < 100; level++) bytes = buildContent([buildCluster({ id: 40, content: bytes })])
  let read = readOne({ content: bytes })
  let depth = 0
  for (; 'content' in read; depth++) read = read.clusters.get(buildId(40))!
  assert.deepEqual([depth, unknown(read)], [30, 'it is in too many other clusters'])
})

test('[GHD-52] given eight clusters in each of eight in each of eight, then only as many as allowed are read', () => {
  let bytes = buildContent(PASSING)
  for (let level = 0; level < 3; level++) {
    bytes = buildContent(Array.from({ length: 8 }, (_, i) => buildCluster({ id: 40 + i, content: bytes })))
  }
  const count = (read: ReturnType<typeof readOne>): number =>
    'content' in read ? [...read.clusters.values()].reduce((sum, each) => sum + count(each), 1) : 0
  assert.equal(count(readOne({ content: bytes }, { maxClusters: 500 })), 500)
})

test('[GHD-52] given contents that inflate beyond the limit, then they are unknown, and so are those that follow', () => {
  const bomb = deflateRawSync(Buffer.concat([Buffer.from('\x08Document'), Buffer.alloc(2 ** 24)]))
  const clusters = [bomb, bomb, buildContent(PASSING)]
  const definition = buildDefinition(clusters.map((bytes, id) => buildCluster({ id, content: bytes })))
  const reasons = [...readClusters(definition, { maxBytes: 2 ** 20 }).values()].map(unknown)
  assert.match(reasons[0]!, /inflates to more than 1048576 bytes/)
  for (const reason of reasons) assert.match(reason, /^it cannot be read/)
  const small = [buildContent(PASSING), buildContent(PASSING)]
  const fine = buildDefinition(small.map((bytes, id) => buildCluster({ id, content: bytes })))
  for (const read of readClusters(fine, { maxBytes: 2000 }).values()) contentOf(read)
})

test('[GHD-49] given a file that is not a definition, when its clusters are read, then it is rejected as by readDefinition', () => {
  for (const bytes of [new Uint8Array(0), buildContent(PASSING)]) {
    const [first, second] = [readClusters, readDefinition].map((read) => {
      try {
        return read(bytes)
      } catch (error) {
        assert.ok(error instanceof GrasshopperError)
        return error.message
      }
    })
    assert.equal(first, second)
  }
})
