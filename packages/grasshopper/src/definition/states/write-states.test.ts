import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DataValue, GraphContent, ListItem, Node, NodeState } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { findChunk, findItem, listItems } from '../../archive/tree/find.ts'
import {
  buildChunk,
  buildDefinition,
  buildId,
  buildItem,
  buildObject,
  buildSources,
  buildTexts,
} from '../../testing/build-archive.ts'
import { buildComponent, buildNode } from '../../testing/build-node.ts'
import {
  assertComesBack,
  buildContent,
  importDefinition,
  writeAndRead,
} from '../../testing/write-and-read.ts'
import { CLASS } from '../model/class-ids.ts'
import { readDefinition } from '../read-definition.ts'
import { writeDefinition } from '../write-definition.ts'
import { findDecimal } from './fields.ts'

const ID = buildId(1)
const size = { width: 180, height: 90 }
const unit = { start: 0, end: 1 }
const number = (value: number): DataValue => ({ type: 'number', value })
const integer = (value: number): DataValue => ({ type: 'integer', value })
const text = (value: string): DataValue => ({ type: 'string', value })
const item = (name: string, expression: string, isSelected = false): ListItem => ({
  name,
  expression,
  isSelected,
})

interface Case {
  guid: string
  state?: NodeState
  values?: DataValue[]
  /** The state after the edit. */
  becomes: { state?: object; values?: DataValue[] }
}

/** Each kind of node with state: a complete state and a change. */
const CASES: Record<string, Case> = {
  'a slider': {
    guid: CLASS.numberSlider,
    state: { kind: 'slider', minimum: -5, maximum: 5, decimals: 1, interval: 'real', size },
    values: [number(2.5)],
    becomes: {
      state: { minimum: 0, maximum: 99, decimals: 0, interval: 'odd', size: { width: 20, height: 8 } },
      values: [integer(7)],
    },
  },
  'an MD slider': {
    guid: CLASS.mdSlider,
    state: { kind: 'mdSlider', x: unit, y: { start: -10, end: 30 }, z: unit, size },
    values: [{ type: 'point', value: [0.25, 12.34, 0] }],
    becomes: { state: { x: { start: 0, end: 7 } }, values: [{ type: 'point', value: [3.3, -9.87, 1] }] },
  },
  'a knob': {
    guid: CLASS.controlKnob,
    state: { kind: 'knob', minimum: 0, maximum: 10, decimals: 3, range: 1, isLimited: true },
    values: [number(1.25)],
    becomes: {
      state: { minimum: -1e-9, maximum: 1e21, decimals: 2, range: 0.5, isLimited: false },
      values: [number(-0.125)],
    },
  },
  'a gene pool': {
    guid: CLASS.genePool,
    state: { kind: 'genePool', minimum: -1, maximum: 1, decimals: 2 },
    values: [number(0.5), number(-0.25)],
    becomes: { state: { maximum: 2, decimals: 3 }, values: [number(1), number(2), number(0.125)] },
  },
  'a panel': {
    guid: CLASS.panel,
    state: {
      ...{
        kind: 'panel',
        text: 'a\nb',
        isMultiline: false,
        colour: '#11223344',
        alignment: 'right',
        wraps: false,
      },
      ...{ drawsIndices: false, drawsPaths: true, size },
    } as NodeState,
    values: [text('a'), text('b')],
    becomes: {
      state: {
        text: 'a\n\nb',
        isMultiline: true,
        colour: '#00000000',
        alignment: 'centre',
        wraps: true,
        drawsIndices: true,
        drawsPaths: false,
      },
      values: [text('a\n\nb')],
    },
  },
  'a toggle': {
    guid: CLASS.booleanToggle,
    values: [{ type: 'boolean', value: true }],
    becomes: { values: [{ type: 'boolean', value: false }] },
  },
  'a swatch': {
    guid: CLASS.colourSwatch,
    values: [{ type: 'colour', value: '#11223344' }],
    becomes: { values: [{ type: 'colour', value: '#aabbccdd' }] },
  },
  'a button': {
    guid: CLASS.button,
    state: { kind: 'button', normal: 'False', pressed: 'True' },
    values: [{ type: 'boolean', value: false }],
    becomes: { state: { normal: '2.5', pressed: '"go"' }, values: [number(2.5)] },
  },
  'a value list': {
    guid: CLASS.valueList,
    state: { kind: 'valueList', mode: 'dropDown', items: [item('One', '1', true), item('A', '"A"')] },
    values: [integer(1)],
    becomes: {
      state: { mode: 'checkList', items: [item('One', '1', true), item('B', '"B"', true)] },
      values: [integer(1), text('B')],
    },
  },
  'an input for callers': {
    guid: CLASS.getInteger,
    state: {
      kind: 'contextual',
      prompt: 'How many',
      atLeast: 1,
      atMost: 3,
      minimum: 2,
      takesTree: false,
      presets: [],
    },
    becomes: {
      state: {
        prompt: '',
        atLeast: 0,
        atMost: undefined,
        minimum: undefined,
        maximum: 9,
        takesTree: true,
        presets: [item('Two', '2')],
      },
    },
  },
  'a Python script': {
    guid: CLASS.ghPython,
    state: { kind: 'script', language: 'python2', source: 'a = 1\nb = 2' },
    becomes: { state: { source: 'print("ü")' } },
  },
  'a C# script before Rhino 8': {
    guid: 'a9a8ebd2-fff5-4c44-a8f5-739736d129ba',
    state: {
      kind: 'script',
      language: 'csharp',
      source: 'A = 1;',
      imports: 'using X;',
      members: 'int x;\nint y;',
      references: ['a.dll'],
    },
    becomes: {
      state: { source: '', imports: 'using Y;', members: undefined, references: ['b.dll', 'c.dll'] },
    },
  },
  'a C# script of Rhino 8': {
    guid: 'b6ba1144-02d6-4a2d-b53c-ec62e290eeb7',
    state: { kind: 'script', language: 'csharp', languageSpec: '*.*.csharp *.*', source: 'A = 1;\n' },
    becomes: { state: { source: 'a = "ü🦗"', languageSpec: '*.*.csharp 9.*' } },
  },
  'an expression': {
    guid: CLASS.expression,
    state: { kind: 'expression', expression: 'x^2' },
    becomes: { state: { expression: 'sin(x)' } },
  },
  'a path mapper': {
    guid: CLASS.pathMapper,
    state: { kind: 'pathMapper', rules: [{ source: '{A}', target: '{A;0}' }] },
    becomes: {
      state: {
        rules: [
          { source: '{A;B}', target: '{B}' },
          { source: '{A}(i)', target: '{A;i}' },
        ],
      },
    },
  },
  'a graph mapper': {
    guid: CLASS.graphMapper,
    state: {
      kind: 'graphMapper',
      graph: 'Bezier',
      points: [
        [0, 0],
        [0.25, 0],
        [0.5, 1],
        [1, 1],
      ],
      x: unit,
      y: unit,
      size,
    },
    becomes: {
      state: {
        graph: 'Sine',
        points: [
          [0.1, 0.2],
          [0.3, 0.4],
        ],
        x: { start: -1, end: 4 },
        y: { start: 2, end: 3 },
      },
    },
  },
  'a graph mapper with a line': {
    guid: CLASS.graphMapper,
    state: {
      kind: 'graphMapper',
      graph: 'Linear',
      points: [
        [0.25, 0.5],
        [0.75, 1],
      ],
      x: unit,
      y: unit,
      size,
    },
    becomes: {
      state: {
        graph: 'Sine Summation',
        points: [
          [0.1, 0.2],
          [0.3, 0.4],
          [0.5, 0.1],
          [0.9, 0],
        ],
      },
    },
  },
  'an image sampler': {
    guid: CLASS.imageSampler,
    state: {
      kind: 'imageSampler',
      path: 'a.png',
      filter: 'Colour',
      wrap: 0,
      interpolates: false,
      u: unit,
      v: unit,
      size,
    },
    becomes: {
      state: {
        path: 'b.png',
        filter: 'Red',
        wrap: 2,
        interpolates: true,
        u: { start: 1, end: 2 },
        v: { start: 3, end: 4 },
      },
    },
  },
  'a scribble': {
    guid: CLASS.scribble,
    state: {
      kind: 'scribble',
      text: 'One\nTwo',
      font: 'Arial',
      fontSize: 12,
      isBold: true,
      isItalic: false,
      corners: [
        [0, 0],
        [80, 0],
        [80, 20],
        [0, 20],
      ],
    },
    becomes: {
      state: {
        text: 'Three',
        font: 'Courier',
        fontSize: 30.5,
        isBold: false,
        isItalic: true,
        corners: [
          [1, 1],
          [81, 1],
          [81, 21],
          [1, 21],
        ],
      },
    },
  },
  'a sketch': {
    guid: CLASS.sketch,
    state: {
      kind: 'sketch',
      lines: [
        [
          [0, 0],
          [10.5, 20],
        ],
      ],
      colour: '#ff0000ff',
      width: 3,
    },
    becomes: {
      state: {
        lines: [
          [[0, 0]],
          [
            [1, 2],
            [3, 4],
          ],
        ],
        colour: '#00ff00ff',
        width: 1,
      },
    },
  },
  'a timer': {
    guid: CLASS.trigger,
    state: { kind: 'timer', intervalMs: 250, targetIds: [buildId(7)] },
    becomes: { state: { intervalMs: 1000, targetIds: [] } },
  },
  'options of a component': {
    guid: CLASS.listItem,
    state: { kind: 'options', options: { baseOutputIndex: 0 } },
    becomes: { state: { options: { baseOutputIndex: 2 } } },
  },
}

/** The node of a case; other objects than parameters and components have no ports. */
function createNode({ guid, state, values = [] }: Case): Node {
  const bare = [CLASS.scribble, CLASS.sketch, CLASS.trigger] as string[]
  const isScript = state?.kind === 'script'
  const parts = { position: { x: 40.5, y: -8 }, ...(state ? { state } : {}), values }
  return bare.includes(guid) || isScript
    ? { ...buildComponent(guid, 1, [], [], parts), name: 'Thing' }
    : buildNode(guid, 1, parts)
}

function change(node: Node, { becomes }: Case): Node {
  const values = becomes.values
    ? { [ID]: { branches: [{ path: '{0}', values: becomes.values }] } }
    : node.values
  // As in JSON: undefined members are omitted.
  return JSON.parse(
    JSON.stringify({
      ...node,
      values,
      ...(node.state ? { state: { ...node.state, ...becomes.state } } : {}),
    }),
  )
}

/** Nodes that are pinned automatically: inputs for callers. */
const content = (node: Node): GraphContent => {
  const pins = node.state?.kind === 'contextual' ? [{ nodeInstanceId: ID, portInstanceId: ID }] : []
  return buildContent([node], { configuration: { inputs: pins, outputs: [] } })
}

describe('kinds', () => {
  for (const [what, kind] of Object.entries(CASES)) {
    test(`[GHD-43] given ${what}, when made here and when changed in a file, then it comes back`, () => {
      const made = createNode(kind)
      assertComesBack(content(made))
      const original = writeDefinition({ name: 'Any', ...content(made) }).bytes
      const changed = change(made, kind)
      assert.notDeepEqual(changed, made)
      assertComesBack(content(changed), { original })
      assertComesBack(content({ ...changed, position: { x: 0, y: 512 } }), { original })
    })
  }
})

describe('values without their state', () => {
  const chooseIn = (guid: string, state: NodeState | undefined, values: DataValue[], chosen: DataValue[]) => {
    const original = writeDefinition({
      name: 'Any',
      ...content(createNode({ guid, ...(state ? { state } : {}), values, becomes: {} })),
    }).bytes
    const changed = importDefinition(original)
    changed.nodes[ID]!.values = { [ID]: { branches: [{ path: '{0}', values: chosen }] } }
    return writeAndRead(changed, { original }).content.nodes[ID]
  }

  test('[GHD-43] given other values of a value list, when written, then the items that give them are selected', () => {
    const { guid, state, values = [] } = CASES['a value list']!
    const node = chooseIn(guid, state, values, [text('A')])
    assert.deepEqual(node?.state?.items, [item('One', '1'), item('A', '"A"', true)])
  })

  test('[GHD-43] given other values of a panel, when written, then they are its lines', () => {
    const { guid, state, values = [] } = CASES['a panel']!
    assert.equal(chooseIn(guid, state, values, [text('x'), number(2), text('')])?.state?.text, 'x\n2\n\n')
    const one = chooseIn(guid, state, values, [text('x\ny')])
    assert.deepEqual([one?.state?.text, one?.state?.isMultiline], ['x\ny', true])
  })

  test('[GHD-43] given another value of a button, when written, then it is the expression when not pressed', () => {
    const { guid, state, values = [] } = CASES['a button']!
    assert.equal(chooseIn(guid, state, values, [text('no')])?.state?.normal, '"no"')
  })
})

test('[GHD-43] given a graph of an unknown class, when written, then it stays as it was, with a warning', () => {
  const { guid, state } = CASES['a graph mapper']!
  const node = createNode({ guid, state: { ...state, graph: 'Perlin' } as NodeState, becomes: {} })
  const { warnings } = writeAndRead(content(node))
  assert.deepEqual(
    warnings.map(({ kind, nodeInstanceId, message }) => [kind, nodeInstanceId, message]),
    [['fact_left_out', ID, 'The file cannot say all of the state of Graph Mapper.']],
  )
})

test('[GHD-43] given state of any shape, when written, then there is a file', () => {
  for (const kind of Object.values(CASES)) {
    const node = createNode(kind)
    const broken = Object.fromEntries(
      Object.keys(node.state ?? {}).map((key) => [key, key === 'kind' ? node.state?.kind : { deep: [null] }]),
    )
    writeAndRead(content({ ...node, state: broken }))
  }
})

test('[GHD-43] given switches in the table of a component, when changed, then they are written there', () => {
  const guid = '2ab17f9a-d852-4405-80e1-938c5e57e78d' // Random
  const table = buildChunk('ValueTable', [
    buildItem('bool', 'Integers', true),
    buildItem('string', 'Name', 'x'),
  ])
  const original = buildDefinition([buildObject({ guid, id: 1, name: 'Random', container: [table] })])
  const changed = importDefinition(original)
  assert.deepEqual(changed.nodes[ID]?.state, { kind: 'options', options: { integers: true, name: 'x' } })
  changed.nodes[ID]!.state = { kind: 'options', options: { integers: false, name: 'y', more: 0.5 } }
  assertComesBack(changed, { original })
  const container = findChunk(
    readDefinition(writeAndRead(changed, { original }).bytes).objects.get(ID) as Chunk,
    'Container',
  ) as Chunk
  assert.equal(findItem(container, 'Name', 'string'), 'Random')
})

test('[GHD-43] given options in the Container, when changed, then they are written there, under a known name or any', () => {
  const guid = '36947590-f0cb-4807-a8f9-9c90c9b20621' // Cross Reference
  const own = [buildItem('int32', 'CrossMode', 4), buildItem('bool', 'Unheard', true)]
  const original = buildDefinition([buildObject({ guid, id: 1, name: 'Cross Reference', container: own })])
  const changed = importDefinition(original)
  const options = { crossMode: 4, unheard: true }
  assert.deepEqual(changed.nodes[ID]?.state, { kind: 'options', options })
  changed.nodes[ID]!.state = { kind: 'options', options: { crossMode: 6, unheard: false } }
  assertComesBack(changed, { original })
  const object = readDefinition(writeAndRead(changed, { original }).bytes).objects.get(ID) as Chunk
  const container = findChunk(object, 'Container') as Chunk
  assert.equal(findItem(container, 'CrossMode', 'int32'), 6)
  assert.equal(findItem(container, 'Unheard', 'bool'), false)
})

test('[GHD-43] given a panel of 2011, when its switches change, then they are written to its Container', () => {
  const old = [
    ...buildSources(),
    ...buildTexts({ UserText: 'a' }),
    buildItem('bool', 'MultilineData', true),
    buildItem('bool', 'EntryNumbers', true),
  ]
  const original = buildDefinition([buildObject({ guid: CLASS.panel, id: 1, container: old })])
  const changed = importDefinition(original)
  Object.assign(changed.nodes[ID]?.state ?? {}, { isMultiline: false, drawsIndices: false })
  assertComesBack(changed, { original })
})

test('[GHD-43] given grips of a gradient, when changed, then the remaining ones keep their ids', () => {
  const grip = (i: number, factor: number) =>
    buildChunk(
      'Grip',
      [
        buildItem('drawing_color', 'Colour', 0xff000000, 0),
        buildItem('drawing_color', 'Colour', 0xff000000, 1),
        buildItem('double', 'Factor', factor),
        buildItem('guid', 'Id', buildId(50 + i)),
      ],
      i,
    )
  const gradient = buildChunk('Gradient', [
    buildItem('bool', 'Linear', true),
    buildItem('int32', 'GripCount', 1),
    grip(0, 0),
  ])
  const original = buildDefinition([buildObject({ guid: CLASS.gradient, id: 1, container: [gradient] })])
  const changed = importDefinition(original)
  const grips = [0, 1].map((position) => ({ position, left: '#ff0000ff', right: '#00ff00ff' }))
  changed.nodes[ID]!.state = { kind: 'gradient', isLinear: false, grips }
  assertComesBack(changed, { original })
  const container = findChunk(
    readDefinition(writeAndRead(changed, { original }).bytes).objects.get(ID) as Chunk,
    'Container',
  ) as Chunk
  const chunk = findChunk(container, 'Gradient') as Chunk
  assert.equal(findItem(chunk, 'GripCount', 'int32'), 2)
  assert.equal(findItem(findChunk(chunk, 'Grip', 0) as Chunk, 'Id', 'guid'), buildId(50))
})

test('[GHD-43] given numbers, when they become decimals, then they read back and keep their decimals', () => {
  const cases: [number, number, string | undefined][] = [
    [1.5, 3, '1.500'],
    [100, 0, '100'],
    [-0.25, 2, '-0.25'],
    [1e-7, 2, '0.0000001'],
    [1.25e21, 0, '1250000000000000000000'],
    [1e300, 0, undefined],
    [Number.NaN, 0, undefined],
    [3, 40, `3.${'0'.repeat(27)}`],
  ]
  for (const [value, decimals, written] of cases) {
    assert.equal(findDecimal(value, decimals), written)
    if (written !== undefined) assert.equal(Number(written), value)
  }
  const bytes = writeDefinition({ name: 'Any', ...content(createNode(CASES['a gene pool']!)) }).bytes
  const container = findChunk(readDefinition(bytes).objects.get(ID) as Chunk, 'Container') as Chunk
  assert.deepEqual(listItems(findChunk(container, 'GeneData') as Chunk, 'Value', 'decimal'), [
    '0.50',
    '-0.25',
  ])
})
