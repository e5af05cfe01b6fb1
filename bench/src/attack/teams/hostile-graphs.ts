import type { GraphContent } from '@meadow/contract'
import { type Canvas, createGraph } from '@meadow/server/src/testing/graph/create-graph.ts'
import { formula, graft } from '@meadow/server/src/testing/graph/feed.ts'

const CONCATENATE = '2013e425-8713-42e2-a661-b57e78840337'
const DOUBLING = 'texts that double'

/** Draws a graph that takes far more memory or time than its size suggests; `variant` counts from 0. */
type Draw = (canvas: Canvas, variant: number) => void

const HOSTILE: Record<string, Draw> = {
  'one huge series': ({ add }, variant) => {
    add('Series', { Count: 10_000_000 * 4 ** (variant % 5) })
  },
  [DOUBLING]: ({ add, text }, variant) => {
    let last = text('Seed', 'x'.repeat(64))
    for (let times = 0; times < 24 + (variant % 17); times++) last = add('Maths/Addition', [last, last])
  },
  'points at infinity': ({ add }) => {
    const far = add('Multiplication', [add('Series', { Start: 1, Count: 20 }), 1e308])
    const near = add('Series', { Count: 20 })
    add('Delaunay Mesh', { Points: add('Construct Point', [far, formula('x*x', near)]) })
  },
  'points that are no numbers': ({ add }) => {
    const far = add('Multiplication', [add('Series', { Start: 2, Count: 20 }), 1e308])
    const none = add('Subtraction', [far, far])
    add('Delaunay Mesh', { Points: add('Construct Point', [none, add('Series', { Count: 20 })]) })
  },
  'every item with every other': ({ add }, variant) => {
    const list = add('Series', { Count: 10_000 * (1 + (variant % 4)) })
    add('Cross Reference', [list, list])
  },
  'a list repeated without end': ({ add }) => {
    add('Repeat Data', { Data: add('Series', { Count: 10 }), Length: 2_000_000_000 })
  },
  'lists that multiply': ({ add }) => {
    let last = add('Series', { Count: 100 })
    for (let times = 0; times < 12; times++) last = add('Duplicate Data', { Data: last, Number: 10 })
  },
  'a curve in a billion parts': ({ add }) => {
    const points = add('Construct Point', [add('Series', { Count: 50 }), 0, 0])
    add('Divide Curve', { Curve: add('Interpolate', { Vertices: points }), Count: 1_000_000_000 })
  },
  'long lists all the way': ({ add }, variant) => {
    let last = add('Series', { Count: 200_000 })
    for (let times = 0; times < 400 + (variant % 3); times++) last = add('Reverse List', [last])
  },
  'a million branches': ({ add }) => {
    const branches = graft(add('Series', { Count: 1_000_000 }))
    add('Range', [branches, 100])
  },
  'a deep expression': ({ add }, variant) => {
    const depth = 5000 * (1 + (variant % 4))
    add('Series', { Count: formula(`${'('.repeat(depth)}x${')'.repeat(depth)}`, 10) })
  },
  'meshes that multiply': ({ add }) => {
    const side = add('Series', { Count: 300 })
    const points = add('Construct Point', [graft(side), formula('sin(x)', side)])
    add('Delaunay Mesh', { Points: { ...graft(points), flags: ['flatten'] } })
  },
}

const DRAWN = Object.entries(HOSTILE)

/** Returns the hostile graph with this index. All of them are small as files. */
export function createHostileGraph(index: number): GraphContent {
  const [name, draw] = DRAWN[index % DRAWN.length]!
  const graph = createGraph(name, (canvas) => {
    canvas.group(name, 'inputs')
    draw(canvas, Math.floor(index / DRAWN.length))
  })
  return name === DOUBLING ? concatenate(graph) : graph
}

/** Replaces Addition by Concatenate, which the canvas cannot draw because its ports are variable. */
const concatenate = (graph: GraphContent): GraphContent => ({
  ...graph,
  nodes: Object.fromEntries(
    Object.entries(graph.nodes).map(([id, node]) => [
      id,
      node.name === 'Addition' ? { ...node, name: 'Concatenate', templateId: CONCATENATE } : node,
    ]),
  ),
})
