import assert from 'node:assert/strict'
import { test } from 'node:test'
import { line, type NurbsCurve, polyline } from '@meadow/geometry/values/curves'
import { point } from '@meadow/geometry/values/points'
import fc from 'fast-check'
import { solve } from '../../solve/solve.ts'
import { sketchGraph } from '../../testing/graph.ts'
import { run } from '../../testing/run.ts'

const GRAPH_MAPPER = 'bc984576-7aa6-491f-a91d-e444c33675a7'
const RECORDER = '401aa475-997a-4139-991d-f980ffdcf908'
const IMAGE_SAMPLER = 'd69a3494-785b-4beb-969b-d2373f65abfd'
const POINT_ON_CURVE = '7f6a9d34-0470-4bb7-aadd-07496bcbe572'
const UNIT = { start: 0, end: 1 }

const mapper = (points: unknown, { graph = 'Bezier', x = UNIT, y = UNIT } = {}) => ({
  kind: 'graphMapper',
  graph,
  points,
  x,
  y,
})
const mapped = (state: Record<string, unknown>, value: number | null) => {
  const { outputs, messages } = run(GRAPH_MAPPER, [value], { state })
  return { value: outputs[0]?.['{0}']?.[0], messages }
}
/** Handles at thirds make the first coordinate the parameter itself. */
const atThirds = (ys: readonly number[]) => ys.map((y, i) => [i / 3, y])

test('[I-2] given handles at a third and two thirds, when numbers are mapped, then they are the polynomial of the heights', () => {
  const smoothstep = mapper(atThirds([0, 0, 1, 1]))
  for (const t of [0, 0.25, 0.5, 0.7, 1]) {
    const { value } = mapped(smoothstep, t)
    assert.ok(Math.abs((value as number) - (3 * t ** 2 - 2 * t ** 3)) < 1e-14, `${value} at ${t}`)
  }
  const scaled = mapper(atThirds([0, 1 / 3, 2 / 3, 1]), {
    x: { start: 10, end: 20 },
    y: { start: 5, end: -5 },
  })
  assert.ok(Math.abs((mapped(scaled, 12).value as number) - 3) < 1e-13)
})

test('[I-2] given any graph, when the x of a point of the curve is mapped, then its y is the result', () => {
  const unit = fc.double({ min: 0, max: 1, noNaN: true })
  const bernstein = ([a = 0, b = 0, c = 0, d = 0]: number[], t: number) =>
    a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t ** 2 * (1 - t) + d * t ** 3
  fc.assert(
    fc.property(unit, unit, fc.tuple(unit, unit, unit, unit), unit, (b, c, ys, t) => {
      const xs = [0, b, c, 1]
      const state = mapper(xs.map((x, i) => [x, ys[i]]))
      const { value } = mapped(state, bernstein(xs, t))
      // Where the curve is steep, the last digit of x moves y further.
      const [low, high] = [-1e-6, 1e-6].map((shift) => bernstein(ys, Math.min(Math.max(t + shift, 0), 1)))
      const slope = Math.abs(bernstein(xs, Math.min(t + 1e-6, 1)) - bernstein(xs, Math.max(t - 1e-6, 0)))
      const slack = slope > 1e-12 ? Math.abs((high as number) - (low as number)) + 1e-9 : 1
      return Math.abs((value as number) - bernstein(ys, t)) <= slack
    }),
  )
})

test('[I-2] given numbers outside of the domain, even infinite ones, when mapped, then they have the height of its end', () => {
  const state = mapper(atThirds([0.2, 0, 1, 0.9]))
  for (const low of [-Infinity, -1e308, -0.1]) assert.equal(mapped(state, low).value, 0.2)
  for (const high of [1.1, 1e308, Infinity]) assert.equal(mapped(state, high).value, 0.9)
  assert.equal(mapped(state, null).value, null)
})

test('[I-2] given another graph, no graph, or one that is no function, when it runs, then that is a limit', () => {
  const cases: [Record<string, unknown>, RegExp][] = [
    [mapper([], { graph: 'Gaussian' }), /The graph Gaussian of a Graph Mapper is not supported/],
    [{ kind: 'graphMapper' }, /has no graph/],
    [mapper(atThirds([0, 1, 2])), /not complete/],
    [
      mapper(
        [
          [0.5, 0],
          [0.5, 1],
        ],
        { graph: 'Sine' },
      ),
      /several values/,
    ],
    [mapper(atThirds([0, Number.NaN, 2, 1])), /not complete/],
    [mapper([0, 2, -1, 1].map((x) => [x, x])), /several values/],
    [mapper(atThirds([0, 0, 1, 1]), { x: { start: 1, end: 1 } }), /no length/],
  ]
  for (const [state, message] of cases) assert.match(mapped(state, 0.5).messages.join(), message)
  assert.match(mapped(mapper(atThirds([0, 0, 1, 1])), Number.NaN).messages.join(), /^error: .*NaN/)
})

test('[I-3] given a recorder, when it runs, then it shows this solution; a paused one is a limit', () => {
  const record = (options: Record<string, unknown>, data = [1, 2]) =>
    run(RECORDER, [data], { state: { kind: 'options', options } })
  const { outputs, messages } = record({ dataLimit: -10, recordData: true })
  assert.deepEqual(outputs, [{ '{0}': [1, 2] }])
  assert.match(messages.join(), /^remark: The recorder shows this solution alone/)
  assert.deepEqual(run(RECORDER, [{}]).messages, [])
  assert.match(record({ recordData: false }).messages.join(), /^error: The recorder is paused/)
  assert.match(record({ dataLimit: 1 }).messages.join(), /^error: The recorder keeps 1 values/)
})

test('[I-4] given an image sampler, when nothing reaches it, then it has no data; data is a limit', () => {
  assert.deepEqual(run(IMAGE_SAMPLER, [undefined]), { outputs: [{}], messages: [], codes: [] })
  assert.match(run(IMAGE_SAMPLER, [point(0, 0, 0)]).messages.join(), /^error: The picture/)
})

test('[I-5] given evenly spread parameters, when a point is placed, then it lies at the share of the curve', () => {
  const place = (
    parameter: number | undefined,
    curve = line({ x: 0, y: 0, z: 0 }, { x: 10, y: 0, z: 0 }),
  ) => {
    const state = { kind: 'options', options: parameter === undefined ? {} : { parameter } }
    return run(POINT_ON_CURVE, [curve], { state }).outputs[0]?.['{0}']?.[0]
  }
  assert.deepEqual(place(0), point(0, 0, 0))
  assert.deepEqual(place(0.25), point(2.5, 0, 0))
  assert.deepEqual(place(1), point(10, 0, 0))
  assert.deepEqual(place(undefined), point(5, 0, 0))
})

test('[I-5] given uneven parameters, when a point is placed, then only ends are known', () => {
  const uneven: NurbsCurve = {
    type: 'nurbsCurve',
    degree: 2,
    points: [0, 1, 10].map((x) => ({ x, y: 0, z: 0 })),
    knots: [0, 0, 1, 1],
  }
  const place = (parameter: number) =>
    run(POINT_ON_CURVE, [uneven], { state: { kind: 'options', options: { parameter } } })
  assert.match(place(0.5).messages.join(), /^error: Point On Curve is supported only where/)
  assert.deepEqual(place(1).outputs, [{ '{0}': [point(10, 0, 0)] }])
  assert.deepEqual(place(1).messages, [])
  const bent = polyline([0, 1, 10].map((x) => ({ x, y: 0, z: 0 })))
  assert.match(run(POINT_ON_CURVE, [bent]).messages.join(), /^error: /)
  assert.deepEqual(run(POINT_ON_CURVE, [null]).outputs, [{ '{0}': [null] }])
})

test('[I-3, I-5] given the options that files keep, when the nodes are solved, then none of them is a limit', () => {
  const typed = [{ type: 'line' as const, value: { from: [0, 0, 0] as const, to: [4, 0, 0] as const } }]
  const parameter = (guid: string, options: Record<string, unknown>) => ({
    guid,
    isParameter: true,
    inputs: [{ typed: JSON.parse(JSON.stringify(typed)) }],
    state: { kind: 'options', options },
  })
  const { messages, ports } = solve(
    sketchGraph({
      rec: parameter(RECORDER, { recordData: true, dataLimit: -10 }),
      at: parameter(POINT_ON_CURVE, { parameter: 0.75 }),
    }),
  )
  assert.deepEqual(
    messages.map(({ nodeInstanceId, code }) => [nodeInstanceId, code]),
    [['rec', 'approximate']],
  )
  assert.deepEqual(ports.get('at')?.get('at')?.branches[0]?.values, [point(3, 0, 0)])
})
