import type { Archive, Chunk, Item } from '../archive/tree/archive.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { CLASS } from '../definition/model/class-ids.ts'
import {
  buildArchive,
  buildChunk,
  buildId,
  buildItem,
  buildObject,
  buildPersistentData,
  buildPort,
  buildSources,
} from './build-archive.ts'
import { buildCluster, NUMBER_CLASS } from './build-cluster.ts'

export const PLUGIN_CLASS = '11111111-2222-4333-8444-555555555555'
const PLUGIN_LIBRARY = '99999999-2222-4333-8444-555555555555'

/** The numbers of the ids in `buildOriginal`. */
export const ID = {
  slider: 1,
  number: 2,
  panel: 3,
  plugin: 10,
  pluginIn: 11,
  pluginOut: 12,
  merge: 20,
  mergeA: 21,
  mergeB: 22,
  mergeOut: 23,
  cluster: 30,
  clusterIn: 31,
  clusterOut: 32,
  group: 40,
  scribble: 50,
  nowhere: 99,
} as const

/** A definition with all kinds of data that a document does not show, and with parts that the editor changes. */
export function buildOriginal(more: readonly Chunk[] = []): { archive: Archive; bytes: Uint8Array } {
  const objects = [
    buildGroup(),
    ...buildParameters(),
    buildPlugin(),
    buildMerge(),
    buildRib(),
    buildScribble(),
  ]
  const archive = buildArchive(
    [...objects, ...more],
    [
      buildItem('version', 'plugin_version', { major: 1, minor: 0, revision: 7 }),
      buildChunk('StateServer', [buildItem('string', 'Secret', 'saved slider states')]),
      buildChunk('Unknown', [buildItem('bytearray', 'Bytes', new Uint8Array([1, 2, 3]))]),
    ],
  )
  archive.root.items.push(buildItem('version', 'ArchiveVersion', { major: 0, minor: 2, revision: 2 }))
  archive.root.chunks.push(
    buildChunk('Thumbnail', [buildItem('drawing_bitmap', 'Thumbnail', new Uint8Array([137, 80]))]),
  )
  return { archive, bytes: writeArchive(archive, { form: 'gh' }) }
}

/** Attributes around a position, and the row of a port in them. */
const at = (x: number, y: number): Chunk =>
  buildChunk('Attributes', [
    buildItem('drawing_rectanglef', 'Bounds', { x: x - 40, y: y - 22, width: 80, height: 44 }),
    buildItem('drawing_pointf', 'Pivot', { x, y }),
    buildItem('bool', 'Selected', true),
  ])

function buildParameters(): Chunk[] {
  const slider = [
    ...buildSources(),
    at(100, 50),
    buildChunk('Slider', [
      buildItem('int32', 'Digits', 2),
      buildItem('int32', 'Interval', 0),
      buildItem('double', 'Max', 10),
      buildItem('double', 'Min', 0),
      buildItem('int32', 'SnapCount', 1),
      buildItem('string', 'Snap', '2.5', 0),
      buildItem('double', 'Value', 4),
    ]),
  ]
  const number = [...buildSources(ID.nowhere, ID.slider), at(300, 50), buildItem('int32', 'WireDisplay', 2)]
  const panel = [
    ...buildSources(),
    at(100, 200),
    buildItem('string', 'UserText', 'One\r\nTwo'),
    buildChunk('PanelProperties', [
      buildItem('bool', 'Multiline', false),
      buildChunk('Font', [buildItem('string', 'Family', 'Courier New')]),
    ]),
  ]
  return [
    buildObject({
      guid: CLASS.numberSlider,
      id: ID.slider,
      name: 'Number Slider',
      nickName: 'Radius',
      container: slider,
    }),
    buildObject({ guid: NUMBER_CLASS, id: ID.number, name: 'Number', container: number }),
    buildObject({ guid: CLASS.panel, id: ID.panel, name: 'Panel', container: panel }),
  ]
}

function buildPlugin(): Chunk {
  const data = buildPersistentData({
    '{0}': [[buildItem('string', 'Fish_bin', 'opaque')], [buildItem('double', 'number', 3)]],
  })
  return buildObject({
    guid: PLUGIN_CLASS,
    id: ID.plugin,
    name: 'Weave',
    libraryId: PLUGIN_LIBRARY,
    container: [
      at(500, 100),
      buildItem('string', 'Secret', 'only the plug-in knows'),
      buildChunk('Settings', [buildItem('double', 'Speed', 1.5)]),
      buildPort('param_input', 0, ID.pluginIn, { senders: [ID.number], parts: [at(470, 100), data] }),
      buildPort('param_output', 0, ID.pluginOut, { parts: [at(530, 100)] }),
    ],
  })
}

function buildMerge(): Chunk {
  const type = '8ec86459-bf01-4409-baee-174d0d2b13d0'
  const ids: Item[] = [
    buildItem('int32', 'InputCount', 2),
    buildItem('guid', 'InputId', type, 0),
    buildItem('guid', 'InputId', type, 1),
    buildItem('int32', 'OutputCount', 1),
    buildItem('guid', 'OutputId', type, 0),
  ]
  const ports = [
    buildPort('InputParam', 0, ID.mergeA, {
      senders: [ID.pluginOut],
      parts: [buildItem('string', 'Secret', 'A')],
    }),
    buildPort('InputParam', 1, ID.mergeB, { parts: [buildItem('string', 'Secret', 'B')] }),
    buildPort('OutputParam', 0, ID.mergeOut),
  ]
  const container = [at(700, 100), buildChunk('ParameterData', [...ids, ...ports])]
  return buildObject({ guid: CLASS.merge, id: ID.merge, name: 'Merge', container })
}

function buildRib(): Chunk {
  return buildCluster({
    id: ID.cluster,
    name: 'Rib',
    inputs: [[ID.clusterIn, 901]],
    outputs: [[ID.clusterOut, 902]],
    content: new Uint8Array([9, 8, 7]),
    more: [at(900, 100)],
  })
}

function buildGroup(): Chunk {
  return buildObject({
    guid: CLASS.group,
    id: ID.group,
    name: 'Group',
    nickName: 'Input',
    container: [
      buildItem('int32', 'Border', 3),
      buildItem('drawing_color', 'Colour', 0x96aa87ff),
      buildItem('int32', 'ID_Count', 2),
      buildItem('guid', 'ID', buildId(ID.slider), 0),
      buildItem('guid', 'ID', buildId(ID.nowhere), 1),
    ],
  })
}

function buildScribble(): Chunk {
  const corners = { Ca: [10, 20], Cb: [90, 20], Cc: [90, 40], Cd: [10, 40] } as const
  return buildObject({
    guid: CLASS.scribble,
    id: ID.scribble,
    name: 'Scribble',
    container: [
      buildItem('string', 'Text', 'Note'),
      ...Object.entries(corners).map(([name, [x, y]]) => buildItem('drawing_pointf', name, { x, y })),
      buildChunk('Attributes', [buildItem('drawing_pointf', 'Pivot', { x: 10, y: 20 })]),
    ],
  })
}
