import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DataValue, type GraphContent, MESSAGE_CODES, type SolutionId } from '@meadow/contract'
import type { Colour, Geometry, Shader, Value } from '@meadow/geometry/values/value'
import { type Solution, solve, type Tree, toWireData } from '@meadow/solver'
import fc from 'fast-check'
import { createGraph } from '../../testing/graph/create-graph.ts'
import { listModelValues, writeValuesBody } from './solution-files.ts'

const NODE = { name: 'Circle', nickName: '', ports: { out: { name: 'Result' } } }
const content = { nodes: { n: NODE, m: { ...NODE, nickName: 'Rim' } } } as unknown as GraphContent
const point: Geometry = { type: 'point', x: 1, y: 2, z: 3 }
const colour = (red: number, green: number, blue: number): Colour => ({
  type: 'colour',
  red,
  green,
  blue,
  alpha: 255,
})
const RED: Shader = {
  type: 'shader',
  diffuse: colour(255, 0, 0),
  specular: colour(255, 255, 255),
  emission: colour(0, 0, 0),
  transparency: 0,
  shine: 0,
}
const hatch: DataValue = {
  type: 'unknown',
  value: { description: 'Hatch' },
  geometry: { version: 10000, archive3dm: 70, opennurbs: 1, data: 'AAAA' },
}

const COMPLETENESS = { isComplete: true, nodes: 1, solved: 1, failed: 0, unsupported: 0, unknown: 0 }
const WHOLE = {
  messages: [],
  materials: new Map(),
  durationsMs: new Map(),
  states: new Map(),
  completeness: COMPLETENESS,
}

const solutionOfPorts = (ports: Record<string, readonly (Value | null)[]>): Solution => ({
  ports: new Map(
    Object.entries(ports).map(([node, values]) => [
      node,
      new Map([['out', { branches: [{ path: [0, 4], values }] }]]),
    ]),
  ),
  ...WHOLE,
  materials: new Map([[point, RED]]),
})

test('[JOB-10] given a solution, then its geometry is listed with its port, its index, its names and its preview material', () => {
  const listed = listModelValues(content, solutionOfPorts({ n: [1, null, point], m: [{ ...point }] }))
  const location = { portInstanceId: 'out', path: '{0;4}', portName: 'Result', value: point }
  assert.deepEqual(listed, [
    { ...location, nodeInstanceId: 'n', index: 2, nodeName: 'Circle', material: RED },
    { ...location, nodeInstanceId: 'm', index: 0, nodeName: 'Rim' },
  ])
})

test('[JOB-10] given literal geometry that the solver cannot decode, then it is listed too, and a literal without geometry is not', () => {
  const { geometry: _, ...described } = hatch
  const values = [hatch, described as DataValue].map((wire): Value => ({ type: 'opaque', wire }))
  const listed = listModelValues(content, solutionOfPorts({ n: values }))
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
  const listed = listModelValues(graph, solve(graph)).map(({ nodeName, material }) => [nodeName, material])
  assert.deepEqual(listed, [
    ['Points', undefined],
    ['Points', undefined],
    ['Posts', RED],
    ['Posts', RED],
  ])
})

const PROPERTIES = { solutionId: 'sol_1' as SolutionId, solvedAt: Date.UTC(2026, 0, 1), durationMs: 12 }

const textOf = (solution: Solution) => Buffer.concat([...writeValuesBody(solution, PROPERTIES)]).toString()

const values = fc.oneof(
  fc.constant(null),
  fc.double(),
  fc.string(),
  fc.boolean(),
  fc.record({ type: fc.constant('point' as const), x: fc.double(), y: fc.double(), z: fc.double() }),
)

const trees: fc.Arbitrary<Tree<Value | null>> = fc.record({
  branches: fc.array(fc.record({ path: fc.array(fc.nat(9), { minLength: 1 }), values: fc.array(values) })),
})

const solutions: fc.Arbitrary<Solution> = fc.record({
  ports: fc
    .array(fc.tuple(fc.string(), fc.array(fc.tuple(fc.string(), trees))))
    .map((nodes) => new Map(nodes.map(([id, ports]) => [id, new Map(ports)]))),
  messages: fc.array(
    fc.record({
      nodeInstanceId: fc.string(),
      level: fc.constantFrom('error' as const, 'warning' as const, 'remark' as const),
      code: fc.constantFrom(...MESSAGE_CODES),
      message: fc.string(),
    }),
  ),
  materials: fc.constant(new Map()),
  durationsMs: fc.constant(new Map()),
  states: fc.constant(new Map()),
  completeness: fc.constant(COMPLETENESS),
})

test('[JOB-10] given any solution, then its body is the JSON of decision 24', () => {
  fc.assert(
    fc.property(solutions, (solution) => {
      const { data, ...rest } = JSON.parse(textOf(solution))
      const expected = JSON.parse(JSON.stringify({ solutionId: 'sol_1', ...toWireData(solution) }))
      assert.deepEqual(data, expected)
      assert.deepEqual(rest, {
        includesGeometry: false,
        solvedAt: '2026-01-01T00:00:00.000Z',
        durationMs: 12,
        completeness: COMPLETENESS,
        solver: { name: 'meadow', version: '0.1.0' },
        messages: JSON.parse(JSON.stringify(solution.messages)),
      })
    }),
  )
})

const solutionOfList = (list: (Value | null)[]): Solution => ({
  ports: new Map([['node', new Map([['port', { branches: [{ path: [0], values: list }] }]])]]),
  ...WHOLE,
})

test('[JOB-10] given a long list, then its body comes in chunks of bounded length, and nothing is lost', () => {
  const list = Array.from({ length: 25_001 }, (_, i) => (i % 1000 === 999 ? null : i))
  const chunks = [...writeValuesBody(solutionOfList(list), PROPERTIES)]
  assert.ok(chunks.length > 5 && chunks.every(({ length }) => length < 200_000))
  const { data } = JSON.parse(Buffer.concat(chunks).toString())
  const read = data.node.port.branches[0].values.map((value: DataValue | null) => value?.value ?? null)
  assert.deepEqual(read, list)
})

test('[JOB-10] given literal geometry that the solver cannot decode, then the body describes it without its bytes', () => {
  const wire: DataValue = {
    type: 'curve',
    value: { description: 'Curve', boundingBox: null },
    geometry: { version: 10000, archive3dm: 70, opennurbs: 1, data: 'AAAA' },
  }
  const { data } = JSON.parse(textOf(solutionOfList([{ type: 'opaque', wire }])))
  assert.deepEqual(data.node.port.branches[0].values, [
    { type: 'curve', value: { description: 'Curve', boundingBox: null } },
  ])
})
