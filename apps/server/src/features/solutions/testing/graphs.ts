import type { GraphContent } from '@meadow/contract'
import { createGraph } from '../../../testing/graph/create-graph.ts'

/** Points, lines, tubes and numbers: geometry of several classes, and other values. */
export const tubes = (count = 3): GraphContent =>
  createGraph('Tubes', ({ group, slider, add, panel }) => {
    group('All', 'inputs')
    const series = add('Series', { Count: slider('Count', count, { from: 0, to: 100 }) }, 'Numbers')
    const feet = add('Construct Point', [series], 'Feet')
    const posts = add('Line SDL', [feet, add('Unit Z', [], 'Up'), 3], 'Posts')
    const tube = add('Pipe', { Curve: posts, Radius: 0.1, Caps: 1 }, 'Tubes')
    panel('Areas', add('Area', [tube], 'Measure').out('Area'))
  })

/** Numbers only, so that there is no geometry and no model file. */
export const numbers = (count = 3): GraphContent =>
  createGraph('Numbers', ({ group, add, panel }) => {
    group('All', 'inputs')
    panel('Last', add('Series', { Count: count }, 'Numbers'))
  })
