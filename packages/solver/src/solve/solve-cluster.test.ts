import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataValue } from '@meadow/contract'
import type { ClusterContent } from '@meadow/document'
import { SolveError } from '@meadow/geometry/budget/solve-error'
import { type NodeSketch, number, numbers, sketchGraph } from '../testing/graph.ts'
import { show } from '../testing/run.ts'
import { type Solution, type SolveOptions, solve } from './solve.ts'

const CLUSTER = 'f31d8d7a-7536-4ac8-9c96-fde6ecda4d0a'
const CLUSTER_INPUT = '448de216-3a12-43cf-a135-e3bfafc87744'
const CLUSTER_OUTPUT = 'a4b285fe-2e13-4204-b65c-189aa6704da5'
const POINT = 'fbac3e32-f100-4292-8692-77240a42fd1a'
const COLOUR = '203a91c3-287a-43b6-a9c5-ebb96240a650'
const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const DIVISION = '9c85271f-89fa-4e9f-9f4a-d75802120ccc'
const SERIES = 'e64c5fb1-845c-4ab1-8911-5f338516ba67'
const PREVIEW = '537b0419-bbc2-4ff4-bf08-afe526367b2c'
const CSHARP = 'b6ba1144-02d6-4a2d-b53c-ec62e290eeb7'

const input = (port: NodeSketch['port'] = {}): NodeSketch => ({
  guid: CLUSTER_INPUT,
  isParameter: true,
  port,
})
const output = (from: string, port: NodeSketch['port'] = {}): NodeSketch => ({
  guid: CLUSTER_OUTPUT,
  isParameter: true,
  inputs: [from],
  port,
})
/** A cluster node; its inputs need no data, as in real files. */
const cluster = (inputs: NodeSketch['inputs'], port: NodeSketch['port'] = {}): NodeSketch => ({
  guid: CLUSTER,
  inputs: inputs ?? [],
  port: { options: ['optional'], ...port },
})

/** The content of the cluster node `id`: its inputs are the nodes `in0`, `in1` …, its output is `out`. */
function contentOf(
  id: string,
  sketches: Record<string, NodeSketch>,
  clusters: ClusterContent['clusters'] = new Map(),
): ClusterContent {
  const hooks = Object.keys(sketches).flatMap((name): [string, string][] => {
    const [, at] = /^in(\d)$/.exec(name) ?? []
    return at ? [[`${id}.i${at}`, name]] : name === 'out' ? [[`${id}.o0`, name]] : []
  })
  return { content: sketchGraph(sketches), hooks: new Map(hooks), clusters }
}

/** Solves a document with one cluster, `c`. */
const solveWith = (
  sketches: Record<string, NodeSketch>,
  contained: Record<string, NodeSketch>,
  options?: SolveOptions,
) =>
  solve(sketchGraph(sketches), { clusterContents: new Map([['c', contentOf('c', contained)]]), ...options })

const see = ({ ports }: Solution, id: string) =>
  show(ports.get(id.split('.')[0] ?? '')?.get(id) ?? { branches: [] })

const formatMessages = ({ messages }: Solution) =>
  messages.map(({ nodeInstanceId, level, message }) => `${nodeInstanceId} ${level}: ${message}`)

const SUM = {
  in0: input(),
  in1: input(),
  sum: { guid: ADDITION, inputs: ['in0', 'in1'] },
  out: output('sum.o0'),
}
const PASS = { in0: input(), out: output('in0') }

test('[K-1] given a cluster, when it is solved, then its outputs give what is computed inside of wires and literals', () => {
  const solution = solveWith(
    {
      a: number(1, 2),
      c: cluster(['a', numbers(10)]),
      next: { guid: ADDITION, inputs: ['c.o0', numbers(100)] },
    },
    SUM,
  )
  assert.deepEqual(see(solution, 'c.o0'), { '{0}': [11, 12] })
  assert.deepEqual(see(solution, 'next.o0'), { '{0}': [111, 112] })
  assert.deepEqual(solution.messages, [])
  assert.deepEqual([...solution.ports.keys()].sort(), ['a', 'c', 'next'])
  assert.ok(solution.durationsMs.get('c')! >= 0)
})

test('[K-1] given ports of item access, when a tree arrives, then it goes in and arrives whole', () => {
  const tree = { '{0;0}': [0], '{0;1}': [1], '{0;2}': [2] }
  const grafted: NodeSketch = { ...number(0, 1, 2), port: { flags: ['graft'] } }
  assert.deepEqual(see(solveWith({ a: grafted, c: cluster(['a']) }, PASS), 'c.o0'), tree)
})

test('[K-1] given typed ports, when data passes them, then it is converted on the way in and on the way out', () => {
  const text: DataValue[] = [
    { type: 'string', value: '12' },
    { type: 'string', value: 'twelve' },
  ]
  const solution = solveWith({ c: cluster([{ typed: text }], { typeName: 'Number' }) }, PASS)
  assert.deepEqual(see(solution, 'c.o0'), { '{0}': [12, null] })
  assert.deepEqual(formatMessages(solution), ['c warning: Data conversion failed from Text to Number'])
  const out = { ...PASS, text: number(4), out: output('text') }
  const converted = solveWith({ c: cluster([numbers(1)], { typeName: 'Text' }) }, out)
  assert.deepEqual(see(converted, 'c.o0'), { '{0}': ['4'] })
})

test('[K-2] given switches on ports and inside, when data passes them, then each counts, from the outside in and out again', () => {
  const graph = sketchGraph({ c: cluster([numbers(1, 2, 3)]) })
  graph.nodes.c!.ports['c.i0']!.flags = ['reverse']
  graph.nodes.c!.ports['c.i0']!.expression = 'x*10'
  graph.nodes.c!.ports['c.o0']!.flags = ['flatten']
  const seen = (contained: Record<string, NodeSketch>) =>
    see(solve(graph, { clusterContents: new Map([['c', contentOf('c', contained)]]) }), 'c.o0')
  const grafts = { in0: input({ flags: ['graft'] }), sum: { guid: ADDITION, inputs: ['in0', numbers(1, 2)] } }
  assert.deepEqual(seen({ ...grafts, out: output('sum.o0') }), { '{0}': [31, 32, 21, 22, 11, 12] })
  graph.nodes.c!.ports['c.o0']!.flags = ['graft']
  assert.deepEqual(seen({ ...PASS, out: output('in0', { flags: ['reverse'] }) }), {
    '{0;0}': [10],
    '{0;1}': [20],
    '{0;2}': [30],
  })
})

test('[K-3] given inputs without data, when they need none, then the content has none and reports it; otherwise it is not solved', () => {
  const half = { ...SUM, sum: { guid: DIVISION, inputs: ['in0', 'in1'] } }
  const empty = solveWith({ c: cluster([[], numbers(1)]) }, half)
  assert.deepEqual(see(empty, 'c.o0'), {})
  assert.deepEqual(formatMessages(empty), ['c warning: sum: Input parameter sum.i0 failed to collect data'])
  const needed = solveWith({ c: cluster([[], numbers(1)], { options: [] }) }, half)
  assert.deepEqual(see(needed, 'c.o0'), {})
  assert.deepEqual(formatMessages(needed), ['c warning: Input parameter c.i0 failed to collect data'])
})

test('[K-3] given a disabled cluster, then its outputs are empty and it has no messages', () => {
  const solution = solveWith({ c: { ...cluster([numbers(1), numbers(2)]), isEnabled: false } }, SUM)
  assert.deepEqual([see(solution, 'c.o0'), solution.messages], [{}, []])
})

test('[K-4] given nodes inside with messages, when the cluster is solved, then it has their messages with their names, once', () => {
  const solution = solveWith(
    { c: cluster([numbers(1)]) },
    {
      in0: input(),
      half: { guid: DIVISION, inputs: ['in0', numbers(0)] },
      script: { guid: CSHARP, inputs: ['in0'] },
      out: output('script.o0'),
    },
  )
  assert.deepEqual(formatMessages(solution), [
    'c error: half: Division by zero',
    'c error: script: Scripts are not run',
  ])
  assert.deepEqual(
    solution.messages.map(({ code }) => code),
    ['failed', 'unsupported'],
  )
  assert.deepEqual(see(solution, 'c.o0'), {})
})

test('[K-5] given clusters in clusters, when they are solved, then each has its own content, and names the nested ones', () => {
  const contained = (factor: number) =>
    contentOf('sub', {
      in0: input(),
      quotient: { guid: DIVISION, inputs: ['in0', numbers(factor)] },
      out: output('quotient.o0'),
    })
  const outer = (factor: number): ClusterContent => ({
    ...contentOf('c', { in0: input(), sub: cluster(['in0']), out: output('sub.o0') }),
    clusters: new Map([['sub', contained(factor)]]),
  })
  const graph = sketchGraph({ c: cluster([numbers(12)]), d: cluster([numbers(12)]) })
  const other = {
    ...outer(0),
    hooks: new Map([...outer(0).hooks].map(([k, v]) => [k.replace('c.', 'd.'), v])),
  }
  const solution = solve(graph, {
    clusterContents: new Map([
      ['c', outer(4)],
      ['d', other],
    ]),
  })
  assert.deepEqual(see(solution, 'c.o0'), { '{0}': [3] })
  assert.deepEqual(formatMessages(solution), ['d error: sub: quotient: Division by zero'])
})

test('[K-5] given limits, when a content exceeds them, then the solve ends at the cluster', () => {
  const many = {
    many: { guid: SERIES, inputs: [numbers(0), numbers(1), numbers(5000)] },
    out: output('many.o0'),
  }
  for (const limits of [{ maxValues: 1000 }, { deadlineMs: -1 }, { signal: AbortSignal.abort() }]) {
    assert.throws(
      () => solveWith({ c: cluster([]) }, many, limits),
      (error) => error instanceof SolveError && error.nodeInstanceIds.join() === 'c',
    )
  }
})

test('[K-5] given wires in a circle inside, when it is solved, then the cluster reports it and the rest is solved', () => {
  const loop = {
    a: { guid: ADDITION, inputs: ['b.o0'] },
    b: { guid: ADDITION, inputs: ['a.o0'] },
    out: output('b.o0'),
  }
  const solution = solveWith({ c: cluster([]), n: number(1) }, loop)
  assert.deepEqual(formatMessages(solution), ['c error: The wires inside this cluster run in a circle'])
  assert.deepEqual([see(solution, 'c.o0'), see(solution, 'n')], [{ '{0}': [null] }, { '{0}': [1] }])
})

test('[K-6] given a cluster with unknown content, when it is solved, then its error gives the reason, and its outputs are unknown', () => {
  const graph = sketchGraph({ c: cluster([numbers(1)]) })
  const unknown = solve(graph)
  assert.equal(unknown.states.get('c'), 'unsupported')
  assert.deepEqual(see(unknown, 'c.o0'), {})
  assert.deepEqual(formatMessages(unknown), [
    'c error: What is inside this cluster is not known: no Grasshopper file that this document was imported from holds it',
  ])
  const hidden = solve(graph, { clusterContents: new Map([['c', { unknown: 'it is behind a password' }]]) })
  assert.deepEqual(formatMessages(hidden), [
    'c error: What is inside this cluster is not known: it is behind a password',
  ])
})

test('[K-6] given ports without an object inside, when the cluster is solved, then the errors name them', () => {
  const { content } = contentOf('c', PASS)
  const solveHooked = (hooks: ReadonlyMap<string, string>) =>
    solve(sketchGraph({ c: cluster([numbers(1)]) }), {
      clusterContents: new Map([['c', { content, hooks, clusters: new Map() }]]),
    })
  const [taken, given] = [new Map([['c.i0', 'in0']]), new Map([['c.o0', 'out']])]
  for (const [hooks, message] of [
    [given, 'c error: Inside this cluster nothing takes its input c.i0'],
    [taken, 'c error: Inside this cluster nothing gives its output c.o0'],
  ] as const) {
    const solution = solveHooked(hooks)
    assert.deepEqual([see(solution, 'c.o0'), solution.states.get('c')], [{}, 'unsupported'])
    assert.deepEqual(formatMessages(solution), [message])
  }
})

test('[K-7] given a preview inside, when the cluster is solved, then the outputs have no colour from it; given one outside, then it has', () => {
  const point: NodeSketch = {
    guid: POINT,
    isParameter: true,
    inputs: [{ typed: [{ type: 'point', value: [1, 0, 0] }] }],
    port: { typeName: 'Point' },
  }
  const red: NodeSketch = {
    guid: COLOUR,
    isParameter: true,
    inputs: [{ typed: [{ type: 'colour', value: '#ff0000ff' }] }],
    port: { typeName: 'Colour' },
  }
  const show = (from: string): NodeSketch => ({ guid: PREVIEW, inputs: [from, 'red'], outputs: 0 })
  const contained = solveWith({ point, c: cluster(['point']) }, { ...PASS, red, show: show('in0') })
  assert.equal(contained.materials.size, 0)
  const without = solveWith({ point, red, c: cluster(['point']), show: show('c.o0') }, PASS)
  assert.equal(without.materials.size, 1)
})
