import { randomUUID } from 'node:crypto'
import type { DataValue, GraphContent, Node, Plane } from '@meadow/contract'
import { listParameterTypes } from '@meadow/document'
import { decodeGeometry, encodeGeometry } from '@meadow/model'
import { solve, toWireTree } from '@meadow/solver'
import { applyAnswer } from './apply-answer.ts'
import { askCompute } from './ask-compute.ts'
import type { ComputeClient, ComputeLimits } from './compute-client.ts'
import { readAnswer } from './read-answer.ts'

/** Something that solving with Rhino.Compute relies on, and whether a server does it. */
export interface ServerCheck {
  /** Completes "The server …". */
  what: string
  isRight: boolean
}

const LIBRARY = {
  decode: async (encoded: readonly Parameters<typeof decodeGeometry>[0][]) => encoded.map(decodeGeometry),
}
const LIST_LENGTH = '1817fd29-20ae-4503-b542-f0fb651e67d7'

/**
 * Sends a definition whose values are known to a Rhino.Compute server, in the same way as a document, and compares what
 * comes back. Fails: as `ComputeClient`.
 */
export async function checkServer(client: ComputeClient, limits: ComputeLimits): Promise<ServerCheck[]> {
  const checks: ServerCheck[] = [
    { what: 'says which components it has', isRight: await client.hasComponent(LIST_LENGTH, limits) },
    { what: 'says which components it lacks', isRight: !(await client.hasComponent(randomUUID(), limits)) },
  ]
  const content = createTrial()
  const own = solve(content, { decodeGeometry })
  const unsolved = {
    states: new Map(Object.keys(content.nodes).map((id) => [id, 'unknown'] as const)),
    ports: new Map(),
  }
  const { units } = client.server
  const question = askCompute({ content, clusters: new Map(), original: undefined, units }, unsolved)
  if (!question) throw new Error('The definition of the check cannot be asked for.')
  const bytes = await client.solve(
    question.body,
    async (chunks) => Buffer.concat(await Array.fromAsync(chunks)),
    limits,
  )
  const answered = { plan: question.plan, missingClassIds: [], answer: readAnswer(bytes) }
  const answer = await applyAnswer(content, { ...own, ...unsolved, messages: [] }, answered, LIBRARY)
  for (const { instanceId: id, nickName } of Object.values(content.nodes)) {
    const [expected, actual] = [own, answer].map(({ ports }) => toWireTree(ports.get(id)!.get(id)!))
    checks.push({ what: `returns ${nickName}`, isRight: isSame(expected, actual) })
  }
  return checks
}

const PLANE: Plane = { origin: [1, 2, 3], xAxis: [0, 1, 0], yAxis: [-1, 0, 0] }
const SIDE = { start: -0.5, end: 2 }
const NUMBER = (value: number): DataValue => ({ type: 'number', value })

/** A type of parameter, and values of it; nulls where the server has to keep a position. No file holds arcs. */
const TRIALS: readonly [typeName: string, what: string, values: (DataValue | null)[]][] = [
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

/** A parameter for each trial. */
function createTrial(): GraphContent {
  const nodes = TRIALS.map(createParameter)
  return {
    nodes: Object.fromEntries(nodes.map((node) => [node.instanceId, node])),
    groups: [],
    configuration: { inputs: [], outputs: [] },
  }
}

/** Creates a parameter with the values in two branches, and an empty branch between them. */
function createParameter([typeName, what, values]: (typeof TRIALS)[number]): Node {
  const id: string = randomUUID()
  const branches = [
    { path: '{0}', values },
    { path: '{0;1}', values: [] },
    { path: '{2}', values: values.toReversed() },
  ]
  return {
    instanceId: id,
    position: { x: 0, y: 0 },
    status: { isEnabled: true, isPreviewed: false },
    sources: {},
    templateId: listParameterTypes().find(({ name }) => name === typeName)!.guid,
    name: typeName,
    nickName: what,
    inputs: { [id]: 0 },
    outputs: { [id]: 0 },
    values: { [id]: { branches } },
    ports: { [id]: { name: typeName, nickName: what, typeName, access: 'item', flags: [] } },
  }
}

/** Rhino makes the axes of planes perpendicular again when it reads them. */
const TOLERANCE = 1e-9

/** Whether two values of JSON are the same but for the rounding of numbers. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= TOLERANCE
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))]
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && isSame(value, right.get(key)))
  )
}
