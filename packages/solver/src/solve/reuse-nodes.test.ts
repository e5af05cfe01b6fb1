import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import { number, sketchGraph } from '../testing/graph.ts'
import { type Solution, type SolveOptions, solve } from './solve.ts'
import { toWireData } from './to-wire-data.ts'

const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const DIVISION = '9c85271f-89fa-4e9f-9f4a-d75802120ccc'
const CUSTOM_PREVIEW = '537b0419-bbc2-4ff4-bf08-afe526367b2c'
const POINT = 'fbac3e32-f100-4292-8692-77240a42fd1a'
const SWATCH = '9c53bac0-ba66-40bd-8154-ce9829b9db1a'

const graph = (a: number, b: number) =>
  sketchGraph({
    a: number(a),
    b: number(b),
    twice: { guid: ADDITION, inputs: ['a', 'a'] },
    sum: { guid: ADDITION, inputs: ['twice.o0', 'b'] },
    quotient: { guid: DIVISION, inputs: ['b', 'b'] },
    nothing: { guid: ADDITION, inputs: ['gone.o0', 'a'] },
  })

/** The nodes of `next`, where equal ones are the same objects as in `before`. */
function share(before: GraphContent, next: GraphContent): GraphContent {
  const nodes = Object.entries(next.nodes).map(([id, node]) => {
    const earlier = before.nodes[id]
    return [id, JSON.stringify(earlier) === JSON.stringify(node) ? earlier! : node] as const
  })
  return { ...next, nodes: Object.fromEntries(nodes) }
}

function solveCounting(document: GraphContent, options: SolveOptions = {}) {
  const solved: string[] = []
  const solution = solve(document, { ...options, onNode: ({ instanceId }) => solved.push(instanceId) })
  return { solution, solved }
}

const describe = (solution: Solution) => ({
  data: toWireData(solution),
  states: [...solution.states],
  messages: solution.messages,
  completeness: solution.completeness,
})

test('[R-1] given an earlier solve, when a value changes, then only what depends on it is solved again, and the result is the same', () => {
  let document = graph(1, 0)
  let solution = solve(document)
  for (const [a, b, expected] of [
    [1, 2, ['nothing', 'b', 'sum', 'quotient']],
    [5, 2, ['nothing', 'a', 'twice', 'sum']],
    [5, 2, ['nothing']],
    [6, 0, ['nothing', 'a', 'twice', 'b', 'sum', 'quotient']],
  ] as const) {
    const next = share(document, graph(a, b))
    const again = solveCounting(next, { previous: { document, solution } })
    // A wire from a node that does not exist: whether it appears is not tracked.
    assert.deepEqual(new Set(again.solved), new Set(expected))
    assert.deepEqual(describe(again.solution), describe(solve(next)))
    ;({ solution } = again)
    document = next
  }
})

test('[R-2] given coloured geometry, when another value changes, then it keeps its colour, and loses it with its colour node', () => {
  const coloured = (a: number, isColoured: boolean) =>
    sketchGraph({
      a: number(a),
      point: { guid: POINT, isParameter: true, inputs: [{ typed: [{ type: 'point', value: [1, 2, 3] }] }] },
      colour: {
        guid: SWATCH,
        isParameter: true,
        inputs: [{ typed: [{ type: 'colour', value: '#ff0000ff' }] }],
      },
      ...(isColoured && { shown: { guid: CUSTOM_PREVIEW, inputs: ['point', 'colour'], outputs: 0 } }),
    })
  const document = coloured(1, true)
  const solution = solve(document)
  assert.equal(solution.materials.size, 1)
  const next = share(document, coloured(2, true))
  assert.equal(solve(next, { previous: { document, solution } }).materials.size, 1)
  const plain = share(document, coloured(2, false))
  assert.equal(solve(plain, { previous: { document, solution } }).materials.size, 0)
})
