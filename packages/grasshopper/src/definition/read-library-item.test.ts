import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import type { GraphContent, Node } from '@meadow/document'
import fc from 'fast-check'
import { ARBITRARY_MUTATIONS, mutate } from '../archive/testing/mutate.ts'
import { listSamples, NO_SAMPLES } from '../archive/testing/samples.ts'
import type { Chunk, Item } from '../archive/tree/archive.ts'
import { GrasshopperError } from '../archive/tree/grasshopper-error.ts'
import { writeArchive } from '../archive/write-archive.ts'
import {
  buildChunk,
  buildDefinition,
  buildId,
  buildItem,
  buildObject,
  buildPort,
  buildSources,
  buildTexts,
} from '../testing/build-archive.ts'
import { buildCluster, buildContent } from '../testing/build-cluster.ts'
import { buildPicture } from '../testing/build-picture.ts'
import { toJson } from '../testing/read-objects.ts'
import { buildContent as buildGraph } from '../testing/write-and-read.ts'
import { CLASS } from './model/class-ids.ts'
import { placeLibraryItem, readPlacedClusters } from './place-library-item.ts'
import { readClusters } from './read-clusters.ts'
import { readDefinition } from './read-definition.ts'
import { readClusterFile, readUserObject } from './read-library-item.ts'
import { writeDefinition } from './write-definition.ts'

const write = (name: string, parts: readonly (Item | Chunk)[]) =>
  writeArchive({ root: buildChunk(name, parts) }, { form: 'gh' })
const containerOf = (object: Chunk) => {
  const { items, chunks } = object.chunks[0]!
  return [...items, ...chunks]
}

const SCRIPT = buildObject({
  guid: CLASS.ghPython,
  id: 1,
  name: 'Find View',
  container: [
    ...buildTexts({ CodeInput: 'a = 1\r\n' }),
    buildPort('param_input', 0, 2, { senders: [77] }),
    buildPort('param_output', 0, 3),
  ],
})
const PASSING = buildContent([
  buildObject({ guid: CLASS.clusterInput, id: 901, container: buildSources() }),
  buildObject({ guid: CLASS.clusterOutput, id: 902, container: buildSources(901) }),
])
const CLUSTER = buildCluster({ id: 30, inputs: [[31, 901]], outputs: [[32, 902]], content: PASSING })

/** The bytes of a .ghuser file with an object of this class. */
function buildUserObject(classId: string, object: Chunk, more: readonly (Item | Chunk)[] = []): Uint8Array {
  return write('UserObject', [
    ...buildTexts({ Name: 'Find View', NickName: 'View', Category: 'Revit', SubCategory: 'Custom' }),
    buildItem('guid', 'BaseID', classId),
    buildItem('bytearray', 'Object', write('UserObject', containerOf(object))),
    ...more,
  ])
}

test('[GHD-54] given a user object, when read, then it has its names, its place in the tabs, its icon and its author', () => {
  const icon = buildPicture()
  const bytes = buildUserObject(CLASS.ghPython, SCRIPT, [
    ...buildTexts({ Description: 'Finds a view' }),
    buildItem('int32', 'Exposure', 4),
    buildItem('guid', 'InstanceGuid', buildId(9)),
    buildItem('bytearray', 'Icon', icon),
    buildChunk('Author', buildTexts({ Name: 'Ada', EMail: 'ada@example.org' })),
  ])
  const { content, clusters, notes, ...facts } = readUserObject(bytes)
  assert.deepEqual(facts, {
    name: 'Find View',
    nickName: 'View',
    description: 'Finds a view',
    category: 'Revit',
    subcategory: 'Custom',
    baseId: CLASS.ghPython,
    userObjectId: buildId(9),
    exposure: 4,
    icon,
    author: { name: 'Ada', company: '', email: 'ada@example.org', copyright: '', website: '' },
  })
  assert.deepEqual([notes, clusters.size], [[], 0])
})

test('[GHD-54] given a user object, when read, then its content is the graph of the object alone, without wires', () => {
  const { content } = readUserObject(buildUserObject(CLASS.ghPython, SCRIPT))
  const [node, ...others] = Object.values(content.nodes)
  assert.equal(others.length, 0)
  assert.deepEqual([node!.templateId, node!.name], [CLASS.ghPython, 'Find View'])
  assert.deepEqual(Object.keys(node!.sources), [])
  assert.deepEqual(node!.state, { kind: 'script', language: 'python2', source: 'a = 1\n' })
})

test('[GHD-54] given a user object of a cluster, when read, then the content of the cluster is read too', () => {
  const { content, clusters } = readUserObject(buildUserObject(CLASS.cluster, CLUSTER))
  assert.deepEqual([Object.keys(content.nodes), [...clusters.keys()]], [[buildId(30)], [buildId(30)]])
  const inside = clusters.get(buildId(30))!
  assert.ok('content' in inside)
  assert.deepEqual(Object.keys(inside.content.nodes), [buildId(901), buildId(902)])
})

test('[GHD-55] given a cluster file, when read, then it has its facts, its ports and its content', () => {
  const icon = buildPicture()
  const bytes = write('Cluster', [
    ...containerOf(CLUSTER),
    ...buildTexts({ Description: 'Passes on' }),
    buildItem('drawing_bitmap', 'IconOverride', icon),
    buildChunk('Author', buildTexts({ Name: 'Ada' })),
    buildChunk('FileInfo', buildTexts({ FilePath: 'C:\\passing.ghcluster' })),
  ])
  const { content, clusters, notes, ...facts } = readClusterFile(bytes)
  assert.deepEqual(facts, {
    name: 'Cluster',
    nickName: 'Cluster',
    description: 'Passes on',
    icon,
    author: { name: 'Ada', company: '', email: '', copyright: '', website: '' },
    path: 'C:\\passing.ghcluster',
  })
  assert.deepEqual(Object.keys(content.nodes[buildId(30)]!.ports), [buildId(31), buildId(32)])
  assert.ok('content' in clusters.get(buildId(30))!)
  assert.deepEqual(notes, [])
})

test('[GHD-55] given a cluster file behind a password, when read, then its content is unknown', () => {
  const locked = buildCluster({
    id: 30,
    more: [buildItem('bytearray', 'EncryptedDocument', new Uint8Array(9))],
  })
  const { clusters } = readClusterFile(write('Cluster', containerOf(locked)))
  const inside = clusters.get(buildId(30))!
  assert.ok('unknown' in inside)
  assert.equal(inside.reason, 'protected')
})

test('[GHD-56] given another archive, or an object that is missing or damaged, when read, then the error says so', () => {
  const broken = (parts: readonly (Item | Chunk)[]) => write('UserObject', parts)
  const base = buildItem('guid', 'BaseID', CLASS.ghPython)
  const refused: [() => unknown, string, RegExp][] = [
    [() => readUserObject(buildDefinition([])), 'not_a_user_object', /a definition, not a user object/],
    [() => readClusterFile(buildDefinition([])), 'not_a_cluster', /a definition, not a cluster file/],
    [() => readClusterFile(broken([])), 'not_a_cluster', /a user object, not a cluster file/],
    [() => readUserObject(broken([base])), 'malformed', /lacks its BaseID or Object/],
    [
      () => readUserObject(broken([base, buildItem('bytearray', 'Object', Buffer.from('no archive'))])),
      'not_an_archive',
      /not a Grasshopper archive/,
    ],
    [() => readClusterFile(write('Cluster', [])), 'malformed', /InstanceGuid/],
  ]
  for (const [read, code, message] of refused) {
    assert.throws(read, (error) => {
      assert.ok(error instanceof GrasshopperError)
      assert.equal(error.code, code)
      assert.match(error.message, message)
      return true
    })
  }
})

test('[GHD-56] given an object that inflates beyond the limit, when read, then it is too large', () => {
  const bomb = deflateRawSync(Buffer.concat([Buffer.from('\x0aUserObject'), Buffer.alloc(2 ** 22)]))
  const bytes = write('UserObject', [
    buildItem('guid', 'BaseID', CLASS.ghPython),
    buildItem('bytearray', 'Object', bomb),
  ])
  assert.throws(
    () => readUserObject(bytes, { maxBytes: 2 ** 20 }),
    (error) => (error as GrasshopperError).code === 'too_large',
  )
})

test('[GHD-56] given any change of the bytes, when read, then the file is read or rejected', () => {
  const files = [
    buildUserObject(CLASS.cluster, CLUSTER, [buildItem('bytearray', 'Icon', buildPicture())]),
    write('Cluster', containerOf(CLUSTER)),
  ]
  const counts = { read: 0, rejected: 0 }
  fc.assert(
    fc.property(fc.nat(1), ARBITRARY_MUTATIONS, (which, mutations) => {
      try {
        const read = which === 0 ? readUserObject : readClusterFile
        read(mutate(files[which]!, mutations))
        counts.read += 1
      } catch (error) {
        assert.ok(error instanceof GrasshopperError, String(error))
        counts.rejected += 1
      }
    }),
    { seed: 14, numRuns: 1000 },
  )
  assert.ok(counts.read > 0 && counts.rejected > 0, JSON.stringify(counts))
})

test('[GHD-54, GHD-55, GHD-64] given real user objects and cluster files, when read, then they have names, icons and contents, and they can be placed and written', {
  skip: NO_SAMPLES,
}, () => {
  for (const { name, bytes } of listSamples('ghuser', 'ghcluster')) {
    const placed = placeLibraryItem(bytes, name.endsWith('.ghuser') ? 'user_object' : 'cluster')
    const written = writeDefinition({ name: 'Placed', ...placeAll(placed) })
    assert.deepEqual(written.warnings, [], name)
    const item = name.endsWith('.ghuser') ? readUserObject(bytes) : readClusterFile(bytes)
    assert.ok(item.name !== '' && item.icon, name)
    assert.deepEqual([Object.keys(item.content.nodes).length, item.notes], [1, []], name)
    for (const cluster of item.clusters.values()) assert.ok('content' in cluster, name)
  }
})

/** A document with these items under other ids, as editors place them. */
function placeAll(...items: Node[]): GraphContent {
  return buildGraph(
    items.map((item, at) => {
      const id = (old: string) => old.replace(/^.{8}/, `${at + 1}`.repeat(8))
      const rename = <T>(record: Record<string, T>) =>
        Object.fromEntries(Object.entries(record).map(([key, value]) => [id(key), value]))
      const { instanceId, inputs, outputs, ports, values } = item
      return {
        ...{ ...item, instanceId: id(instanceId), position: { x: 100 * at, y: 50 } },
        ...{ inputs: rename(inputs), outputs: rename(outputs), ports: rename(ports), values: rename(values) },
      }
    }),
  )
}

const PLUGIN_CLASS = 'ab7a1b3c-0000-4000-8000-00000000abcd'
/** The object of a plug-in, with data that no node shows. */
const PLUGIN = buildObject({
  guid: PLUGIN_CLASS,
  id: 60,
  name: 'Wind',
  container: [
    ...buildTexts({ Description: 'Of a plug-in' }),
    buildItem('bytearray', 'WindRose', Buffer.from('NNW')),
    buildPort('param_input', 0, 61),
    buildPort('param_output', 0, 62),
  ],
})

test('[GHD-63, GHD-64] given a cluster, a script and an object of a plug-in, when they are placed, edited and written, then the contents of the clusters are known under their own ids, and the file holds all of them with what no node shows', () => {
  const cluster = placeLibraryItem(write('Cluster', containerOf(CLUSTER)), 'cluster')
  const script = placeLibraryItem(buildUserObject(CLASS.ghPython, SCRIPT), 'user_object')
  const plugin = placeLibraryItem(buildUserObject(PLUGIN_CLASS, PLUGIN), 'user_object')
  assert.deepEqual([cluster.name, script.name, plugin.name], ['Cluster', 'Find View', 'Wind'])
  assert.equal(plugin.state!.kind, 'placed')
  const document = placeAll(cluster, script, plugin, { ...cluster, nickName: 'Twice' })
  const [first, placedScript, , second] = Object.values(document.nodes)
  placedScript!.state!.source = 'a = 2\n'
  const contents = readPlacedClusters(document)
  assert.deepEqual([...contents.keys()], [first!.instanceId, second!.instanceId])
  for (const node of [first!, second!]) {
    const inside = contents.get(node.instanceId)!
    assert.ok('content' in inside)
    const [input] = Object.keys(node.inputs)
    const [output] = Object.keys(node.outputs)
    assert.deepEqual(
      [...inside.hooks],
      [
        [input, buildId(901)],
        [output, buildId(902)],
      ],
    )
  }

  const { bytes, warnings } = writeDefinition({ name: 'Placed', ...document })
  assert.deepEqual(warnings, [])
  const read = readDefinition(bytes).content
  for (const node of Object.values(document.nodes)) {
    const { object: _, kind, ...state } = node.state!
    const expected = kind === 'placed' ? {} : { state: { kind, ...state } }
    const { state: __, ...rest } = node
    assert.deepEqual(toJson(read.nodes[node.instanceId]), toJson({ ...rest, ...expected }))
  }
  assert.deepEqual(
    toJson([...readClusters(bytes).values()].map((inside) => 'content' in inside && inside.content)),
    toJson([...contents.values()].map((inside) => 'content' in inside && inside.content)),
  )
  assert.ok(Buffer.from(writeArchive(readDefinition(bytes).original, { form: 'ghx' })).includes(btoa('NNW')))
})

test('[GHD-63] given any state of a cluster, when its content is read and it is written, then nothing fails, and what cannot be read is unknown', () => {
  const cluster = placeLibraryItem(write('Cluster', containerOf(CLUSTER)), 'cluster')
  const packed = Buffer.from(cluster.state!.object as string, 'base64')
  const counts = { read: 0, unknown: 0 }
  fc.assert(
    fc.property(ARBITRARY_MUTATIONS, (mutations) => {
      const object = Buffer.from(mutate(packed, mutations)).toString('base64')
      const document = placeAll({ ...cluster, state: { ...cluster.state, object } })
      const [inside] = readPlacedClusters(document).values()
      counts[inside && 'content' in inside ? 'read' : 'unknown'] += 1
      writeDefinition({ name: 'Placed', ...document })
    }),
    { numRuns: 200, examples: [[[]]] },
  )
  assert.ok(counts.read > 0 && counts.unknown > 0, JSON.stringify(counts))
  for (const object of [12, '', {}, 'AAAA']) {
    const document = placeAll({ ...cluster, state: { kind: 'cluster', object } })
    for (const inside of readPlacedClusters(document).values()) assert.ok('unknown' in inside)
    writeDefinition({ name: 'Placed', ...document })
  }
})
