import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataValue } from '@meadow/contract'
import type { ClusterContent } from '@meadow/document'
import fc from 'fast-check'
import { type NodeSketch, number, numbers, sketchGraph } from '../testing/graph.ts'
import { show } from '../testing/run.ts'
import { type Solution, type SolveOptions, solve } from './solve.ts'

const CLUSTER = 'f31d8d7a-7536-4ac8-9c96-fde6ecda4d0a'
const CLUSTER_INPUT = '448de216-3a12-43cf-a135-e3bfafc87744'
const CLUSTER_OUTPUT = 'a4b285fe-2e13-4204-b65c-189aa6704da5'
const NUMBER = '3e8ca6be-fda8-4aaf-b5c0-3c54c8bb7312'
const GEOMETRY = 'ac2bc2cb-70fb-4dd5-9c78-7e1ea97fe278'
const PANEL = '59e0b89a-e487-49f8-bab8-b5bab16be14c'
const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const DIVISION = '9c85271f-89fa-4e9f-9f4a-d75802120ccc'
const MERGE = '3cadddef-1e2b-4c09-9390-0e8f78f7609f'
const LIST_LENGTH = '1817fd29-20ae-4503-b542-f0fb651e67d7'
const LIST_ITEM = '59daf374-bc21-4a5e-8282-5504fb7ae9ae'
const EQUALITY = '5db0fb89-4f22-4f09-a777-fa5e55aed7ec'
const CSHARP = 'b6ba1144-02d6-4a2d-b53c-ec62e290eeb7'
const PLUGIN = '11111111-2222-4333-8444-555555555555'

const see = ({ ports }: Solution, id: string) =>
  show(ports.get(id.split('.')[0] ?? '')?.get(id) ?? { branches: [] })
const formatMessages = ({ messages }: Solution) =>
  messages.map(
    ({ nodeInstanceId, level, code, message, causeNodeInstanceId }) =>
      `${nodeInstanceId} ${level} ${code}${causeNodeInstanceId ? ` by ${causeNodeInstanceId}` : ''}: ${message}`,
  )

test('[U-1] [F-6] given a plug-in component and a script, when they are solved, then their outputs are unknown and the errors say why', () => {
  const solution = solve(
    sketchGraph({
      odd: { guid: PLUGIN, inputs: [numbers(1)] },
      script: { guid: CSHARP, inputs: [numbers(1)], state: { kind: 'script', source: 'throw' } },
    }),
  )
  assert.deepEqual([see(solution, 'odd.o0'), see(solution, 'script.o0')], [{}, {}])
  assert.deepEqual(formatMessages(solution), [
    'odd error unsupported: odd is not supported',
    'script error unsupported: Scripts are not run',
  ])
  assert.deepEqual(solution.completeness, {
    isComplete: false,
    valuesComplete: false,
    nodes: 2,
    solved: 0,
    failed: 0,
    unsupported: 2,
    unknown: 0,
    unsupportedWithoutOutputs: 0,
  })
})

test('[E-2] given an unsupported node without outputs, when it is solved, then all values are complete', () => {
  const draws = { guid: PLUGIN, inputs: [numbers(1)], outputs: 0 }
  const alone = solve(sketchGraph({ draws }))
  const both = solve(sketchGraph({ draws, odd: { guid: PLUGIN } }))
  const facts = ({ completeness }: Solution) => {
    const { isComplete, valuesComplete, unsupported, unsupportedWithoutOutputs } = completeness
    return { isComplete, valuesComplete, unsupported, unsupportedWithoutOutputs }
  }
  assert.deepEqual(
    [facts(alone), facts(both)],
    [
      { isComplete: false, valuesComplete: true, unsupported: 1, unsupportedWithoutOutputs: 1 },
      { isComplete: false, valuesComplete: false, unsupported: 2, unsupportedWithoutOutputs: 1 },
    ],
  )
})

test('[U-2] given unknown data, when nodes of all sorts depend on it, then each is unknown and names the cause', () => {
  const solution = solve(
    sketchGraph({
      odd: { guid: PLUGIN },
      count: { guid: LIST_LENGTH, inputs: ['odd.o0'] },
      all: { guid: MERGE, inputs: [numbers(1), ['odd.o0']] },
      mixed: { guid: NUMBER, isParameter: true, inputs: [['one', 'odd.o0']] },
      one: number(1),
      panel: { guid: PANEL, isParameter: true, inputs: ['count.o0'] },
      fine: { guid: ADDITION, inputs: ['one', numbers(2)] },
    }),
  )
  for (const id of ['count.o0', 'all.o0', 'mixed', 'panel']) assert.deepEqual(see(solution, id), {})
  assert.deepEqual(see(solution, 'fine.o0'), { '{0}': [3] })
  assert.deepEqual(formatMessages(solution).sort(), [
    'all warning unknown by odd: Input all.i1 depends on odd, which is not solved',
    'count warning unknown by odd: Input count.i0 depends on odd, which is not solved',
    'mixed warning unknown by odd: Input mixed depends on odd, which is not solved',
    'odd error unsupported: odd is not supported',
    'panel warning unknown by odd: Input panel depends on odd, which is not solved',
  ])
})

test('[U-2] given two causes, when a node depends on both, then it names both, and the unsupported node only itself', () => {
  const solution = solve(
    sketchGraph({
      odd: { guid: PLUGIN },
      script: { guid: CSHARP, inputs: ['odd.o0'] },
      sum: { guid: ADDITION, inputs: ['odd.o0', 'script.o0'] },
    }),
  )
  assert.deepEqual(formatMessages(solution).slice(1), [
    'script error unsupported: Scripts are not run',
    'sum warning unknown by odd: Input sum.i0 depends on odd, which is not solved',
    'sum warning unknown by script: Input sum.i1 depends on script, which is not solved',
  ])
})

test('[U-2] given any graph, when a node is unsupported, then what depends on it is unknown and the rest is as without it', () => {
  const graphs = fc
    .record({
      sources: fc.array(fc.array(fc.nat(), { maxLength: 2 }), { minLength: 2, maxLength: 12 }),
      odd: fc.nat(),
    })
    .map(({ sources, odd }) => ({
      odd: odd % sources.length,
      // Node i may depend on earlier nodes alone.
      sources: sources.map((wires, i) => (i === 0 ? [] : wires.map((wire) => wire % i))),
    }))
  const sketch = (sources: readonly (readonly number[])[], odd?: number) =>
    sketchGraph(
      Object.fromEntries(
        sources.map((wires, i) => {
          const inputs = [numbers(i), wires.map((wire) => `n${wire}.o0`)]
          return [`n${i}`, { guid: i === odd ? PLUGIN : MERGE, inputs }]
        }),
      ),
    )
  fc.assert(
    fc.property(graphs, ({ sources, odd }) => {
      const reached = new Set([odd])
      for (const [i, wires] of sources.entries()) if (wires.some((wire) => reached.has(wire))) reached.add(i)
      const [solution, whole] = [solve(sketch(sources, odd)), solve(sketch(sources))]
      for (const i of sources.keys()) {
        const id = `n${i}.o0`
        assert.deepEqual(see(solution, id), reached.has(i) ? {} : see(whole, id))
        const expected = i === odd ? 'unsupported' : reached.has(i) ? 'unknown' : whole.states.get(`n${i}`)
        assert.equal(solution.states.get(`n${i}`), expected)
      }
      const causes = solution.messages.filter(({ code }) => code === 'unknown')
      assert.deepEqual(new Set(causes.map((message) => message.nodeInstanceId)).size, reached.size - 1)
      for (const { causeNodeInstanceId } of causes) assert.equal(causeNodeInstanceId, `n${odd}`)
      const { isComplete, nodes, solved, failed, unsupported, unknown } = solution.completeness
      assert.equal(isComplete, false)
      assert.equal(nodes, sources.length)
      assert.equal(solved + failed + unsupported + unknown, nodes)
    }),
  )
})

test('[U-3] given geometry of a Rhino model that the document refers to, when it is solved, then it is unknown', () => {
  const reference: DataValue = {
    type: 'unknown',
    value: { description: 'Curve in a Rhino model' },
    referenceId: '6b0f3b9e-0f1c-4a43-9a61-0d7c1a4f7b11',
  }
  const solution = solve(
    sketchGraph({
      curve: { guid: GEOMETRY, isParameter: true, inputs: [{ typed: [reference] }] },
      count: { guid: LIST_LENGTH, inputs: ['curve'] },
    }),
  )
  assert.deepEqual(see(solution, 'count.o0'), {})
  assert.deepEqual(formatMessages(solution), [
    'curve error limit: The referenced object is in a Rhino model, which this document does not contain',
    'count warning unknown by curve: Input count.i0 depends on curve, which is not solved',
  ])
  assert.equal(solution.completeness.isComplete, false)
})

test('[U-3] given a host that knows the objects of Rhino models, when a document refers to them, then its nodes say where each comes from or why it does not', () => {
  const refer = (n: number): DataValue => ({
    type: 'unknown',
    value: { description: 'Curve in a Rhino model' },
    referenceId: `6b0f3b9e-0f1c-4a43-9a61-00000000000${n}`,
  })
  const found: DataValue = { ...refer(1), type: 'point', value: [1, 2, 3] }
  const graph = sketchGraph({
    found: { guid: GEOMETRY, isParameter: true, inputs: [{ typed: [found, found] }] },
    missing: { guid: GEOMETRY, isParameter: true, inputs: [{ typed: [found, refer(2), refer(3)] }] },
  })
  const solution = solve(graph, {
    reportReference: (wire) =>
      wire === found
        ? { level: 'remark', code: 'note', message: 'From a.3dm' }
        : { level: 'error', code: 'limit', message: `No ${wire.referenceId?.at(-1)}` },
  })
  assert.deepEqual(formatMessages(solution), [
    'found remark note: From a.3dm',
    'missing remark note: From a.3dm',
    'missing error limit: No 2',
    'missing error limit: No 3',
  ])
  assert.deepEqual(Object.fromEntries(solution.states), { found: 'solved', missing: 'unsupported' })
})

test('[U-4] given geometry that Meadow does not decode, when nodes pass it on or count it, then they do; when they compute with it, then that is a limit', () => {
  const hatch: DataValue = { type: 'unknown', value: { description: 'Hatch' } }
  const solution = solve(
    sketchGraph({
      hatch: { guid: GEOMETRY, isParameter: true, inputs: [{ typed: [hatch, hatch] }] },
      count: { guid: LIST_LENGTH, inputs: ['hatch'] },
      first: {
        guid: LIST_ITEM,
        inputs: [
          'hatch',
          { typed: [{ type: 'integer', value: 0 }] },
          { typed: [{ type: 'boolean', value: true }] },
        ],
      },
      number: { guid: NUMBER, isParameter: true, inputs: ['hatch'], port: { typeName: 'Number' } },
      equal: { guid: EQUALITY, inputs: ['hatch', 'hatch'], outputs: 2 },
    }),
  )
  assert.deepEqual(see(solution, 'count.o0'), { '{0}': [{ type: 'integer', value: 2 }] })
  assert.equal(solution.ports.get('first')?.get('first.o0')?.branches[0]?.values.length, 1)
  assert.deepEqual(Object.fromEntries(solution.states), {
    hatch: 'solved',
    count: 'solved',
    first: 'solved',
    number: 'unsupported',
    equal: 'unsupported',
  })
})

const content = (sketches: Record<string, NodeSketch>): SolveOptions => {
  const hooks = new Map([
    ['c.i0', 'in0'],
    ['c.o0', 'out'],
    ['c.o1', 'other'],
  ])
  const cluster: ClusterContent = { content: sketchGraph(sketches), hooks, clusters: new Map() }
  return { clusterContents: new Map([['c', cluster]]) }
}
const input: NodeSketch = { guid: CLUSTER_INPUT, isParameter: true }
// As in files: its port is an input only.
const output = (from: string): NodeSketch => ({ guid: CLUSTER_OUTPUT, isSink: true, inputs: [from] })
const cluster = (from: string): NodeSketch => ({
  guid: CLUSTER,
  inputs: [from],
  outputs: 2,
  port: { options: ['optional'] },
})

test('[U-5] given unknown data at a cluster, when its content is solved, then only the outputs that depend on it are unknown', () => {
  const graph = sketchGraph({
    odd: { guid: PLUGIN },
    c: cluster('odd.o0'),
    after: { guid: LIST_LENGTH, inputs: ['c.o0'] },
  })
  const solution = solve(
    graph,
    content({ in0: input, one: number(1), out: output('in0'), other: output('one') }),
  )
  assert.deepEqual([see(solution, 'c.o0'), see(solution, 'c.o1')], [{}, { '{0}': [1] }])
  assert.deepEqual(formatMessages(solution).slice(1), [
    'c warning unknown by odd: Input c.i0 depends on odd, which is not solved',
    'after warning unknown by odd: Input after.i0 depends on odd, which is not solved',
  ])
  assert.deepEqual([solution.states.get('c'), solution.states.get('after')], ['unknown', 'unknown'])
})

test('[U-5] given an unsupported node in a cluster, when others depend on it, then the cluster is the cause', () => {
  const graph = sketchGraph({
    one: number(1),
    c: cluster('one'),
    after: { guid: LIST_LENGTH, inputs: ['c.o0'] },
    fine: { guid: LIST_LENGTH, inputs: ['c.o1'] },
  })
  const inside = {
    in0: input,
    odd: { guid: PLUGIN, inputs: ['in0'] },
    out: output('odd.o0'),
    other: output('in0'),
  }
  const solution = solve(graph, content(inside))
  assert.deepEqual(formatMessages(solution), [
    'c error unsupported: odd: odd is not supported',
    'after warning unknown by c: Input after.i0 depends on c, which is not solved',
  ])
  assert.deepEqual(see(solution, 'fine.o0'), { '{0}': [{ type: 'integer', value: 1 }] })
  assert.deepEqual([solution.states.get('c'), solution.states.get('fine')], ['unsupported', 'solved'])
})

test('[U-6] [E-2] given an error that Grasshopper reports too, when others depend on it, then they run', () => {
  const solution = solve(
    sketchGraph({
      half: { guid: DIVISION, inputs: [numbers(1), numbers(0)] },
      count: { guid: LIST_LENGTH, inputs: ['half.o0'] },
    }),
  )
  assert.deepEqual(see(solution, 'count.o0'), { '{0}': [{ type: 'integer', value: 1 }] })
  assert.deepEqual(solution.completeness, {
    isComplete: true,
    valuesComplete: true,
    nodes: 2,
    solved: 1,
    failed: 1,
    unsupported: 0,
    unknown: 0,
    unsupportedWithoutOutputs: 0,
  })
})

test('[E-1] given enabled nodes without values, when they are solved, then each says why', () => {
  const solution = solve(
    sketchGraph({
      nothing: { guid: NUMBER, isParameter: true },
      off: { ...number(1), isEnabled: false },
      relayed: { guid: NUMBER, isParameter: true, inputs: ['off'] },
      wrong: { guid: NUMBER, isParameter: true, inputs: [{ typed: [null] }] },
      sum: { guid: ADDITION, inputs: ['wrong', numbers(1)] },
    }),
  )
  assert.deepEqual(formatMessages(solution), [
    'nothing warning empty: Floating parameter nothing failed to collect data',
    'wrong warning empty: Floating parameter wrong failed to collect data',
    'relayed remark empty: No values reach it',
    'sum remark empty: No values reach input sum.i0',
  ])
  assert.deepEqual(Object.fromEntries(solution.states), {
    nothing: 'empty',
    off: 'disabled',
    wrong: 'empty',
    relayed: 'empty',
    sum: 'empty',
  })
  assert.equal(solution.completeness.solved, 4)
})
