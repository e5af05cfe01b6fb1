import type { Chunk } from '../../../archive/tree/archive.ts'
import {
  createChunk,
  createItem,
  ensureChunk,
  setChunks,
  setItem,
  setItems,
} from '../../../archive/tree/edit.ts'
import { findChunk, findItem, listChunks } from '../../../archive/tree/find.ts'
import { toInt32, toList, toNumber, toRecord, toText } from '../../model/coerce.ts'
import { findColour } from '../../model/colour.ts'
import type { DefinitionObject } from '../../model/definition-object.ts'
import { stableGuid } from '../../model/stable-guid.ts'
import type { Change } from './change.ts'

export function updateExpression({ container }: DefinitionObject, { member }: Change): void {
  member('expression', (text) => setItem(container, 'string', 'Expression', toText(text)))
}

export function updatePathMapper({ container }: DefinitionObject, { member }: Change): void {
  member('rules', (rules) => {
    const lexers = ensureChunk(container, 'lexers')
    const pairs = toList(rules).map(toRecord)
    const texts = (key: 'source' | 'target') => pairs.map((pair) => toText(pair[key]))
    setItems(lexers, 'string', 'source', texts('source'))
    setItems(lexers, 'string', 'target', texts('target'))
    setItem(lexers, 'int32', 'lexer_count', pairs.length)
  })
}

/** The known classes of graphs, and where each stores its grips. */
const GRAPHS = new Map([
  ['Bezier', { id: '7026a6d2-9b94-4314-b6d3-6850eff942fe', hasEquation: false }],
  ['Sine', { id: '7d54f77a-a866-49ed-95eb-b1f9fb25a1f1', hasEquation: true }],
])

export function updateGraphMapper({ container }: DefinitionObject, { member, after }: Change): void {
  const local = ensureChunk(container, 'LocalGraph')
  const domain = ensureChunk(local, 'Domain')
  member('x', (range) => setBounds(domain, 'x0', 'x1', range))
  member('y', (range) => setBounds(domain, 'y0', 'y1', range))
  member('graph', (name) => setGraph(local, toText(name), after.state?.points))
  member('points', (points) => {
    const graph = findChunk(local, 'Graph')
    if (graph) setGrips(graph, points)
  })
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

function setGrips(graph: Chunk, points: unknown): void {
  const equation = findChunk(graph, 'Equation')
  const [at, x, y] = equation ? ([equation, 'px', 'py'] as const) : ([graph, 'cpx', 'cpy'] as const)
  const positions = toList(points).map(toList)
  setItems(
    at,
    'double',
    x,
    positions.map((xy) => toNumber(xy[0])),
  )
  setItems(
    at,
    'double',
    y,
    positions.map((xy) => toNumber(xy[1])),
  )
}

/** Updates a gradient; existing grips keep their ids. */
export function updateGradient({ container, instanceId }: DefinitionObject, { member }: Change): void {
  const gradient = ensureChunk(container, 'Gradient')
  member('isLinear', (value) => setItem(gradient, 'bool', 'Linear', value === true))
  member('grips', (grips) => {
    const earlier = listChunks(gradient, 'Grip')
    const chunks = toList(grips).map((grip, i) => {
      const { position, left, right } = toRecord(grip)
      const id = earlier[i] && findItem(earlier[i], 'Id', 'guid')
      return createChunk('Grip', [
        createItem('drawing_color', 'Colour', findColour(left) ?? 0xff000000, 0),
        createItem('drawing_color', 'Colour', findColour(right) ?? 0xff000000, 1),
        createItem('double', 'Factor', toNumber(position)),
        createItem('guid', 'Id', id ?? stableGuid('grip', instanceId, String(i))),
      ])
    })
    setChunks(gradient, 'Grip', chunks)
    setItem(gradient, 'int32', 'GripCount', chunks.length)
  })
}

export function updateImageSampler({ container }: DefinitionObject, { member }: Change): void {
  member('path', (text) => setItem(container, 'string', 'FilePath', toText(text)))
  member('filter', (text) => setItem(container, 'string', 'Filter', toText(text)))
  member('wrap', (value) => setItem(container, 'int32', 'Wrap', toInt32(value)))
  member('interpolates', (value) => setItem(container, 'bool', 'Interpolate', value === true))
  member('u', (range) => setBounds(container, 'Umin', 'Umax', range))
  member('v', (range) => setBounds(container, 'Vmin', 'Vmax', range))
}

function setBounds(chunk: Chunk, start: string, end: string, range: unknown): void {
  const bounds = toRecord(range)
  setItem(chunk, 'double', start, toNumber(bounds.start))
  setItem(chunk, 'double', end, toNumber(bounds.end))
}
