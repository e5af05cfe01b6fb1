import type { GraphMapperState } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { createChunk, createItem, ensureChunk, setItems } from '../../archive/tree/edit.ts'
import { findChunk, listItems } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { toList, toNumber, toText } from '../model/coerce.ts'
import { findText, toFinite } from '../model/text.ts'
import { bounds, readFields, readSize, writeFields } from './fields.ts'
import type { StateKind } from './state-kind.ts'

const DOMAIN = { x: bounds('x0', 'x1'), y: bounds('y0', 'y1') }

/** The known classes of graphs, and where each stores its grips. */
const GRAPHS = new Map([
  ['Bezier', { id: '7026a6d2-9b94-4314-b6d3-6850eff942fe', hasEquation: false }],
  ['Sine', { id: '7d54f77a-a866-49ed-95eb-b1f9fb25a1f1', hasEquation: true }],
])

export const GRAPH_MAPPER: StateKind = {
  kind: 'graphMapper',
  classes: [CLASS.graphMapper],
  read(object) {
    const local = findChunk(object.container, 'LocalGraph')
    const graph = local && findChunk(local, 'Graph')
    const name = graph && findText(graph, 'container_name')
    return {
      kind: 'graphMapper',
      ...(name ? { graph: name } : {}),
      points: graph ? listGrips(graph) : [],
      ...readFields(local && findChunk(local, 'Domain'), DOMAIN),
      ...readSize(object),
    }
  },
  write({ container }, change) {
    const local = ensureChunk(container, 'LocalGraph')
    writeFields(ensureChunk(local, 'Domain'), DOMAIN, change)
    change.member('graph', (name) => setGraph(local, toText(name), change.after.state?.points))
    change.member('points', (points) => {
      const graph = findChunk(local, 'Graph')
      if (graph) setGrips(graph, points)
    })
  },
  create: () => [
    createChunk('LocalGraph', [
      createItem('bool', 'LockGrips', false),
      createChunk(
        'Domain',
        Object.entries({ x0: 0, x1: 1, y0: 0, y1: 1 }).map(([name, value]) =>
          createItem('double', name, value),
        ),
      ),
    ]),
  ],
}

/** Grips are cpx and cpy, or px and py in a chunk Equation. */
function locateGrips(graph: Chunk) {
  const equation = findChunk(graph, 'Equation')
  return equation ? { at: equation, x: 'px', y: 'py' } : { at: graph, x: 'cpx', y: 'cpy' }
}

function listGrips(graph: Chunk): GraphMapperState['points'] {
  const { at, x, y } = locateGrips(graph)
  const ys = listItems(at, y, 'double')
  return listItems(at, x, 'double').map((value, i) => [toFinite(value), toFinite(ys[i])])
}

function setGrips(graph: Chunk, points: unknown): void {
  const { at, x, y } = locateGrips(graph)
  const positions = toList(points).map(toList)
  for (const [axis, name] of [x, y].entries()) {
    const numbers = positions.map((xy) => toNumber(xy[axis]))
    setItems(at, 'double', name, numbers)
  }
}

/** Replaces the graph by one of another class. If that class is unknown, the graph stays. */
function setGraph(local: Chunk, name: string, points: unknown): void {
  const kind = GRAPHS.get(name)
  if (!kind) return
  const graph = createChunk('Graph', [
    createItem('guid', 'container_id', kind.id),
    createItem('string', 'container_name', name),
    ...(kind.hasEquation ? [createChunk('Equation')] : []),
  ])
  local.chunks = [...local.chunks.filter((chunk) => chunk.name !== 'Graph'), graph]
  setGrips(graph, points)
}
