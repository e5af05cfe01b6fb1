import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataValue, GraphContent } from '@meadow/contract'
import { type Geometry, type Solution, solve, type Value } from '@meadow/solver'
import { createGraph } from '../demo/graph/create-graph.ts'
import { listModelValues } from './model-values.ts'

const NODE = { name: 'Circle', nickName: '', ports: { out: { name: 'Result' } } }
const content = { nodes: { n: NODE, m: { ...NODE, nickName: 'Rim' } } } as unknown as GraphContent
const point: Geometry = { type: 'point', x: 1, y: 2, z: 3 }
const red = { type: 'colour', red: 255, green: 0, blue: 0, alpha: 255 } as const
const hatch: DataValue = {
  type: 'unknown',
  value: { description: 'Hatch' },
  geometry: { version: 10000, archive3dm: 70, opennurbs: 1, data: 'AAAA' },
}

const solutionOf = (ports: Record<string, readonly (Value | null)[]>): Solution => ({
  ports: new Map(
    Object.entries(ports).map(([node, values]) => [
      node,
      new Map([['out', { branches: [{ path: [0, 4], values }] }]]),
    ]),
  ),
  colours: new Map([[point, red]]),
  messages: [],
  durationsMs: new Map(),
})

test('[JOB-10] given a solution, then its geometry is listed with its place, its names and the colour it is drawn in', () => {
  const listed = listModelValues(content, solutionOf({ n: [1, null, point], m: [{ ...point }] }))
  const place = { portInstanceId: 'out', path: '{0;4}', portName: 'Result', value: point }
  assert.deepEqual(listed, [
    { ...place, nodeInstanceId: 'n', index: 2, nodeName: 'Circle', colour: red },
    { ...place, nodeInstanceId: 'm', index: 0, nodeName: 'Rim' },
  ])
})

test('[JOB-10] given typed-in geometry that the solver could not look into, then it is listed too, and what is none is not', () => {
  const { geometry: _, ...described } = hatch
  const values = [hatch, described as DataValue].map((wire): Value => ({ type: 'opaque', wire }))
  const listed = listModelValues(content, solutionOf({ n: values }))
  assert.deepEqual(
    listed.map(({ index, value }) => [index, value]),
    [[0, values[0]]],
  )
})

test('[JOB-10] given a document that previews geometry in a colour, when it is solved, then that geometry is listed with it', () => {
  const graph = createGraph('Coloured', ({ group, add, paint }) => {
    group('All', 'geometry')
    const points = add('Construct Point', [add('Series', { Count: 2 }, 'Numbers')], 'Points')
    paint('Red', '#ff0000ff', add('Line SDL', [points, add('Unit Z', [], 'Up'), 3], 'Posts'))
  })
  const seen = listModelValues(graph, solve(graph)).map(({ nodeName, colour }) => [nodeName, colour])
  assert.deepEqual(seen, [
    ['Points', undefined],
    ['Points', undefined],
    ['Posts', red],
    ['Posts', red],
  ])
})
