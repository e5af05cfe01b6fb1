import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findComponent,
  listComponents,
  listParameterTypes,
  type Node,
  type NodeState,
} from '@meadow/document'
import { readArchive } from '../../archive/read-archive.ts'
import type { Chunk } from '../../archive/tree/archive.ts'
import { findChunk, findItem, listChunks } from '../../archive/tree/find.ts'
import { writeArchive } from '../../archive/write-archive.ts'
import { buildId } from '../../testing/build-archive.ts'
import { buildComponent, buildNode } from '../../testing/build-node.ts'
import { assertComesBack, buildContent, writeAndRead } from '../../testing/write-and-read.ts'
import { CLASS } from '../model/class-ids.ts'
import { readDefinition } from '../read-definition.ts'
import { writeDefinition } from '../write-definition.ts'

const SERIES = 'e64c5fb1-845c-4ab1-8911-5f338516ba67'
const LOFT = 'a7a41d0a-2188-4f7a-82cc-1a2c4e4ec850'
const PYTHON_3 = '719467e6-7cf5-4848-99b0-c5dd57e5442c'
const PLUGIN = '11111111-2222-4333-8444-555555555555'
const LIBRARY = '99999999-2222-4333-8444-555555555555'

const getObject = (bytes: Uint8Array, number: number): Chunk => {
  const object = readDefinition(bytes).objects.get(buildId(number))
  assert.ok(object)
  return object
}
const getContainer = (bytes: Uint8Array, number: number): Chunk => {
  const container = findChunk(getObject(bytes, number), 'Container')
  assert.ok(container)
  return container
}

test('[GHD-31] given a document without nodes, when written, then the archive has the complete frame', () => {
  const document = { ...buildContent([]), name: 'Türm 🦗', id: 'abc', updatedAt: '2024-03-01T12:30:00.250Z' }
  const { bytes, warnings } = writeDefinition(document)
  const { header, content } = readDefinition(bytes)
  assert.deepEqual(warnings, [])
  assert.deepEqual(Object.keys(content.nodes), [])
  assert.deepEqual(
    { ...header, documentId: undefined },
    {
      archiveVersion: '0.2.2',
      pluginVersion: '1.0.7',
      documentId: undefined,
      name: 'Türm 🦗.gh',
      description: '',
      savedAt: '2024-03-01T12:30:00.250',
      libraries: [],
      view: { x: 0, y: 0, zoom: 1 },
    },
  )
  const definition = findChunk(readArchive(bytes).root, 'Definition')
  assert.deepEqual(
    definition?.chunks.map(({ name }) => name),
    ['DocumentHeader', 'DefinitionProperties', 'RcpLayout', 'GHALibraries', 'DefinitionObjects'],
  )
})

test('[GHD-31] given a script of Rhino 8, when written, then the file has its version, otherwise one that any Grasshopper 1 reads', () => {
  const state: NodeState = { kind: 'script', language: 'python3', source: 'a = 1' }
  const script = buildComponent(PYTHON_3, 1, [], [], { state })
  const { bytes } = writeAndRead(buildContent([script]))
  assert.equal(readDefinition(bytes).header.pluginVersion, '1.0.8')
  assert.equal(findItem(getObject(bytes, 1), 'Lib', 'guid'), undefined)
})

test('[GHD-31] given every class of the component library, when written and read, then each is the same', () => {
  const components = listComponents().filter(({ portStorage }) => portStorage !== 'unknown')
  const guids = [...components, ...listParameterTypes()].map(({ guid }) => guid)
  const nodes = guids.map((guid, i) => buildNode(guid, 1000 * (i + 1), { position: { x: i * 10, y: -i } }))
  const { content, warnings } = writeAndRead(buildContent(nodes))
  assert.deepEqual(warnings, [])
  for (const node of nodes) {
    // Scripts and similar objects also have the defaults of their class.
    const { state: _, ...read } = content.nodes[node.instanceId] as Node
    assert.deepEqual(read, JSON.parse(JSON.stringify(node)))
  }
})

test('[GHD-31] given a gradient without grips of its own, when written, then it has those of Grasshopper, and its state is written over them', () => {
  const grip = (position: number, colour: string) => ({ position, left: colour, right: colour })
  const traffic = [grip(0, '#008000ff'), grip(0.5, '#ffff00ff'), grip(1, '#ff0000ff')]
  const bare = writeAndRead(buildContent([buildNode(CLASS.gradient, 1)]))
  assert.deepEqual(bare.content.nodes[buildId(1)]?.state, {
    kind: 'gradient',
    isLinear: false,
    grips: traffic,
  })
  const state: NodeState = {
    kind: 'gradient',
    isLinear: true,
    grips: [grip(0.1, '#01020304'), { position: 0.7, left: '#ffffffff', right: '#000000ff' }],
  }
  assertComesBack(buildContent([buildNode(CLASS.gradient, 1, { state })]))
})

test('[GHD-31] given both forms, when written, then they have the same archive except for the name of the file', () => {
  const content = buildContent([buildNode(SERIES, 1)])
  const [gh, ghx] = (['gh', 'ghx'] as const).map((form) => writeAndRead(content, { form }))
  assert.deepEqual(ghx?.content, gh?.content)
  assert.equal(readDefinition(ghx?.bytes ?? new Uint8Array()).header.name, 'Tower.ghx')
})

test('[GHD-32] given a component that lacks a port of its library, when written, then the file has it, with its default', () => {
  const whole = buildNode(SERIES, 1)
  const [start = '', step = ''] = Object.keys(whole.inputs)
  const { [start]: _, ...inputs } = whole.inputs
  const lacking: Node = {
    ...whole,
    inputs: Object.fromEntries(Object.keys(inputs).map((id, order) => [id, order])),
    values: {},
    ports: Object.fromEntries(Object.entries(whole.ports).filter(([id]) => id !== start)),
  }
  const { bytes, warnings } = writeAndRead(buildContent([lacking]))
  const ports = listChunks(getContainer(bytes, 1), 'param_input')
  assert.deepEqual(
    ports.map((port) => findItem(port, 'Name', 'string')),
    findComponent(SERIES)?.inputs.map(({ name }) => name),
  )
  assert.equal(findItem(ports[1] as Chunk, 'InstanceGuid', 'guid'), step)
  assert.ok(findChunk(ports[0] as Chunk, 'PersistentData'))
  assert.deepEqual(
    warnings.map(({ kind, nodeInstanceId }) => [kind, nodeInstanceId]),
    [['ports_kept', buildId(1)]],
  )
})

test('[GHD-33] given a Loft without options, when written, then the file has the default, and the document still has none', () => {
  const loft = buildNode(LOFT, 1)
  const { bytes, warnings } = writeAndRead(buildContent([loft]))
  const options = listChunks(getContainer(bytes, 1), 'param_input')[1] as Chunk
  assert.ok(findChunk(options, 'PersistentData'))
  assert.deepEqual(warnings, [])
  assertComesBack(buildContent([loft]))
  assertComesBack(readDefinition(bytes).content, { original: bytes })
})

test('[GHD-33] given default options changed in Grasshopper, when read, then they are a value', () => {
  const { bytes } = writeAndRead(buildContent([buildNode(LOFT, 1)]))
  const archive = readArchive(bytes)
  const change = (chunk: Chunk): void => {
    for (const item of chunk.items) if (item.name === 'LoftType' && item.type === 'int32') item.value = 2
    chunk.chunks.forEach(change)
  }
  change(archive.root)
  const { nodes } = readDefinition(writeArchive(archive, { form: 'gh' })).content
  const values = Object.values(nodes[buildId(1)]?.values ?? {}).flatMap(
    ({ branches }) => branches[0]?.values ?? [],
  )
  assert.deepEqual(
    values.map((value) => value?.type === 'unknown' && value.value.description),
    ['Loft options of type 2 (otherwise unchanged)'],
  )
})

test('[GHD-34] given the same document twice, when written, then the bytes are the same', () => {
  const content = buildContent([buildNode(SERIES, 1), buildNode(CLASS.panel, 50)])
  const [first, second] = [1, 2].map(() => writeDefinition({ name: 'Tower', ...structuredClone(content) }))
  assert.deepEqual(second?.bytes, first?.bytes)
  assert.equal(readDefinition(first?.bytes ?? new Uint8Array()).header.savedAt, '2000-01-01T00:00:00.000')
})

test('[GHD-34] given an id of the document, when written, then its DocumentID is derived from it alone', () => {
  const idOf = (id: string, name: string) =>
    readDefinition(writeDefinition({ ...buildContent([]), id, name }).bytes).header.documentId
  assert.equal(idOf('a', 'One'), idOf('a', 'Two'))
  assert.notEqual(idOf('a', 'One'), idOf('b', 'One'))
})

test('[GHD-44] given a node of a plug-in, when written without an original, then its library is listed, with a warning', () => {
  const state: NodeState = { kind: 'plugin', libraryId: LIBRARY, library: 'Weaver', version: '1.2' }
  const node = { ...buildComponent(PLUGIN, 1, [], []), state: { ...state } }
  const { bytes, warnings } = writeDefinition({ name: 'Tower', ...buildContent([node]) })
  const { header, content } = readDefinition(bytes)
  assert.deepEqual(header.libraries, [{ id: LIBRARY, name: 'Weaver', author: '', version: '1.2' }])
  assert.deepEqual({ ...content.nodes[buildId(1)]?.state }, { ...state })
  assert.deepEqual(
    warnings.map(({ kind }) => kind),
    ['hidden_content_missing'],
  )
})

test('[GHD-44] given nodes of unknown classes, when written, then they and their wires are omitted, with a warning', () => {
  const unknown = buildComponent(PLUGIN, 1, [], [{ ...PORT, name: 'A' }])
  const cluster = buildComponent(CLASS.cluster, 20, [], [])
  const series = buildNode(SERIES, 50)
  const [input = ''] = Object.keys(series.inputs)
  series.sources = { [input]: [{ nodeInstanceId: buildId(1), portInstanceId: buildId(2) }] }
  const group = {
    id: buildId(90),
    label: '',
    colour: '#aa87ff96',
    nodeInstanceIds: [buildId(1), buildId(50)],
    groupIds: [],
  }
  const { content, warnings } = writeAndRead(buildContent([unknown, cluster, series], { groups: [group] }))
  assert.deepEqual(Object.keys(content.nodes), [buildId(50)])
  assert.deepEqual(content.nodes[buildId(50)]?.sources, {})
  assert.deepEqual(content.groups[0]?.nodeInstanceIds, [buildId(50)])
  assert.deepEqual(
    warnings.map(({ kind, nodeInstanceId }) => [kind, nodeInstanceId]),
    [1, 20].map((id) => ['unknown_component_left_out', buildId(id)]),
  )
})

const PORT = {
  name: '',
  nickName: '',
  typeName: 'Data',
  access: 'item',
  isOptional: false,
  defaults: [],
} as const
