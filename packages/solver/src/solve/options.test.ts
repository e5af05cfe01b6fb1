import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataValue } from '@meadow/contract'
import { listKinds } from '../kinds/index.ts'
import { type NodeSketch, sketchGraph } from '../testing/graph.ts'
import { show } from '../testing/run.ts'
import { solve } from './solve.ts'

const REVERSE = '6ec97ea8-c559-47a2-8d0f-ce80c794d1f4'
const SHORTEST = '5a13ec19-e4e9-43da-bf65-f93025fa87ca'
const CULL = '6eaffbb2-3392-441a-8556-2dc126aa8910'
const PULL = '902289da-28dc-454b-98d4-b8f8aa234516'
const SPLIT_ARGB = '350f7d03-a48f-4121-bcee-328cfe1ed9ef'
const REPLACE = '4df8df00-3635-45bd-95e6-f9206296c110'
const NUMBER = '3e8ca6be-fda8-4aaf-b5c0-3c54c8bb7312'
const BAR_GRAPH = 'e1905a16-da43-4705-bd65-41d34328c4e6'
const CUSTOM_PREVIEW = '537b0419-bbc2-4ff4-bf08-afe526367b2c'

const typed = (...values: number[]): { typed: DataValue[] } => ({
  typed: values.map((value) => ({ type: 'number', value })),
})

/** The first output and the messages of one node with menu options. */
function solveWith(guid: string, options: unknown, sketch: Partial<NodeSketch> = {}) {
  const node = { guid, inputs: [typed(1, 2)], ...sketch, state: { kind: 'options', options } }
  const { ports, messages, states } = solve(sketchGraph({ node }))
  return {
    output: show(ports.get('node')?.get('node.o0') ?? ports.get('node')?.get('node') ?? { branches: [] }),
    messages: messages.map(({ level, code, message }) => `${level} ${code}: ${message}`),
    state: states.get('node'),
  }
}

test('[O-1] given an option that the kind does not know, when the node is solved, then it reports a limit', () => {
  const limit = 'error limit: The menu option upsideDown true is not supported'
  const { output, messages } = solveWith(REVERSE, { upsideDown: true })
  assert.deepEqual([output, messages], [{}, [limit]])
  assert.deepEqual(solveWith(NUMBER, { upsideDown: true }, { isParameter: true }).messages, [limit])
  assert.deepEqual(solveWith(REVERSE, {}).output, { '{0}': [2, 1] })
})

test('[O-1] given an option with a value that is not supported, when the node is solved, then it reports a limit', () => {
  for (const [guid, name, value] of [
    [SHORTEST, 'trimMode', 7],
    [SHORTEST, 'trimMode', true],
    [CULL, 'cullMode', 0],
    [PULL, 'closestOnly', false],
    [SPLIT_ARGB, 'integerChannels', false],
    [REPLACE, 'recursiveReplace', true],
    ['8440fd1b-b6e0-4bdb-aa93-4ec295c213e9', 'paddingMode', 'x'],
    [SHORTEST, 'constructor', 1],
  ] as const) {
    const { messages } = solveWith(guid, { [name]: value })
    assert.deepEqual(messages, [`error limit: The menu option ${name} ${value} is not supported`])
  }
})

test('[O-1] given options that change no result, when the node is solved, then they do no harm', () => {
  assert.deepEqual(solveWith(REVERSE, { fileFilter: 'x', displayGraph: true }).output, { '{0}': [2, 1] })
  const preview = solveWith(CUSTOM_PREVIEW, { viewportFilter: 'Top' }, { outputs: 0 })
  assert.deepEqual(
    preview.messages.filter((message) => message.includes('menu option')),
    [],
  )
  assert.deepEqual(solveWith(BAR_GRAPH, { bars: 3 }, { isSink: true }).messages, [])
  for (const broken of [null, 3, undefined]) assert.deepEqual(solveWith(REVERSE, broken).messages, [])
})

test('[O-2] [O-7] given each option that a kind declares, when it has a supported value, then the node is not limited', () => {
  const samples = { boolean: [true, false], number: [1], string: ['x'] }
  let count = 0
  for (const kind of listKinds()) {
    for (const [name, spec] of Object.entries(kind.options ?? {})) {
      for (const value of typeof spec === 'string' ? samples[spec] : spec) {
        const guid = kind.guids[0] as string
        const { messages } = solveWith(guid, { [name]: value })
        assert.deepEqual(
          messages.filter((message) => message.includes('menu option')),
          [],
        )
        count++
      }
    }
  }
  assert.ok(count > 25, `${count} options`)
})

test('[O-8] given an Evaluate of an old file, when its input has no data, then its option is the expression', () => {
  const EVALUATE = 'cc2b626f-6eff-4d08-9829-2877560693f4'
  const sketch = { inputs: [[], typed(3)], port: { nickName: 'x' } }
  assert.deepEqual(solveWith(EVALUATE, { equation: 'x^2' }, sketch).output, { '{0}': [9] })
  assert.deepEqual(solveWith(EVALUATE, {}, sketch).messages, [
    'warning note: Input parameter x failed to collect data',
  ])
})
