import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repairGraph } from '@meadow/document'
import { assertRejected } from '../archive/testing/assert-rejected.ts'
import { writeArchive } from '../archive/write-archive.ts'
import {
  buildArchive,
  buildChunk,
  buildDefinition,
  buildId,
  buildItem,
  buildObject,
  buildPort,
  buildSources,
  buildTexts,
} from '../testing/build-archive.ts'
import { buildPicture } from '../testing/build-picture.ts'
import { readNode, toJson } from '../testing/read-objects.ts'
import { CLASS } from './model/class-ids.ts'
import { readDefinition } from './read-definition.ts'

const NUMBER = '3e8ca6be-fda8-4aaf-b5c0-3c54c8bb7312'
const PLUGIN = '11111111-2222-4333-8444-555555555555'

/** A number parameter, fed by those named. */
const parameter = (id: number, ...senders: number[]) =>
  buildObject({ guid: NUMBER, id, name: `Number ${id}`, container: buildSources(...senders) })

test('[GHD-1] given one definition as .gh and .ghx, when read, then the documents are the same', () => {
  const archive = buildArchive([parameter(1), parameter(2, 1)])
  const [gh, ghx] = (['gh', 'ghx'] as const).map((form) => readDefinition(writeArchive(archive, { form })))
  assert.deepEqual(ghx?.content, gh?.content)
})

test('[GHD-1] given other archives, when read, then they are not definitions', () => {
  for (const name of ['UserObject', 'Cluster', 'Document', 'Root']) {
    const bytes = writeArchive({ root: buildChunk(name) }, { form: 'gh' })
    assertRejected('not_a_definition', /^Root$/, () => readDefinition(bytes))
  }
})

test('[GHD-2] given objects of all families, when read, then all but groups are nodes', () => {
  const { content, objects } = readDefinition(
    buildDefinition([
      parameter(1),
      buildObject({ guid: CLASS.group, id: 2 }),
      buildObject({ guid: CLASS.scribble, id: 3 }),
      buildObject({ guid: PLUGIN, id: 4, container: [buildPort('param_input', 0, 5)] }),
    ]),
  )
  assert.deepEqual(Object.keys(content.nodes), [1, 3, 4].map(buildId))
  assert.equal(content.nodes[buildId(4)]?.templateId, PLUGIN)
  assert.deepEqual([...objects.keys()], [1, 2, 3, 4].map(buildId))
})

test('[GHD-5] given wires in both directions of the file, when read, then they are at the receiver in order', () => {
  const component = buildObject({
    guid: PLUGIN,
    id: 10,
    container: [buildPort('param_input', 0, 11, { senders: [3, 1, 22] }), buildPort('param_output', 0, 12)],
  })
  const later = buildObject({ guid: PLUGIN, id: 20, container: [buildPort('param_output', 0, 22)] })
  const { content, notes } = readDefinition(
    buildDefinition([component, parameter(1), later, parameter(3, 12)].slice(0, 3).concat(parameter(3))),
  )
  assert.deepEqual(toJson(content.nodes[buildId(10)]?.sources), {
    [buildId(11)]: [
      { nodeInstanceId: buildId(3), portInstanceId: buildId(3) },
      { nodeInstanceId: buildId(1), portInstanceId: buildId(1) },
      { nodeInstanceId: buildId(20), portInstanceId: buildId(22) },
    ],
  })
  assert.deepEqual(notes, [])
})

test('[GHD-5] given wires without a sender, from an input and twice, when read, then there are notes', () => {
  const component = buildObject({ guid: PLUGIN, id: 10, container: [buildPort('param_input', 0, 11)] })
  const { content, notes } = readDefinition(
    buildDefinition([parameter(1), parameter(2, 99, 1, 11, 1), component]),
  )
  assert.deepEqual(toJson(content.nodes[buildId(2)]?.sources), {
    [buildId(2)]: [{ nodeInstanceId: buildId(1), portInstanceId: buildId(1) }],
  })
  const at = { nodeInstanceId: buildId(2), portInstanceId: buildId(2) }
  assert.deepEqual(notes, [
    { kind: 'dropped_wire', ...at, senderId: buildId(99) },
    { kind: 'dropped_wire', ...at, senderId: buildId(11) },
    { kind: 'repaired', repair: { kind: 'repeated_wire_dropped', ...at, droppedId: buildId(1) } },
  ])
})

test('[GHD-16] given Pivot, only Bounds, or neither, when read, then the position is the first one found', () => {
  const pivot = buildItem('drawing_pointf', 'Pivot', { x: 5, y: 6 })
  const bounds = buildItem('drawing_rectanglef', 'Bounds', { x: 1, y: 2, width: 3, height: 4 })
  const positions = [[pivot, bounds], [bounds], []].map(
    (attributes) =>
      readNode(1, [buildObject({ guid: PLUGIN, id: 1, container: [buildChunk('Attributes', attributes)] })])
        .position,
  )
  assert.deepEqual(positions, [
    { x: 5, y: 6 },
    { x: 1, y: 2 },
    { x: 0, y: 0 },
  ])
})

test('[GHD-16] given Locked and Hidden, when read, then the node is disabled and not previewed', () => {
  const container = [buildItem('bool', 'Locked', true), buildItem('bool', 'Hidden', true)]
  const node = readNode(1, [buildObject({ guid: PLUGIN, id: 1, container })])
  assert.deepEqual(node.status, { isEnabled: false, isPreviewed: false })
})

test('[GHD-23] given an object or port without identity, when read, then it is malformed with its location', () => {
  const nameless = buildChunk('Object', [buildItem('guid', 'GUID', PLUGIN), buildChunk('Container')])
  assertRejected('malformed', /DefinitionObjects\/Object #1$/, () =>
    readDefinition(buildDefinition([parameter(1), nameless])),
  )
  const component = buildObject({ guid: PLUGIN, id: 1, container: [buildChunk('param_input', [], 0)] })
  assertRejected('malformed', /Object #0\/param_input #0$/, () =>
    readDefinition(buildDefinition([component])),
  )
})

test('[GHD-23] given one id twice, when read, then both owners are named', () => {
  const component = buildObject({
    guid: PLUGIN,
    id: 7,
    name: 'Move',
    container: [buildPort('param_input', 0, 1)],
  })
  const group = buildObject({ guid: CLASS.group, id: 1, name: 'Group' })
  for (const objects of [
    [parameter(1), parameter(1)],
    [parameter(1), component],
    [component, component],
    [parameter(1), group],
  ]) {
    const { message } = assertRejected('duplicate_id', /Object #1$/, () =>
      readDefinition(buildDefinition(objects)),
    )
    assert.match(message, /\(Object #0\).+\(Object #1\)/)
  }
})

test('[GHD-24] given wires in a cycle, when read, then its objects are named', () => {
  const bytes = buildDefinition([parameter(1), parameter(2, 1, 4), parameter(3, 2), parameter(4, 3)])
  const { message } = assertRejected('cyclic_wires', /Object #\d$/, () => readDefinition(bytes))
  for (const name of ['Number 2', 'Number 3', 'Number 4']) assert.ok(message.includes(name), message)
  assert.ok(!message.includes('Number 1'))
})

test('[GHD-26] given the properties of a file, when read, then they are in the header', () => {
  const properties = buildChunk('DefinitionProperties', [
    ...buildTexts({ Name: 'Tower.gh', Description: 'A tower' }),
    buildItem('date', 'Date', 638_000_000_001_230_000n),
    buildChunk('Projection', [
      buildItem('drawing_point', 'Target', { x: -968, y: 24 }),
      buildItem('single', 'Zoom', 0.75),
    ]),
  ])
  const more = [
    buildItem('version', 'plugin_version', { major: 1, minor: 0, revision: 8 }),
    buildChunk('DocumentHeader', [buildItem('guid', 'DocumentID', buildId(9))]),
    properties,
    buildChunk('Author', buildTexts({ Name: 'Ada', EMail: 'ada@example.org' })),
    buildChunk('GHALibraries', [
      buildChunk(
        'Library',
        [...buildTexts({ Name: 'Robots', Author: 'V', Version: '1.2' }), buildItem('guid', 'Id', PLUGIN)],
        0,
      ),
    ]),
  ]
  const archive = buildArchive([], more)
  archive.root.items.push(buildItem('version', 'ArchiveVersion', { major: 0, minor: 2, revision: 2 }))
  const picture = buildPicture({ width: 150, height: 100 })
  archive.root.chunks.push(buildChunk('Thumbnail', [buildItem('drawing_bitmap', 'Thumbnail', picture)]))
  const { header, thumbnail, original } = readDefinition(writeArchive(archive, { form: 'gh' }))
  assert.deepEqual(header, {
    archiveVersion: '0.2.2',
    pluginVersion: '1.0.8',
    documentId: buildId(9),
    name: 'Tower.gh',
    description: 'A tower',
    savedAt: '2022-09-28T22:13:20.123',
    view: { x: -968, y: 24, zoom: 0.75 },
    author: { name: 'Ada', company: '', email: 'ada@example.org', copyright: '', website: '' },
    libraries: [{ id: PLUGIN, name: 'Robots', author: 'V', version: '1.2' }],
  })
  assert.deepEqual(thumbnail, picture)
  assert.deepEqual(original, archive)
})

test('[GHD-56] given a thumbnail that is no PNG file, empty or very large, when read, then there is none', () => {
  const pictures = [
    Uint8Array.of(1, 2, 3),
    buildPicture({ width: 0 }),
    buildPicture({ height: 100_000 }),
    buildPicture({ length: 600_000 }),
  ]
  for (const picture of pictures) {
    const archive = buildArchive([])
    archive.root.chunks.push(buildChunk('Thumbnail', [buildItem('drawing_bitmap', 'Thumbnail', picture)]))
    assert.equal(readDefinition(writeArchive(archive, { form: 'gh' })).thumbnail, undefined)
  }
})

test('[GHD-28] given a definition, when its graph is repaired, then there are no repairs', () => {
  const { content } = readDefinition(
    buildDefinition([parameter(1), parameter(2, 1), buildObject({ guid: CLASS.group, id: 3 })]),
  )
  assert.deepEqual(repairGraph(content), { content, repairs: [] })
})

test('[GHD-27] given a current plug-in with an item Enabled, when read, then Locked determines the status', () => {
  const container = [buildItem('bool', 'Enabled', false)]
  const node = readNode(1, [buildObject({ guid: PLUGIN, id: 1, container })])
  assert.deepEqual(node.status, { isEnabled: true, isPreviewed: true })
})
