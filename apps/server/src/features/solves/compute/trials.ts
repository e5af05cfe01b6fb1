import { randomUUID } from 'node:crypto'
import type { DataTree, DataValue, GraphContent, Node, Plane } from '@meadow/contract'
import { listParameterTypes } from '@meadow/document'
import { createNode } from '@meadow/document/live'
import { encodeGeometry } from '@meadow/model'

/** A definition whose results are known, since Meadow's solver solves it or cannot. */
export interface Trial {
  content: GraphContent
  /** The ids of the nodes that are compared, by what completes "The server …". */
  results: ReadonlyMap<string, string>
}

const PLANE: Plane = { origin: [1, 2, 3], xAxis: [0, 1, 0], yAxis: [-1, 0, 0] }
const SIDE = { start: -0.5, end: 2 }
const NUMBER = (value: number): DataValue => ({ type: 'number', value })

/** A type of parameter, and values of it; nulls where the server has to keep a position. No file holds arcs. */
const VALUES: readonly [typeName: string, what: string, values: (DataValue | null)[]][] = [
  ['Number', 'numbers and nulls', [null, NUMBER(0.1), null, NUMBER(1 / 3), null]],
  ['Integer', 'integers', [{ type: 'integer', value: -7 }]],
  ['Boolean', 'truth values', [{ type: 'boolean', value: true }, null, { type: 'boolean', value: false }]],
  ['Text', 'texts', [{ type: 'string', value: 'Zwölf "Boxkämpfer"\n{0;1}' }, null]],
  ['Data', 'values of any type', [NUMBER(2), null, { type: 'string', value: 'two' }]],
  ['Domain', 'domains', [{ type: 'domain', value: { start: 0.1, end: 1 / 3 } }, null]],
  ['Colour', 'colours', [{ type: 'colour', value: '#0a141e80' }, null]],
  ['Point', 'points', [{ type: 'point', value: [1, 2, 0.1] }, null]],
  ['Vector', 'vectors', [{ type: 'vector', value: [0, 0, -2] }]],
  ['Plane', 'planes', [{ type: 'plane', value: PLANE }]],
  ['Line', 'lines', [{ type: 'line', value: { from: [0, 0, 0], to: [1, 2, 3] } }]],
  ['Circle', 'circles', [{ type: 'circle', value: { plane: PLANE, radius: 2.5 } }]],
  ['Rectangle', 'rectangles', [{ type: 'rectangle', value: { plane: PLANE, x: SIDE, y: SIDE } }]],
  ['Box', 'boxes', [{ type: 'box', value: { plane: PLANE, x: SIDE, y: SIDE, z: SIDE } }]],
  ['Curve', 'curves', [null, createCurve()]],
]

function createCurve(): DataValue {
  const vertices = [0, 1, 3].map((x) => ({ x, y: x * x, z: 0 }))
  const geometry = encodeGeometry({ type: 'polyline', vertices })!
  return { type: 'curve', value: { description: 'Polyline curve', boundingBox: null }, geometry }
}

/** Creates a parameter of each type, with its values in two branches and an empty branch between them. */
export function createValues(): Trial {
  const nodes = VALUES.map(([typeName, what, values]) =>
    createParameter(typeName, what, [
      { path: '{0}', values },
      { path: '{0;1}', values: [] },
      { path: '{2}', values: values.toReversed() },
    ]),
  )
  return createTrial(nodes, new Map(nodes.map((node) => [node.instanceId, `returns ${node.nickName}`])))
}

const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const CENTER_BOX = '28061aae-04fb-4cb5-ac45-16f3b66bc0a4'
const DIVISION = '9c85271f-89fa-4e9f-9f4a-d75802120ccc'
const MASS_ADDITION = '5b850221-b527-4bd6-8c62-e94168cd6efa'
const SERIES = 'e64c5fb1-845c-4ab1-8911-5f338516ba67'
const SOLID_UNION = '10434a15-da85-4281-bb64-a2b3a995b9c6'
const VOLUME = '224f7648-5956-4b26-80d9-8d771f3dfd5d'

/** Creates five definitions of components: data trees, nulls, solids, an error, and a component that nobody has. */
export const createComponentTrials = (): Trial[] => [
  createTrees(),
  createNulls(),
  createSolids(),
  createError(),
  createMissing(),
]

function createTrees(): Trial {
  const series = createComponent(SERIES, { N: numbers([2], [3, 1]) })
  const sums = createComponent(ADDITION, { A: series, B: numbers([10, 20]) })
  const totals = createComponent(MASS_ADDITION, { I: sums })
  return createTrial([series, sums, totals], new Map([[totals.instanceId, 'computes with data trees']]))
}

function createNulls(): Trial {
  const sums = createComponent(ADDITION, { A: numbers([1, null, 3]), B: numbers([1]) })
  return createTrial([sums], new Map([[sums.instanceId, 'computes with nulls']]))
}

/** Two cubes of 8 that share a corner of 1. */
function createSolids(): Trial {
  const corner = { ...PLANE, origin: [2, 3, 4] as Plane['origin'] }
  const planes = [PLANE, corner].map((value): DataValue => ({ type: 'plane', value }))
  const half = numbers([1])
  const boxes = createComponent(CENTER_BOX, { B: inBranches([planes]), X: half, Y: half, Z: half })
  const union = createComponent(SOLID_UNION, { B: boxes })
  const volume = createComponent(VOLUME, { G: union })
  return createTrial([boxes, union, volume], new Map([[volume.instanceId, 'unites solids']]))
}

function createError(): Trial {
  const integers = (value: number) => inBranches([[{ type: 'integer', value }]])
  const quotient = createComponent(DIVISION, { A: integers(1), B: integers(0) })
  return createTrial([quotient], new Map([[quotient.instanceId, 'says which component has an error']]))
}

function createMissing(): Trial {
  const missing = { ...createComponent(SERIES, {}), templateId: randomUUID(), name: 'Missing' }
  const behind = createComponent(ADDITION, { A: missing, B: numbers([1]) })
  const beside = createComponent(ADDITION, { A: numbers([1]), B: numbers([2]) })
  return createTrial(
    [missing, behind, beside],
    new Map([
      [behind.instanceId, 'leaves out what depends on a missing component'],
      [beside.instanceId, 'solves what does not depend on it'],
    ]),
  )
}

const createTrial = (nodes: readonly Node[], results: Trial['results']): Trial => ({
  content: {
    nodes: Object.fromEntries(nodes.map((node) => [node.instanceId, node])),
    groups: [],
    configuration: { inputs: [], outputs: [] },
  },
  results,
})

function createParameter(typeName: string, nickName: string, branches: DataTree['branches']): Node {
  const { guid } = listParameterTypes().find(({ name }) => name === typeName)!
  const node = createNode(guid, { position: { x: 0, y: 0 }, nickName })
  return { ...node, values: { [node.instanceId]: { branches } } }
}

/** Creates a component whose inputs, by nickname, have values or come from the first output of another node. */
function createComponent(classId: string, inputs: Readonly<Record<string, Node | DataTree>>): Node {
  const node = createNode(classId, { position: { x: 0, y: 0 } })
  const [sources, values] = [{ ...node.sources }, { ...node.values }]
  for (const [nickName, input] of Object.entries(inputs)) {
    const portId = Object.keys(node.inputs).find((id) => node.ports[id]!.nickName === nickName)!
    if ('branches' in input) values[portId] = input
    else {
      const { instanceId: nodeInstanceId, outputs } = input
      sources[portId] = [{ nodeInstanceId, portInstanceId: Object.keys(outputs)[0]! }]
    }
  }
  return { ...node, sources, values }
}

const inBranches = (branches: readonly (DataValue | null)[][]): DataTree => ({
  branches: branches.map((values, index) => ({ path: `{${index}}`, values })),
})

const numbers = (...branches: (number | null)[][]): DataTree =>
  inBranches(branches.map((values) => values.map((value) => (value === null ? null : NUMBER(value)))))
