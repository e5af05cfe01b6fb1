import type { GraphContent } from '@meadow/contract'
import { circularBasin } from '../../demo/definitions/circular-basin.ts'
import { createGraph } from '../../demo/graph/create-graph.ts'

/** Numbers, and points at them. */
export const points = (count = 3): GraphContent =>
  createGraph('Points', ({ group, slider, add, panel }) => {
    group('All', 'inputs')
    const series = add('Series', { Count: slider('Count', count, { from: 0, to: 100 }) }, 'Numbers')
    panel('Points', add('Construct Point', [series], 'Points'))
  })

/** A list of so many numbers, gone through again and again. */
export const longList = (count: number, times = 1): GraphContent =>
  createGraph('Long list', ({ group, add, panel }) => {
    group('All', 'inputs')
    let numbers = add('Series', { Count: count }, 'Numbers')
    for (let i = 0; i < times; i++) numbers = add('Addition', [numbers, 1], `Sum ${i}`)
    panel('Last', numbers)
  })

export const circle = circularBasin

export const EMPTY_GRAPH: GraphContent = {
  nodes: {},
  groups: [],
  configuration: { inputs: [], outputs: [] },
}
