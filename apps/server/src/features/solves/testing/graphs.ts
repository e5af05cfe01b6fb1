import type { GraphContent } from '@meadow/contract'
import { createGraph } from '../../../testing/graph/create-graph.ts'

/** Numbers, and points with these coordinates. */
export const points = (count = 3): GraphContent =>
  createGraph('Points', ({ group, slider, add, panel }) => {
    group('All', 'inputs')
    const series = add('Series', { Count: slider('Count', count, { from: 0, to: 100 }) }, 'Numbers')
    panel('Points', add('Construct Point', [series], 'Points'))
  })

/** A list of `count` numbers that `times` additions process. */
export const longList = (count: number, times = 1): GraphContent =>
  createGraph('Long list', ({ group, add, panel }) => {
    group('All', 'inputs')
    let numbers = add('Series', { Count: count }, 'Numbers')
    for (let i = 0; i < times; i++) numbers = add('Maths/Addition', [numbers, 1], `Sum ${i}`)
    panel('Last', numbers)
  })

const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const CONCATENATE = '2013e425-8713-42e2-a661-b57e78840337'

/** A text of 80 KB that doubles with each node: a small document that needs any amount of memory. */
export function doublingText(times: number): GraphContent {
  const content = createGraph('Doubling text', ({ group, add }) => {
    group('All', 'inputs')
    let text = add('Maths/Addition', ['x'.repeat(40_000), 'y'.repeat(40_000)], 'Text 0')
    for (let i = 1; i < times; i++) text = add('Maths/Addition', [text, text], `Text ${i}`)
  })
  // The component library does not list components with a variable number of ports.
  for (const node of Object.values(content.nodes)) {
    if (node.templateId === ADDITION) node.templateId = CONCATENATE
  }
  return content
}

const CSHARP = 'a9a8ebd2-fff5-4c44-a8f5-739736d129ba'

/** Numbers that come from scripts, which are not run, and what depends on them. */
export function scripted(scripts = 1): GraphContent {
  const content = createGraph('Scripts', ({ group, add, panel }) => {
    group('All', 'inputs')
    for (let i = 0; i < scripts; i++) panel(`Panel ${i}`, add('Series', { Count: 3 }, `Numbers ${i}`))
  })
  for (const node of Object.values(content.nodes)) {
    if (node.name === 'Series') Object.assign(node, { templateId: CSHARP, name: 'C# Script' })
  }
  return content
}

const MESH_JOIN = '4bc9dbbf-fec8-4348-a3af-e33e7edc8e7b'
const MESH_UNION = '88060a82-0bf7-46bb-9af8-bdc860cf7e1d'

/** The union of two balls, which needs a kernel in WebAssembly. */
export function meshUnion(): GraphContent {
  const content = createGraph('Balls', ({ group, add }) => {
    group('All', 'inputs')
    const planes = add(
      'XY Plane',
      [add('Construct Point', [add('Series', { Count: 2 }, 'X')], 'Points')],
      'Planes',
    )
    add('Mesh Join', [add('Mesh Sphere', { Base: planes, Radius: 1 }, 'Balls')], 'Union')
  })
  for (const node of Object.values(content.nodes)) {
    if (node.templateId === MESH_JOIN) node.templateId = MESH_UNION
  }
  return content
}

/** Three sums: each needs the one before, and the first needs the last. */
export function circle(): GraphContent {
  const content = createGraph('Circle', ({ group, add }) => {
    group('All', 'inputs')
    const width = add('Maths/Addition', [1, 2], 'Width')
    add('Maths/Addition', [add('Maths/Addition', [width, 3], 'Depth'), 4], 'Side')
  })
  const [width, , side] = Object.values(content.nodes)
  const [port, result] = [Object.keys(width!.inputs)[0]!, Object.keys(side!.outputs)[0]!]
  width!.sources[port] = [{ nodeInstanceId: side!.instanceId, portInstanceId: result }]
  return content
}

export const EMPTY_GRAPH: GraphContent = {
  nodes: {},
  groups: [],
  configuration: { inputs: [], outputs: [] },
}
