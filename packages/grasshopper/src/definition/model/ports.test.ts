import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  buildChunk,
  buildId,
  buildItem,
  buildObject,
  buildPersistentData,
  buildPort,
  buildSources,
} from '../../testing/build-archive.ts'
import { readNode, toJson } from '../../testing/read-objects.ts'
import { CLASS } from './class-ids.ts'

const CURVE = 'd5967b9f-e8ee-436b-a8ad-29fdcecf32d5'
const SERIES = 'e64c5fb1-845c-4ab1-8911-5f338516ba67'
const MERGE = '3cadddef-1e2b-4c09-9390-0e8f78f7609f'
const PLUGIN = '11111111-2222-4333-8444-555555555555'
const PARAM_VIEWER = '72a29b54-2e48-474b-a400-d2124c4edf79'

const sides = (guid: string, ...senders: number[]) => {
  const sender = buildObject({ guid: CURVE, id: 9, container: buildSources() })
  const { inputs, outputs } = readNode(1, [
    buildObject({ guid, id: 1, container: buildSources(...senders) }),
    sender,
  ])
  return { in: Object.keys(inputs).length, out: Object.keys(outputs).length }
}

test('[GHD-3] given parameter objects, when read, then each is one port under its own id', () => {
  const node = readNode(1, [buildObject({ guid: CURVE, id: 1, nickName: 'Rail', container: buildSources() })])
  assert.deepEqual(toJson([node.inputs, node.outputs]), [{ [buildId(1)]: 0 }, { [buildId(1)]: 0 }])
  assert.deepEqual(toJson(node.ports), {
    [buildId(1)]: { name: 'Thing', nickName: 'Rail', typeName: 'Curve', access: 'item', flags: [] },
  })
})

test('[GHD-3] given kinds without input or output, when read, then they lack it, but never a wire', () => {
  assert.deepEqual(sides(CURVE), { in: 1, out: 1 })
  assert.deepEqual(sides(CLASS.panel), { in: 1, out: 1 })
  for (const guid of [CLASS.numberSlider, CLASS.booleanToggle, CLASS.colourSwatch, CLASS.button]) {
    assert.deepEqual(sides(guid), { in: 0, out: 1 })
  }
  assert.deepEqual(sides(PARAM_VIEWER), { in: 1, out: 0 })
  assert.deepEqual(sides(CLASS.numberSlider, 9), { in: 1, out: 1 })
})

test('[GHD-4] given fixed ports in any order of chunks, when read, then they are in the order of their index', () => {
  const container = [
    buildPort('param_input', 1, 12),
    buildPort('param_output', 0, 20),
    buildPort('param_input', 0, 11),
    buildPort('param_input', 2, 13),
  ]
  const node = readNode(1, [buildObject({ guid: SERIES, id: 1, container })])
  assert.deepEqual(toJson(node.inputs), { [buildId(11)]: 0, [buildId(12)]: 1, [buildId(13)]: 2 })
  assert.deepEqual(toJson(node.outputs), { [buildId(20)]: 0 })
})

test('[GHD-4] given a component that switches between units, when read, then the active unit has ports', () => {
  const unit = (index: number, name: string, id: number) => {
    const ports = buildChunk('params', [buildChunk('input', [buildPort('p', 0, id, { senders: [9] })])])
    return buildChunk('unit', [buildItem('string', 'name', name), ports], index)
  }
  const container = [
    buildPort('param_input', 0, 11),
    buildChunk('ActiveUnit', [buildItem('string', 'unitname', 'Gravity')]),
    buildChunk('EvalUnits', [unit(0, 'Point', 12), unit(1, 'Gravity', 13)]),
  ]
  const sender = buildObject({ guid: CURVE, id: 9, container: buildSources() })
  const node = readNode(1, [buildObject({ guid: PLUGIN, id: 1, container }), sender])
  assert.deepEqual(toJson(node.inputs), { [buildId(11)]: 0, [buildId(13)]: 1 })
  assert.deepEqual(Object.keys(node.sources), [buildId(13)])
})

test('[GHD-7] given ports of all kinds, when read, then their types come from file, library or values', () => {
  const types = (guid: string, container: Parameters<typeof buildChunk>[1] = []) =>
    Object.values(readNode(1, [buildObject({ guid, id: 1, container })]).ports).map(
      ({ typeName }) => typeName,
    )
  const fixed = [0, 1, 2].map((index) => buildPort('param_input', index, 10 + index))
  assert.deepEqual(types(SERIES, fixed), ['Number', 'Number', 'Integer', 'Number'])
  const variable = buildChunk('ParameterData', [
    buildItem('guid', 'InputId', CURVE, 0),
    buildItem('guid', 'InputId', PLUGIN, 1),
    buildItem('guid', 'OutputId', CLASS.panel, 0),
    buildPort('InputParam', 0, 11),
    buildPort('InputParam', 1, 12),
    buildPort('OutputParam', 0, 13),
  ])
  assert.deepEqual(types(MERGE, [variable]), ['Curve', 'Unknown', 'Text'])
  const data = buildPersistentData({ '{0}': [null, [buildItem('double', 'number', 1)]] })
  assert.deepEqual(types(PLUGIN, [buildPort('param_input', 0, 11, { parts: [data] })]), ['Number'])
  assert.deepEqual(types(PLUGIN, [buildPort('param_input', 0, 11)]), ['Unknown'])
})

test('[GHD-6] given all switches of a port, when read, then they are in flags, expression and options', () => {
  const parts = [
    buildItem('int32', 'Access', 1),
    buildItem('int32', 'Mapping', 2),
    buildItem('string', 'InternalExpression', '-x'),
    ...['Optional', 'SimplifyData', 'ReverseData', 'Reparameterize', 'UseDegrees', 'InvertBooleans'].map(
      (name) => buildItem('bool', name, true),
    ),
  ]
  const container = [
    buildItem('int32', 'PrincipalIndex', 0),
    buildPort('param_input', 0, 11, { parts }),
    buildPort('param_input', 1, 12, {
      parts: [buildItem('int32', 'Mapping', 1), buildItem('int32', 'Access', 2)],
    }),
  ]
  const { ports } = readNode(1, [buildObject({ guid: PLUGIN, id: 1, container })])
  assert.deepEqual(ports[buildId(11)], {
    name: 'Port 11',
    nickName: 'P11',
    typeName: 'Unknown',
    access: 'list',
    flags: ['graft', 'simplify', 'reverse'],
    expression: '-x',
    options: ['optional', 'principal', 'reparameterize', 'degrees', 'invert'],
  })
  assert.deepEqual(ports[buildId(12)]?.flags, ['flatten'])
  assert.equal(ports[buildId(12)]?.access, 'tree')
  assert.equal(ports[buildId(12)]?.options, undefined)
})

test('[GHD-27] given an object of 2011, when read, then types, status and values are found', () => {
  const container = [
    buildItem('bool', 'Enabled', false),
    buildItem('bool', 'Preview', true),
    buildChunk('Attributes', [buildItem('drawing_rectanglef', 'BBox', { x: 7, y: 8, width: 1, height: 1 })]),
    buildChunk('VariableInput', [buildItem('guid', 'ID', CURVE, 0)]),
    buildPort('param_input', 0, 11, {
      parts: [
        buildItem('int32', 'PersistentCount', 2),
        buildChunk('Data', [buildItem('int32', 'number', 4)], 0),
        buildChunk('Data', [], 1),
      ],
    }),
  ]
  const node = readNode(1, [buildObject({ guid: PLUGIN, id: 1, container })])
  assert.deepEqual(node.position, { x: 7, y: 8 })
  assert.deepEqual(node.status, { isEnabled: false, isPreviewed: true })
  assert.equal(node.ports[buildId(11)]?.typeName, 'Curve')
  assert.deepEqual(node.values[buildId(11)], {
    branches: [{ path: '{0}', values: [{ type: 'integer', value: 4 }, null] }],
  })
})

test('[GHD-3] given a kind of parameter without SourceCount, when read, then it is one nevertheless', () => {
  const node = readNode(1, [buildObject({ guid: CURVE, id: 1 })])
  assert.deepEqual(toJson([node.inputs, node.outputs]), [{ [buildId(1)]: 0 }, { [buildId(1)]: 0 }])
})

test('[GHD-4] given a component with a SourceCount of its own, when read, then it has its ports', () => {
  const container = [...buildSources(), buildPort('param_input', 0, 11), buildPort('param_output', 0, 12)]
  const node = readNode(1, [buildObject({ guid: PLUGIN, id: 1, container })])
  assert.deepEqual(toJson([node.inputs, node.outputs]), [{ [buildId(11)]: 0 }, { [buildId(12)]: 0 }])
})

test('[GHD-7] given a gradient without values, when read, then its ports have the types of its library', () => {
  const ports = [0, 1, 2].map((i) => buildPort('param_input', i, 11 + i))
  const node = readNode(1, [buildObject({ guid: CLASS.gradient, id: 1, container: ports })])
  assert.deepEqual(
    Object.values(node.ports).map(({ typeName }) => typeName),
    ['Number', 'Number', 'Number', 'Colour'],
  )
})
