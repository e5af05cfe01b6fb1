import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataValue, GraphContent } from '@meadow/contract'
import { SolveError } from '@meadow/geometry/budget/solve-error'
import type { Geometry } from '@meadow/geometry/values/value'
import { type NodeSketch, number, numbers, sketchGraph } from '../testing/graph.ts'
import { show } from '../testing/run.ts'
import { type Solution, solve } from './solve.ts'
import { toWireData } from './to-wire-data.ts'

const NUMBER = '3e8ca6be-fda8-4aaf-b5c0-3c54c8bb7312'
const INTEGER = '2e3ab970-8545-46bb-836c-1c11e5610bce'
const CURVE = 'd5967b9f-e8ee-436b-a8ad-29fdcecf32d5'
const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'
const VALUE_LIST = '00027467-0d24-4fa7-b178-8dc0ac5f42ec'
const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const DIVISION = '9c85271f-89fa-4e9f-9f4a-d75802120ccc'
const LIST_LENGTH = '1817fd29-20ae-4503-b542-f0fb651e67d7'
const SERIES = 'e64c5fb1-845c-4ab1-8911-5f338516ba67'

const see = ({ ports }: Solution, id: string) =>
  show(ports.get(id.split('.')[0] ?? '')?.get(id) ?? { branches: [] })

test('given nodes in any order, when they are solved, then each has what feeds it', () => {
  const solution = solve(
    sketchGraph({ sum: { guid: ADDITION, inputs: ['a', 'b'] }, b: number(2), a: number(1, 10) }),
  )
  assert.deepEqual(see(solution, 'sum.o0'), { '{0}': [3, 12] })
  assert.deepEqual(solution.messages, [])
})

test('[F-2] given several wires, when data is gathered, then it is joined in wire order and literals do not count', () => {
  const graph = sketchGraph({ a: number(1), b: number(2), all: { ...number(), inputs: [['b', 'a']] } })
  const all = graph.nodes.all
  assert.ok(all)
  all.values.all = { branches: [{ path: '{0}', values: [{ type: 'number', value: 99 }] }] }
  assert.deepEqual(see(solve(graph), 'all'), { '{0}': [2, 1] })
})

test('[F-1] [F-3] [F-5] given a parameter with an expression and graft, when it is solved, then both count once', () => {
  const solution = solve(
    sketchGraph({
      n: { ...number(1, 2), port: { typeName: 'Number', expression: 'x*10', flags: ['graft'] } },
    }),
  )
  assert.deepEqual(see(solution, 'n'), { '{0;0}': [10], '{0;1}': [20] })
})

test('[F-1] given flags on an output, when a node is solved, then they change what it gives', () => {
  const flags = (port: NodeSketch['port']) =>
    see(
      solve(
        sketchGraph({ s: { guid: SERIES, inputs: [numbers(0), numbers(1), numbers(3)], port: { ...port } } }),
      ),
      's.o0',
    )
  assert.deepEqual(flags({ flags: ['reverse'] }), { '{0;0}': [2, 1, 0] })
  assert.deepEqual(flags({ flags: ['graft', 'simplify'] }), { '{0}': [0], '{1}': [1], '{2}': [2] })
})

test('[F-3] given an angle in degrees, when it is gathered, then it is in radians', () => {
  const graph = sketchGraph({ n: { ...number(180), port: { options: ['degrees'] } } })
  assert.deepEqual(see(solve(graph), 'n'), { '{0}': [Math.PI] })
})

test('[F-4] given text that is no number, when a number parameter takes it, then there is a null and a warning', () => {
  const typed: DataValue[] = [
    { type: 'string', value: '12.5' },
    { type: 'string', value: 'twelve' },
  ]
  const { ports, messages } = solve(
    sketchGraph({ n: { guid: NUMBER, isParameter: true, inputs: [{ typed }] } }),
  )
  assert.deepEqual(show(ports.get('n')?.get('n') ?? { branches: [] }), { '{0}': [12.5, null] })
  assert.deepEqual(messages, [
    {
      nodeInstanceId: 'n',
      level: 'warning',
      code: 'failed',
      message: 'Data conversion failed from Text to Number',
    },
  ])
})

test('[F-6] given a disabled node, when the rest is solved, then its outputs are empty and the nodes after it warn', () => {
  const solution = solve(
    sketchGraph({
      a: { ...number(1), isEnabled: false },
      half: { guid: DIVISION, inputs: ['a', numbers(2)] },
    }),
  )
  assert.deepEqual(see(solution, 'a'), {})
  assert.deepEqual(see(solution, 'half.o0'), {})
  assert.deepEqual(solution.messages, [
    {
      nodeInstanceId: 'half',
      level: 'warning',
      code: 'empty',
      message: 'Input parameter half.i0 failed to collect data',
    },
  ])
})

test('given wires in a circle, when the document is solved, then the error names the nodes of the circle', () => {
  const graph = sketchGraph({
    a: { guid: ADDITION, inputs: ['b.o0', numbers(1)] },
    b: { guid: ADDITION, inputs: ['a.o0', numbers(1)] },
    after: { guid: ADDITION, inputs: ['b.o0', numbers(1)] },
  })
  assert.throws(
    () => solve(graph),
    (error) => {
      assert.ok(error instanceof SolveError)
      assert.equal(error.code, 'document_cyclic')
      assert.deepEqual([...error.nodeInstanceIds].sort(), ['a', 'b'])
      return true
    },
  )
})

test('[M-12] given a kind that throws for a value, when it runs for others too, then only that one is null', () => {
  const solution = solve(sketchGraph({ s: { guid: DIVISION, inputs: [numbers(1, 2), numbers(0, 2)] } }))
  assert.deepEqual(see(solution, 's.o0'), { '{0}': [null, 1] })
  assert.deepEqual(
    solution.messages.map(({ message }) => message),
    ['Division by zero'],
  )
})

test('given a panel and a value list, when they are solved, then texts are texts and expressions are computed', () => {
  const solution = solve(
    sketchGraph({
      panel: { guid: PANEL, isParameter: true, inputs: [numbers(1.5)] },
      list: {
        guid: VALUE_LIST,
        isParameter: true,
        inputs: [{ typed: [{ type: 'unknown', value: { description: '2² - 1' } }] }],
      },
      whole: { guid: INTEGER, isParameter: true, inputs: ['panel'] },
    }),
  )
  assert.deepEqual(see(solution, 'panel'), { '{0}': ['1.5'] })
  assert.deepEqual(see(solution, 'list'), { '{0}': [{ type: 'integer', value: 3 }] })
  assert.deepEqual(see(solution, 'whole'), { '{0}': [{ type: 'integer', value: 2 }] })
})

const endless = () => sketchGraph({ s: { guid: SERIES, inputs: [numbers(0), numbers(1), numbers(2e9)] } })

test('given more values than a solve may make, when one is asked for, then it ends before they are made', () => {
  assert.throws(() => solve(endless()), { code: 'too_many_values', nodeInstanceIds: ['s'] })
})

test('given no time, or a call to end, when a document is solved, then it ends', () => {
  const work = sketchGraph({
    s: { guid: SERIES, inputs: [numbers(0), numbers(1), numbers(200_000)] },
    sum: { guid: ADDITION, inputs: ['s.o0', numbers(1)] },
  })
  assert.throws(() => solve(work, { deadlineMs: -1 }), { code: 'deadline_exceeded', nodeInstanceIds: ['s'] })
  assert.throws(() => solve(work, { signal: AbortSignal.abort() }), { code: 'aborted' })
})

test('given onNode, when a document is solved, then it is called for each node before the node is solved', () => {
  const heard: string[] = []
  solve(
    sketchGraph({
      sum: { guid: ADDITION, inputs: ['s.o0', numbers(1)] },
      s: { guid: SERIES, inputs: [numbers(0), numbers(1), numbers(3)] },
    }),
    { onNode: ({ instanceId }) => heard.push(instanceId) },
  )
  assert.deepEqual(heard, ['s', 'sum'])
})

const ENCODED = { version: 10000, archive3dm: 70, opennurbs: 1, data: 'AAAA' }
const geometric = (): GraphContent =>
  sketchGraph({
    c: {
      guid: CURVE,
      isParameter: true,
      inputs: [
        {
          typed: [{ type: 'curve', value: { description: 'A curve', boundingBox: null }, geometry: ENCODED }],
        },
      ],
    },
    count: { guid: LIST_LENGTH, inputs: ['c'] },
  })
const line: Geometry = { type: 'line', from: { x: 0, y: 0, z: 0 }, to: { x: 1, y: 2, z: 3 } }

test('given literal geometry, when the host can read it, then the solver has it, and the host writes it on the wire', () => {
  const solution = solve(geometric(), {
    decodeGeometry: (encoded) => (encoded === ENCODED ? line : undefined),
  })
  const data = toWireData(solution, (geometry) => (geometry === line ? ENCODED : undefined))
  assert.deepEqual(data.c?.c, {
    branches: [
      {
        path: '{0}',
        values: [{ type: 'line', value: { from: [0, 0, 0], to: [1, 2, 3] }, geometry: ENCODED }],
      },
    ],
  })
})

test('[C-12] given literal geometry, when the host cannot decode it, then it is passed on unchanged', () => {
  const solution = solve(geometric())
  assert.deepEqual(solution.messages, [])
  assert.deepEqual(toWireData(solution).c?.c?.branches[0]?.values, [
    { type: 'curve', value: { description: 'A curve', boundingBox: null }, geometry: ENCODED },
  ])
})
