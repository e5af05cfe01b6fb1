import type { GraphMapperState } from '@meadow/document'
import type { Chunk } from '../../archive/tree/archive.ts'
import { createChunk, createItem, ensureChunk, setItem, setItems } from '../../archive/tree/edit.ts'
import { findChunk, findItem, listItems } from '../../archive/tree/find.ts'
import { CLASS } from '../model/class-ids.ts'
import { toList, toNumber, toText } from '../model/coerce.ts'
import { findText, toFinite } from '../model/text.ts'
import { bounds, readFields, readSize, writeFields } from './fields.ts'
import type { StateKind } from './state-kind.ts'

const DOMAIN = { x: bounds('x0', 'x1'), y: bounds('y0', 'y1') }

interface GraphClass {
  readonly id: string
  /** How many chunks `Equation` it has, each with two grips. */
  readonly equations?: number
}

/** The known classes of graphs, by the names of English files. */
const GRAPHS = new Map<string, GraphClass>([
  ['Bezier', { id: '7026a6d2-9b94-4314-b6d3-6850eff942fe' }],
  ['Linear', { id: '71629651-0343-46d7-ac9e-d6041f9fe66b' }],
  ['Sine', { id: '7d54f77a-a866-49ed-95eb-b1f9fb25a1f1', equations: 1 }],
  ['Sine Summation', { id: '9f521f71-1b63-41a1-be58-993b4eecc773', equations: 2 }],
])

export const GRAPH_MAPPER: StateKind = {
  kind: 'graphMapper',
  classes: [CLASS.graphMapper],
  read(object) {
    const local = findChunk(object.container, 'LocalGraph')
    const graph = local && findChunk(local, 'Graph')
    const name = graph && findName(graph)
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

/** The name of a known class, in files of any language. */
function findName(graph: Chunk): string | undefined {
  const id = findItem(graph, 'container_id', 'guid')
  const known = [...GRAPHS].find(([, graphClass]) => graphClass.id === id)
  return known?.[0] ?? findText(graph, 'container_name')
}

const LINEAR = [0, 1].map((i) => [`x${i}`, `y${i}`] as const)

const listEquations = (graph: Chunk): Chunk[] => graph.chunks.filter(({ name }) => name === 'Equation')

/** Grips are cpx and cpy, px and py in chunks Equation, or x0, y0, x1 and y1 of a line. */
function listGrips(graph: Chunk): GraphMapperState['points'] {
  const equations = listEquations(graph)
  if (equations.length > 0) return equations.flatMap((equation) => listPairs(equation, 'px', 'py'))
  if (findName(graph) !== 'Linear') return listPairs(graph, 'cpx', 'cpy')
  return LINEAR.map(([x, y]) => [
    toFinite(findItem(graph, x, 'double')),
    toFinite(findItem(graph, y, 'double')),
  ])
}

function listPairs(at: Chunk, x: string, y: string): GraphMapperState['points'] {
  const ys = listItems(at, y, 'double')
  return listItems(at, x, 'double').map((value, i) => [toFinite(value), toFinite(ys[i])])
}

function setGrips(graph: Chunk, points: unknown): void {
  const positions = toList(points).map((xy) => [toNumber(toList(xy)[0]), toNumber(toList(xy)[1])] as const)
  const equations = listEquations(graph)
  if (equations.length > 0) {
    for (const [i, equation] of equations.entries())
      setPairs(equation, 'px', 'py', positions.slice(2 * i, 2 * i + 2))
  } else if (findName(graph) === 'Linear') setLine(graph, positions)
  else setPairs(graph, 'cpx', 'cpy', positions)
}

type Position = readonly [x: number, y: number]

function setPairs(at: Chunk, x: string, y: string, positions: readonly Position[]): void {
  for (const [axis, name] of [x, y].entries()) {
    const numbers = positions.map((position) => position[axis] as number)
    setItems(at, 'double', name, numbers)
  }
}

/** A line is kept as its grips, and as y = A x + B. */
function setLine(graph: Chunk, [[x0, y0] = [0, 0], [x1, y1] = [1, 1]]: readonly Position[]): void {
  const slope = x1 === x0 ? 0 : (y1 - y0) / (x1 - x0)
  for (const [name, value] of Object.entries({ x0, y0, x1, y1, A: slope, B: y0 - slope * x0 }))
    setItem(graph, 'double', name, value)
}

/** Replaces the graph by one of another class. If that class is unknown, the graph stays. */
function setGraph(local: Chunk, name: string, points: unknown): void {
  const kind = GRAPHS.get(name)
  if (!kind) return
  const { id, equations = 0 } = kind
  const graph = createChunk('Graph', [
    createItem('guid', 'container_id', id),
    createItem('string', 'container_name', name),
    ...Array.from({ length: equations }, (_, i) => createChunk('Equation', [], equations > 1 ? i : -1)),
  ])
  local.chunks = [...local.chunks.filter((chunk) => chunk.name !== 'Graph'), graph]
  setGrips(graph, points)
}
