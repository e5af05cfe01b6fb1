import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listPanelLines, readConstant } from '@meadow/document'
import { assertRejected } from '../../../archive/testing/assert-rejected.ts'
import type { Chunk, Item } from '../../../archive/tree/archive.ts'
import {
  buildChunk,
  buildDefinition,
  buildId,
  buildItem,
  buildObject,
  buildPersistentData,
  buildSources,
} from '../../../testing/build-archive.ts'
import { readNode } from '../../../testing/read-objects.ts'
import { CLASS } from '../../model/class-ids.ts'
import { readDefinition } from '../../read-definition.ts'

const NO_ID = '00000000-0000-0000-0000-000000000000'
const unknown = (description: string, more: object = {}) => ({
  type: 'unknown',
  value: { description, ...more },
})
const DATA = '8ec86459-bf01-4409-baee-174d0d2b13d0'

/** The tree of a Data parameter with these values. */
function readTree(data: Chunk, ...senders: number[]) {
  const sender = buildObject({ guid: DATA, id: 2, container: buildSources() })
  const node = readNode(1, [
    buildObject({ guid: DATA, id: 1, container: [...buildSources(...senders), data] }),
    sender,
  ])
  return node.values[buildId(1)]
}

const readItem = (...parts: (Item | Chunk)[]) =>
  readTree(buildPersistentData({ '{0}': [parts] }))?.branches[0]?.values[0]

test('[GHD-8] given branches out of order with nulls, when read, then the tree is in path order and keeps positions', () => {
  const one = [buildItem('double', 'number', 1.5)]
  assert.deepEqual(readTree(buildPersistentData({ '{10}': [one], '{2}': [null, one], '{3}': [] })), {
    branches: [
      { path: '{2}', values: [null, { type: 'number', value: 1.5 }] },
      { path: '{3}', values: [] },
      { path: '{10}', values: [{ type: 'number', value: 1.5 }] },
    ],
  })
})

test('[GHD-8] given only empty branches, when read, then there are no values', () => {
  assert.equal(readTree(buildPersistentData({ '{0}': [] })), undefined)
})

test('[GHD-15] given values under a wire, when read, then both are kept', () => {
  const data = buildPersistentData({ '{0}': [[buildItem('bool', 'boolean', true)]] })
  assert.deepEqual(readTree(data, 2), {
    branches: [{ path: '{0}', values: [{ type: 'boolean', value: true }] }],
  })
})

test('[GHD-29] given a count without items, when read, then they are nulls, unless there are absurdly many', () => {
  const counted = (count: number) =>
    buildChunk('PersistentData', [
      buildChunk('Branch', [buildItem('string', 'Path', '{0}'), buildItem('int32', 'Count', count)], 0),
    ])
  assert.deepEqual(readTree(counted(3))?.branches, [{ path: '{0}', values: [null, null, null] }])
  const container = [...buildSources(), counted(2_147_483_647)]
  const bytes = buildDefinition([buildObject({ guid: DATA, id: 1, container })])
  assertRejected('too_large', /Object #0/, () => readDefinition(bytes))
})

test('[GHD-9] given items of each kind, when read, then their names determine the value', () => {
  const plane = buildItem('plane', 'Plane', {
    origin: { x: 1, y: 2, z: 3 },
    xAxis: { x: 1, y: 0, z: 0 },
    yAxis: { x: 0, y: 1, z: 0 },
  })
  const planeValue = { origin: [1, 2, 3], xAxis: [1, 0, 0], yAxis: [0, 1, 0] }
  const [x, y, z] = ['X', 'Y', 'Z'].map((name, i) => buildItem('interval1d', name, { a: 0, b: i })) as [
    Item,
    Item,
    Item,
  ]
  const xyz = { x: 1, y: Number.NaN, z: Number.NEGATIVE_INFINITY }
  const cases: [(Item | Chunk)[], unknown][] = [
    [[buildItem('double', 'number', Number.POSITIVE_INFINITY)], { type: 'number', value: 'Infinity' }],
    [[buildItem('int32', 'number', 7)], { type: 'integer', value: 7 }],
    [[buildItem('bool', 'boolean', false)], { type: 'boolean', value: false }],
    [
      [buildItem('bool', 'null_string', false), buildItem('string', 'string', 'a')],
      { type: 'string', value: 'a' },
    ],
    [[buildItem('bool', 'null_string', true)], null],
    [[buildItem('drawing_color', 'color', 0x80ff0102)], { type: 'colour', value: '#ff010280' }],
    [[buildItem('point3d', 'Coordinate', xyz)], { type: 'point', value: [1, 'NaN', '-Infinity'] }],
    [[buildItem('point3d', 'vector', { x: 1, y: 2, z: 3 })], { type: 'vector', value: [1, 2, 3] }],
    [[{ ...plane, name: 'plane' }], { type: 'plane', value: planeValue }],
    [
      [buildItem('line', 'Line', { from: { x: 0, y: 0, z: 0 }, to: { x: 1, y: 1, z: 1 } })],
      { type: 'line', value: { from: [0, 0, 0], to: [1, 1, 1] } },
    ],
    [[plane, buildItem('double', 'Radius', 2)], { type: 'circle', value: { plane: planeValue, radius: 2 } }],
    [
      [plane, buildItem('interval2d', 'Size', { u: { a: 0, b: 1 }, v: { a: 2, b: 3 } })],
      { type: 'rectangle', value: { plane: planeValue, x: { start: 0, end: 1 }, y: { start: 2, end: 3 } } },
    ],
    [
      [plane, x, y, z, buildItem('guid', 'RefID', NO_ID)],
      {
        type: 'box',
        value: {
          plane: planeValue,
          x: { start: 0, end: 0 },
          y: { start: 0, end: 1 },
          z: { start: 0, end: 2 },
        },
      },
    ],
    [[buildItem('interval1d', 'Interval', { a: 3, b: 1 })], { type: 'domain', value: { start: 3, end: 1 } }],
    [[buildItem('string', 'path', '{0;1}')], { type: 'path', value: '{0;1}' }],
    [
      [buildItem('guid', 'id', buildId(5))],
      unknown(`Guid ${buildId(5)}`, { kind: 'guid', properties: { id: buildId(5) } }),
    ],
    [
      [
        buildItem('int32', 'LoftType', 3),
        buildItem('bool', 'Closed', false),
        buildItem('bool', 'Adjust', false),
      ],
      unknown('Loft options of type 3 (otherwise unchanged)', {
        kind: 'loftOptions',
        properties: { LoftType: 3, Closed: false, Adjust: false },
      }),
    ],
    [
      [
        buildItem('int32', 'LoftType', 0),
        buildItem('bool', 'Closed', true),
        buildItem('int32', 'LoftSimp', 1),
      ],
      unknown('Loft options of type 0 (closed, simplified)', {
        kind: 'loftOptions',
        properties: { LoftType: 0, Closed: true, LoftSimp: 1 },
      }),
    ],
    [
      [buildItem('int32', 'LCID', 1033)],
      unknown('Culture 1033', { kind: 'culture', properties: { lcid: 1033 } }),
    ],
    [
      ['A', 'B', 'C', 'D'].map((name, i) => buildItem('int32', name, i)),
      unknown('Mesh face 0, 1, 2, 3', { kind: 'meshFace', properties: { A: 0, B: 1, C: 2, D: 3 } }),
    ],
    [
      [
        buildItem('string', 'TypeName', 'Grasshopper.Kernel.Types.GH_Integer'),
        buildItem('int32', 'number', 1),
      ],
      { type: 'integer', value: 1 },
    ],
    [
      [
        buildItem('string', 'TypeName', 'RhinoInside.Revit.GH.Types.Wall'),
        buildItem('string', 'UniqueID', 'u'),
      ],
      unknown('RhinoInside.Revit.GH.Types.Wall', {
        className: 'RhinoInside.Revit.GH.Types.Wall',
        properties: { UniqueID: 'u' },
      }),
    ],
    [
      [buildItem('double', 'number', 1), buildItem('string', 'unit', 'm')],
      unknown('Value of another kind (number, unit)', { properties: { number: 1, unit: 'm' } }),
    ],
    [
      [buildItem('string', 'TypeName', 'Some.Plugin.Length'), buildItem('double', 'number', 1)],
      unknown('Some.Plugin.Length', { className: 'Some.Plugin.Length', properties: { number: 1 } }),
    ],
    [
      [buildItem('guid', 'RefID', NO_ID), buildItem('string', 'extra', 'x')],
      unknown('Value of another kind (RefID, extra)', { properties: { RefID: NO_ID, extra: 'x' } }),
    ],
    [[buildItem('string', 'Fish_bin', 'x'.repeat(3000))], unknown('Value of another kind (Fish_bin)')],
    [
      [plane, buildItem('double', 'Radius', 2), buildItem('interval1d', 'Angle', { a: 0, b: 1 })],
      unknown('Value of another kind (Plane, Radius, Angle)', { properties: { Radius: 2 } }),
    ],
  ]
  for (const [parts, value] of cases) assert.deepEqual(readItem(...parts), value)
})

test('[GHD-12] given choices on inputs, when read, then they are their values', () => {
  const values = (guid: string, ...container: (Item | Chunk)[]) =>
    readNode(1, [buildObject({ guid, id: 1, container: [...buildSources(), ...container] })]).values[
      buildId(1)
    ]?.branches[0]?.values
  const slider = (value: number, interval: number) =>
    values(
      CLASS.numberSlider,
      buildChunk('Slider', [buildItem('double', 'Value', value), buildItem('int32', 'Interval', interval)]),
    )
  assert.deepEqual(slider(2.5, 0), [{ type: 'number', value: 2.5 }])
  assert.deepEqual(slider(2, 1), [{ type: 'integer', value: 2 }])
  assert.deepEqual(slider(4, 3), [{ type: 'integer', value: 4 }])
  assert.deepEqual(values(CLASS.booleanToggle, buildItem('bool', 'ToggleValue', true)), [
    { type: 'boolean', value: true },
  ])
  assert.deepEqual(values(CLASS.button), [{ type: 'boolean', value: false }])
  assert.deepEqual(values(CLASS.colourSwatch, buildItem('drawing_color', 'SwatchColor', 0xff0000ff)), [
    { type: 'colour', value: '#0000ffff' },
  ])
  const genes = ['1.50', '-2'].map((value, i) => buildItem('decimal', 'Value', value, i))
  assert.deepEqual(values(CLASS.genePool, buildChunk('GeneData', genes)), [
    { type: 'number', value: 1.5 },
    { type: 'number', value: -2 },
  ])
  assert.deepEqual(
    values(CLASS.controlKnob, buildChunk('DialData', [buildItem('decimal', 'Value', '0.32968')])),
    [{ type: 'number', value: 0.32968 }],
  )
  const grip = buildItem('point3d', 'slider_value', { x: 0.5, y: 1, z: 0 })
  assert.deepEqual(values(CLASS.mdSlider, grip, buildItem('interval1d', 'x_domain', { a: 10, b: 20 })), [
    { type: 'point', value: [15, 1, 0] },
  ])
})

test('[GHD-12] given value lists, when read, then the first selected item counts, in check lists all of them', () => {
  const entry = (index: number, expression: string, isSelected: boolean) =>
    buildChunk(
      'ListItem',
      [buildItem('string', 'Expression', expression), buildItem('bool', 'Selected', isSelected)],
      index,
    )
  const list = (mode: number) => [
    buildItem('int32', 'ListMode', mode),
    entry(0, '0.5', false),
    entry(1, '7', true),
    entry(2, '"A"', true),
  ]
  const read = (guid: string, mode: number) =>
    readNode(1, [buildObject({ guid, id: 1, container: [...buildSources(), ...list(mode)] })]).values[
      buildId(1)
    ]?.branches[0]?.values
  const both = [
    { type: 'integer', value: 7 },
    { type: 'string', value: 'A' },
  ]
  assert.deepEqual(read('00027467-0d24-4fa7-b178-8dc0ac5f42ec', 0), both)
  assert.deepEqual(read('00027467-0d24-4fa7-b178-8dc0ac5f42ec', 1), both.slice(0, 1))
  assert.deepEqual(read('11111111-2222-4333-8444-555555555555', 1), both.slice(0, 1), 'of a plug-in')
})

test('[GHD-13] given panel texts, when split, then each line is a value and the last line break ends a line', () => {
  assert.deepEqual(listPanelLines('1\r\n2\r\n\r\n3\r\n', false), ['1', '2', '', '3'])
  assert.deepEqual(listPanelLines('1\r\n2\r\n', true), ['1\n2\n'])
  assert.deepEqual(listPanelLines('', true), [])
  assert.deepEqual(listPanelLines('', false), [])
})

test('[GHD-14] given expressions, when read, then constants are values, and others are described', () => {
  const cases: [string, unknown][] = [
    [' 5 ', { type: 'integer', value: 5 }],
    ['-1.50', { type: 'number', value: -1.5 }],
    ['.5e3', { type: 'number', value: 500 }],
    ['99999999999999999999', { type: 'number', value: 1e20 }],
    ['TRUE', { type: 'boolean', value: true }],
    ['"a "b""', { type: 'string', value: 'a "b"' }],
    ['""', { type: 'string', value: '' }],
    ['pi*2', { type: 'unknown', value: { description: 'pi*2' } }],
    ['1e999', { type: 'unknown', value: { description: '1e999' } }],
    ['"', { type: 'unknown', value: { description: '"' } }],
  ]
  for (const [expression, value] of cases) assert.deepEqual(readConstant(expression), value)
})

test('[GHD-9] given numbers of the other two types, when read, then they are numbers', () => {
  assert.deepEqual(readItem(buildItem('int64', 'number', 5n)), { type: 'integer', value: 5 })
  assert.deepEqual(readItem(buildItem('single', 'number', 0.5)), { type: 'number', value: 0.5 })
})

test('[GHD-12] given the position of a grip, when read, then the value has no more digits than the position determines', () => {
  const container = [
    ...buildSources(),
    buildItem('point3d', 'slider_value', { x: 0.1 + 0.2, y: 1 / 3, z: 0.7 }),
    buildItem('interval1d', 'x_domain', { a: 0, b: 1 }),
    buildItem('interval1d', 'y_domain', { a: -1000, b: 2000 }),
    buildItem('interval1d', 'z_domain', { a: 5, b: 5 }),
  ]
  const node = readNode(1, [buildObject({ guid: CLASS.mdSlider, id: 1, container })])
  assert.deepEqual(node.values[buildId(1)]?.branches[0]?.values, [{ type: 'point', value: [0.3, 0, 5] }])
})
