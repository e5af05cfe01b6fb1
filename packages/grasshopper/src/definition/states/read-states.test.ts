import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Chunk, Item } from '../../archive/tree/archive.ts'
import {
  buildChunk,
  buildItem,
  buildObject,
  buildPort,
  buildSources,
  buildTexts,
} from '../../testing/build-archive.ts'
import { readNode } from '../../testing/read-objects.ts'
import { CLASS } from '../model/class-ids.ts'

const PLUGIN = '11111111-2222-4333-8444-555555555555'
const LIBRARY = '99999999-2222-4333-8444-555555555555'

const state = (guid: string, container: (Item | Chunk)[], libraryId?: string, more: Chunk[] = []) => {
  const object = buildObject({ guid, id: 1, container, ...(libraryId === undefined ? {} : { libraryId }) })
  return readNode(1, [object], more).state
}
const bounds = buildChunk('Attributes', [
  buildItem('drawing_rectanglef', 'Bounds', { x: 0, y: 0, width: 160, height: 20 }),
])
const size = { width: 160, height: 20 }

test('[GHD-19] given inputs, when read, then the state has their range and appearance', () => {
  const slider = buildChunk('Slider', [
    buildItem('double', 'Min', -1),
    buildItem('double', 'Max', 9),
    buildItem('int32', 'Digits', 2),
    buildItem('int32', 'Interval', 3),
  ])
  assert.deepEqual(state(CLASS.numberSlider, [...buildSources(), slider, bounds]), {
    kind: 'slider',
    minimum: -1,
    maximum: 9,
    decimals: 2,
    interval: 'even',
    size,
  })
  assert.deepEqual(state(CLASS.button, buildTexts({ ExpressionNormal: '0', ExpressionPressed: '1' })), {
    kind: 'button',
    normal: '0',
    pressed: '1',
  })
  const dial = ['Minimum', 'Maximum', 'Range'].map((name, i) => buildItem('decimal', name, `${i}.50`))
  assert.deepEqual(
    state(CLASS.controlKnob, [buildChunk('DialData', [...dial, buildItem('int32', 'Decimals', 2)])]),
    {
      kind: 'knob',
      minimum: 0.5,
      maximum: 1.5,
      decimals: 2,
      range: 2.5,
      isLimited: false,
    },
  )
  const entry = buildChunk(
    'ListItem',
    [...buildTexts({ Name: 'One', Expression: '1' }), buildItem('bool', 'Selected', true)],
    0,
  )
  assert.deepEqual(state(PLUGIN, [buildItem('int32', 'ListMode', 2), entry], LIBRARY), {
    kind: 'valueList',
    mode: 'sequence',
    items: [{ name: 'One', expression: '1', isSelected: true }],
    plugin: { libraryId: LIBRARY },
  })
})

test('[GHD-19] given current panels and panels of 2011, when read, then the state is the same', () => {
  const text = buildTexts({ UserText: 'a\r\nb' })
  const colour = buildItem('drawing_color', 'Colour', 0xffffffff)
  const switches = (multiline: string, indices: string) => [
    colour,
    buildItem('bool', multiline, false),
    buildItem('bool', indices, false),
    buildItem('bool', 'DrawPaths', false),
    buildItem('int32', 'Alignment', 2),
  ]
  const now = state(CLASS.panel, [
    ...text,
    buildChunk('PanelProperties', switches('Multiline', 'DrawIndices')),
  ])
  assert.deepEqual(now, {
    kind: 'panel',
    text: 'a\nb',
    isMultiline: false,
    colour: '#ffffffff',
    alignment: 'centre',
    wraps: true,
    drawsIndices: false,
    drawsPaths: false,
  })
  assert.deepEqual(state(CLASS.panel, [...text, ...switches('MultilineData', 'EntryNumbers')]), now)
})

test('[GHD-19] given an input for callers, when read, then extreme limits mean no limit', () => {
  const container = (most: number, limit: number) => [
    ...buildSources(),
    buildItem('string', 'Prompt', 'Radius'),
    buildItem('int32', 'AtLeast', 1),
    buildItem('int32', 'AtMost', most),
    buildItem('double', 'Minimum', -limit),
    buildItem('double', 'Maximum', limit),
  ]
  const common = { kind: 'contextual', prompt: 'Radius', atLeast: 1, takesTree: false, presets: [] }
  const guid = '7b36b876-9451-46f5-8220-a200d969cc66'
  assert.deepEqual(state(guid, container(2_147_483_647, Number.MAX_VALUE)), common)
  assert.deepEqual(state(guid, container(1, 5)), { ...common, atMost: 1, minimum: -5, maximum: 5 })
})

test('[GHD-19] given components with state, when read, then it is found', () => {
  assert.deepEqual(state(CLASS.expression, buildTexts({ Expression: 'x+1' })), {
    kind: 'expression',
    expression: 'x+1',
  })
  const lexers = buildChunk('lexers', [
    buildItem('string', 'source', '{A;B}(i)', 0),
    buildItem('string', 'target', '{A;B;i}', 0),
  ])
  assert.deepEqual(state(CLASS.pathMapper, [...buildSources(), lexers]), {
    kind: 'pathMapper',
    rules: [{ source: '{A;B}(i)', target: '{A;B;i}' }],
  })
  const grip = buildChunk(
    'Grip',
    [
      buildItem('drawing_color', 'Colour', 0xff000001, 0),
      buildItem('drawing_color', 'Colour', 0xff000002, 1),
      buildItem('double', 'Factor', 0.25),
    ],
    0,
  )
  assert.deepEqual(state(CLASS.gradient, [buildChunk('Gradient', [grip])]), {
    kind: 'gradient',
    isLinear: false,
    grips: [{ position: 0.25, left: '#000001ff', right: '#000002ff' }],
  })
  const points = [0, 1].flatMap((i) => [
    buildItem('double', 'cpx', i, i),
    buildItem('double', 'cpy', 1 - i, i),
  ])
  const local = buildChunk('LocalGraph', [
    buildChunk('Domain', [buildItem('double', 'x0', 0), buildItem('double', 'x1', 3)]),
    buildChunk('Graph', [...buildTexts({ container_name: 'Bezier' }), ...points]),
  ])
  assert.deepEqual(state(CLASS.graphMapper, [...buildSources(), local]), {
    kind: 'graphMapper',
    graph: 'Bezier',
    points: [
      [0, 1],
      [1, 0],
    ],
    x: { start: 0, end: 3 },
    y: { start: 0, end: 1 },
  })
  const entwine = 'c9785b8e-2f30-4f90-8ee3-cca710f82402'
  assert.deepEqual(
    state(entwine, [buildItem('bool', 'FlattenInputs', false), buildItem('bool', 'Other', true)]),
    {
      kind: 'options',
      options: { flattenInputs: false, other: true },
    },
  )
  const pointOnCurve = '7f6a9d34-0470-4bb7-aadd-07496bcbe572'
  assert.deepEqual(state(pointOnCurve, [...buildSources(), buildItem('double', 'parameter', 0.25)]), {
    kind: 'options',
    options: { parameter: 0.25 },
  })
  const boundingBox = '0bb3d234-9097-45db-9998-621639c87d3b'
  assert.deepEqual(state(boundingBox, [buildChunk('ValueTable', [buildItem('bool', 'UnionBox', true)])]), {
    kind: 'options',
    options: { unionBox: true },
  })
})

test('[GHD-19] given drawings and timers, when read, then the state is what an editor draws', () => {
  const corner = (name: string, x: number) => buildItem('drawing_pointf', name, { x, y: 0 })
  const scribble = [
    ...buildTexts({ Text: 'Hi', Font: 'Arial' }),
    buildItem('single', 'Size', 12),
    corner('Ca', 1),
    corner('Cb', 2),
  ]
  assert.deepEqual(state(CLASS.scribble, scribble), {
    kind: 'scribble',
    text: 'Hi',
    font: 'Arial',
    fontSize: 12,
    isBold: false,
    isItalic: false,
    corners: [
      [1, 0],
      [2, 0],
    ],
  })
  const line = buildChunk('Mark', [buildItem('point2d', 'V', { x: 1, y: 2 }, 0)], 0)
  assert.deepEqual(state(CLASS.sketch, [line]), {
    kind: 'sketch',
    lines: [[[1, 2]]],
    colour: '#000000ff',
    width: 1,
  })
  const timer = [buildItem('int32', 'TimerInterval', 500), buildItem('guid', 'Target', PLUGIN, 0)]
  assert.deepEqual(state(CLASS.trigger, timer), { kind: 'timer', intervalMs: 500, targetIds: [PLUGIN] })
})

test('[GHD-20] given scripts of each generation, when read, then the source is found', () => {
  const ghPython = '410755b1-224a-4c1e-a407-bf32fb45ea7e'
  assert.deepEqual(state(ghPython, buildTexts({ CodeInput: 'a = 1\r\n' })), {
    kind: 'script',
    language: 'python2',
    source: 'a = 1\n',
  })
  const csharp = 'a9a8ebd2-fff5-4c44-a8f5-739736d129ba'
  const parts = [
    ...buildTexts({ ScriptSource: 'A = 1;', UsingSource: 'using X;', AdditionalSource: 'int a;' }),
    buildItem('string', 'Reference', 'C:\\a.dll', 0),
  ]
  assert.deepEqual(state(csharp, parts), {
    kind: 'script',
    language: 'csharp',
    source: 'A = 1;',
    imports: 'using X;',
    members: 'int a;',
    references: ['C:\\a.dll'],
  })
  const script8 = (taxon: string, version: string) =>
    state(
      'c9b2d725-6f87-4b07-af90-bd9aefef68eb',
      [
        buildChunk('Script', [
          ...buildTexts({ Text: Buffer.from('print("ä")').toString('base64') }),
          buildChunk('LanguageSpec', buildTexts({ Taxon: taxon, Version: version })),
        ]),
      ],
      '066d0a87-236f-4eae-a0f4-9e42f5327962',
    )
  assert.deepEqual(script8('*.*.python', '3.*'), {
    kind: 'script',
    language: 'python3',
    languageSpec: '*.*.python 3.*',
    source: 'print("ä")',
  })
  assert.equal(script8('mcneel.roslyn.csharp', '9.0')?.language, 'csharp')
  assert.equal(script8('mcneel.ironpython.python', '2.7')?.language, 'python2')
  assert.equal(script8('*.*.ruby', '*.*')?.language, 'unknown')
})

test('[GHD-21] given clusters, when read, then each is one node whose state has whether it is protected', () => {
  const inside = buildItem('bytearray', 'ClusterDocument', Uint8Array.of(1))
  const ports = buildChunk('ParameterData', [buildPort('InputParam', 0, 11), buildPort('OutputParam', 0, 12)])
  assert.deepEqual(state(CLASS.cluster, [inside, ports]), { kind: 'cluster', isProtected: false })
  const locked = buildItem('bytearray', 'EncryptedDocument', Uint8Array.of(1))
  const file = buildChunk('FileInfo', buildTexts({ FilePath: 'C:\\a.ghcluster' }))
  assert.deepEqual(state(CLASS.cluster, [locked, file]), {
    kind: 'cluster',
    isProtected: true,
    path: 'C:\\a.ghcluster',
  })
})

test('[GHD-22] given an object of a plug-in, when read, then the state names the plug-in', () => {
  const libraries = buildChunk('GHALibraries', [
    buildChunk(
      'Library',
      [buildItem('guid', 'Id', LIBRARY), ...buildTexts({ Name: 'Robots', Version: '1.6.9' })],
      0,
    ),
  ])
  assert.deepEqual(state(PLUGIN, [], LIBRARY, [libraries]), {
    kind: 'plugin',
    libraryId: LIBRARY,
    library: 'Robots',
    version: '1.6.9',
  })
  assert.deepEqual(state(PLUGIN, [], LIBRARY), { kind: 'plugin', libraryId: LIBRARY })
  assert.equal(state(PLUGIN, [], '00000000-0000-0000-0000-000000000000'), undefined)
})

test('[GHD-20] given scripts of plug-ins and of earlier versions, when read, then their source is found', () => {
  const read = (name: string, item: string) =>
    readNode(1, [
      buildObject({
        guid: PLUGIN,
        id: 1,
        name,
        libraryId: LIBRARY,
        container: buildTexts({ [item]: 'a\r\nb' }),
      }),
    ]).state
  assert.deepEqual(read('CPython', 'CodeInput'), { kind: 'script', language: 'python2', source: 'a\nb' })
  assert.deepEqual(read('VB Script (Legacy)', 'ScriptSource'), {
    kind: 'script',
    language: 'vb',
    source: 'a\nb',
  })
  assert.deepEqual(read('C# Script', 'ScriptSource'), { kind: 'script', language: 'csharp', source: 'a\nb' })
  assert.deepEqual(read('Script', 'ScriptSource'), { kind: 'script', language: 'unknown', source: 'a\nb' })
})

test('[GHD-14] given a component with an item ListMode but no list, when read, then it is not a value list', () => {
  const container = [buildItem('int32', 'ListMode', 1)]
  const { state } = readNode(1, [buildObject({ guid: PLUGIN, id: 1, container })])
  assert.deepEqual(state, { kind: 'options', options: { listMode: 1 } })
})

test('[GHD-53] given menu options of a component, when read, then all its own values are options, common items are not', () => {
  const shortest = [
    buildItem('int32', 'TrimMode', 3),
    buildItem('double', 'Unheard', 0.5),
    buildItem('bool', 'Hidden', true),
    buildItem('double', 'ScrollRatio', 1),
    buildItem('int32', 'Listed', 4, 0),
    buildItem('guid', 'Anything', PLUGIN),
  ]
  const options = { trimMode: 3, unheard: 0.5 }
  assert.deepEqual(state(CLASS.shortestList, shortest), { kind: 'options', options })
  assert.equal(state(CLASS.shortestList, [buildItem('bool', 'Hidden', true)]), undefined)
  assert.deepEqual(state(CLASS.shortestList, shortest, LIBRARY), { kind: 'plugin', libraryId: LIBRARY })
})

test('[GHD-53] given a component of 2011, when read, then another way of matching than the usual one is an option', () => {
  const compares = (name: string) => state(CLASS.merge, buildTexts({ DataComparison: name }))
  assert.equal(compares('longest_list'), undefined)
  assert.deepEqual(compares('shortest_list'), {
    kind: 'options',
    options: { dataComparison: 'shortest_list' },
  })
})

test('[GHD-19] given an old Expression, when read, then its expression is the item Equation', () => {
  assert.deepEqual(state(CLASS.expression, buildTexts({ Equation: 'x+1' })), {
    kind: 'expression',
    expression: 'x+1',
  })
})

test('[GHD-19] given notes and drawings, when read, then their corners and lines are relative to the node’s position', () => {
  const pivot = buildChunk('Attributes', [buildItem('drawing_pointf', 'Pivot', { x: 10.4, y: 20 })])
  const corner = buildItem('drawing_pointf', 'Ca', { x: 11.4, y: 15 })
  const scribble = readNode(1, [buildObject({ guid: CLASS.scribble, id: 1, container: [corner, pivot] })])
  assert.deepEqual(scribble.state?.corners, [[1, -5]])
  const line = buildChunk('Mark', [buildItem('point2d', 'V', { x: 12.9, y: 20 }, 0)], 0)
  const sketch = readNode(1, [buildObject({ guid: CLASS.sketch, id: 1, container: [line, pivot] })])
  assert.deepEqual(sketch.state?.lines, [[[2.5, 0]]])
})
