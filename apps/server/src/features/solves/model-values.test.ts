import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solve } from '@meadow/solver'
import { createGraph } from '../demo/graph/create-graph.ts'
import { listModelValues } from './model-values.ts'

test('[JOB-10] given geometry that is previewed in a colour, when a model is made of it, then it has that colour there, and the rest has none', () => {
  const graph = createGraph('Coloured', ({ group, add, paint }) => {
    group('All', 'geometry')
    const points = add('Construct Point', [add('Series', { Count: 2 }, 'Numbers')], 'Points')
    paint('Red', '#ff0000ff', add('Line SDL', [points, add('Unit Z', [], 'Up'), 3], 'Posts'))
  })
  const values = listModelValues(graph, solve(graph))
  const seen = values.map(({ nodeName, colour }) => [
    nodeName,
    colour && [colour.red, colour.green, colour.blue],
  ])
  assert.deepEqual(seen, [
    ['Points', undefined],
    ['Points', undefined],
    ['Posts', [255, 0, 0]],
    ['Posts', [255, 0, 0]],
  ])
})
