import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataValue, SolutionId } from '@meadow/contract'
import { type Solution, type Tree, toWireData, type Value } from '@meadow/solver'
import fc from 'fast-check'
import { writeValuesBody } from './values-body.ts'

const FACTS = { solutionId: 'sol_1' as SolutionId, solvedAt: Date.UTC(2026, 0, 1), durationMs: 12 }

const textOf = (solution: Solution) => Buffer.concat([...writeValuesBody(solution, FACTS)]).toString()

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
      message: fc.string(),
    }),
  ),
  colours: fc.constant(new Map()),
  durationsMs: fc.constant(new Map()),
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
        messages: JSON.parse(JSON.stringify(solution.messages)),
      })
    }),
  )
})

const solutionOf = (list: (Value | null)[]): Solution => ({
  ports: new Map([['node', new Map([['port', { branches: [{ path: [0], values: list }] }]])]]),
  messages: [],
  colours: new Map(),
  durationsMs: new Map(),
})

test('[JOB-10] given a long list, then its body comes in chunks of bounded length, and nothing is lost', () => {
  const list = Array.from({ length: 25_001 }, (_, i) => (i % 1000 === 999 ? null : i))
  const chunks = [...writeValuesBody(solutionOf(list), FACTS)]
  assert.ok(chunks.length > 5 && chunks.every(({ length }) => length < 200_000))
  const { data } = JSON.parse(Buffer.concat(chunks).toString())
  const read = data.node.port.branches[0].values.map((value: DataValue | null) => value?.value ?? null)
  assert.deepEqual(read, list)
})

test('[JOB-10] given typed-in geometry that the solver cannot look into, then the body tells of it without its bytes', () => {
  const wire: DataValue = {
    type: 'curve',
    value: { description: 'Curve', boundingBox: null },
    geometry: { version: 10000, archive3dm: 70, opennurbs: 1, data: 'AAAA' },
  }
  const { data } = JSON.parse(textOf(solutionOf([{ type: 'opaque', wire }])))
  assert.deepEqual(data.node.port.branches[0].values, [
    { type: 'curve', value: { description: 'Curve', boundingBox: null } },
  ])
})
