import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SolveError } from '@meadow/geometry/budget/solve-error'
import { openKernels } from '@meadow/geometry/kernels/kernels'
import { arc, circle, line, polyline } from '@meadow/geometry/values/curves'
import { quad } from '@meadow/geometry/values/mesh'
import { point, vector } from '@meadow/geometry/values/points'
import { domain, integer, type Value } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import type { AnyKind } from '../kinds/declaration/define-kind.ts'
import { listKinds } from '../kinds/index.ts'
import { createStepClock } from '../testing/clock.ts'
import { listInvalid } from '../testing/find-invalid.ts'
import { HOSTILE, type HostileData, ORDINARY } from '../testing/hostile.ts'
import { type KindData, solveKind } from '../testing/solve-kind.ts'
import type { Solution } from './solve.ts'
import { findCause } from './unknown.ts'

/** All classes, each with the ordinary data of its inputs and the number of its outputs. */
const CLASSES = listKinds().flatMap((kind) =>
  kind.guids.map((guid) => ({ guid, kind, title: `${kind.description} ${guid}`, ...describe(kind) })),
)

function describe(kind: AnyKind): { ordinary: HostileData[]; outputs: number } {
  if ('type' in kind) return { ordinary: [[ORDINARY[kind.type]]], outputs: 1 }
  const { inputs, moreInputs, outputs, moreOutputs } = kind
  const specs = [...inputs, ...(moreInputs ? [moreInputs, moreInputs] : [])]
  return {
    ordinary: specs.map(({ type }) => [ORDINARY[type]]),
    outputs: outputs.length + (moreOutputs ? 2 : 0),
  }
}

/** In thousands of steps: the clock of these tests counts them. */
const DEADLINE_MS = 300
const kernels = await openKernels(['mesh'])
const LIMITS = { maxBytes: 32_000_000, maxValues: 500_000, kernels }

/** Solves within limits; undefined if the solve ended because it reached one. */
function trySolve(guid: string, inputs: readonly KindData[], outputs: number): Solution | undefined {
  try {
    const options = { ...LIMITS, deadlineMs: DEADLINE_MS, now: createStepClock() }
    return solveKind(guid, inputs, options, { outputs })
  } catch (error) {
    if (!(error instanceof SolveError)) throw error
    assert.ok(['deadline_exceeded', 'too_many_values', 'too_much_memory'].includes(error.code), error.code)
    return undefined
  }
}

/** Runs a class and checks its messages and its outputs. */
function check(guid: string, name: string, inputs: readonly HostileData[], outputs: number): void {
  const solution = trySolve(guid, inputs, outputs)
  if (!solution) return
  assert.deepEqual(listInvalid(solution, 'node', new Set(inputs.flat())), [], name)
  const exceptions = solution.messages.filter(({ message }) => message.includes('Solution exception'))
  assert.deepEqual(exceptions, [], name)
}

for (const { guid, title, ordinary, outputs } of CLASSES) {
  test(`[F-8] given hostile values on all inputs, or on one of them, when ${title} runs, then it ends, throws nothing, and gives valid geometry`, () => {
    check(guid, 'ordinary values', ordinary, outputs)
    for (const [name, data] of Object.entries(HOSTILE)) {
      check(
        guid,
        `${name} everywhere`,
        ordinary.map(() => data),
        outputs,
      )
      if (ordinary.length < 2) continue
      for (const [i] of ordinary.entries())
        check(
          guid,
          `${name} on input ${i}`,
          ordinary.map((other, j) => (i === j ? data : other)),
          outputs,
        )
    }
  })
}

for (const { guid, title, ordinary, outputs } of CLASSES.filter((each) => each.ordinary.length > 0)) {
  test(`[U-2] given unknown data on one input, when ${title} is solved, then it does not run and its outputs are unknown`, () => {
    for (const [i] of ordinary.entries()) {
      const inputs = ordinary.map((other, j) => (i === j ? 'unknown' : other))
      const solution = trySolve(guid, inputs, outputs)
      assert.ok(solution)
      for (const data of solution.ports.get('node')?.values() ?? [])
        assert.equal(findCause(data)?.nodeInstanceId, `in${i}`)
      const messages = solution.messages.filter(({ nodeInstanceId }) => nodeInstanceId === 'node')
      assert.deepEqual(
        messages.map(({ code, causeNodeInstanceId }) => [code, causeNodeInstanceId]),
        [['unknown', `in${i}`]],
      )
    }
  })
}

const HUGE = [1e308, -1e308, 1.7976931348623157e308, 1e200, -1e155, 5e-324, -5e-324, 1e-310]
const numbers = fc.constantFrom(...HUGE, NaN, Infinity, -Infinity, 0, 1, -2, 3)
/** So that many geometries are finite, and reach the kinds. */
const coordinates = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...HUGE, 0, 1, 2, 3) },
  fc.constantFrom(NaN, Infinity),
)
const xyz = fc.record({ x: coordinates, y: coordinates, z: coordinates }, { noNullPrototype: true })
const range = fc.tuple(coordinates, coordinates).map(([start, end]) => domain(start, end))
const plane = xyz.map((origin): Extract<Value, { type: 'plane' }> => {
  const [xAxis, yAxis, zAxis] = [
    { x: 1, y: 0, z: 0 },
    { x: 0, y: 1, z: 0 },
    { x: 0, y: 0, z: 1 },
  ]
  return { type: 'plane', origin, xAxis, yAxis, zAxis }
})
const vertices = fc.array(xyz, { minLength: 4, maxLength: 4 })

const values: fc.Arbitrary<Value | null> = fc.oneof(
  { weight: 4, arbitrary: numbers },
  { weight: 2, arbitrary: fc.constantFrom(2 ** 31 - 1, -(2 ** 31), 0, 1, 3).map(integer) },
  fc.constantFrom<Value | null>(null, true, '1e999,0,0', 'NaN', '1e308 to 1e999', '∞', '{x,x,x}'),
  { weight: 3, arbitrary: xyz.map(({ x, y, z }) => point(x, y, z)) },
  xyz.map(({ x, y, z }) => vector(x, y, z)),
  plane,
  range,
  fc.tuple(xyz, xyz).map(([a, b]) => line(a, b)),
  vertices.map((locations) => polyline(locations)),
  vertices.map((locations) => polyline([...locations, ...locations.slice(0, 1)])),
  fc.tuple(plane, coordinates).map(([at, radius]) => circle(at, radius)),
  fc
    .tuple(plane, coordinates, coordinates, coordinates)
    .map(([at, radius, from, to]) => arc(at, radius, Math.min(from, to), Math.max(from, to))),
  fc.tuple(plane, range, range).map(([at, x, y]): Value => ({ type: 'rectangle', plane: at, x, y })),
  fc.tuple(plane, range, range, range).map(([at, x, y, z]): Value => ({ type: 'box', plane: at, x, y, z })),
  vertices.map((points): Value => ({ type: 'nurbsCurve', degree: 3, points, knots: [0, 0, 0, 1, 1, 1] })),
  vertices.map((locations): Value => ({ type: 'mesh', vertices: locations, faces: [quad(0, 1, 2, 3)] })),
  vertices.map(
    ([a, b, c, d]): Value => ({
      type: 'nurbsSurface',
      degreeU: 1,
      degreeV: 1,
      points: [
        [a, b],
        [c, d],
      ] as never,
      knotsU: [0, 1],
      knotsV: [0, 1],
    }),
  ),
)

for (const { guid, title, ordinary, outputs } of CLASSES) {
  test(`[F-8] given huge and non-finite numbers and geometry, when ${title} runs, then it ends, and gives finite geometry`, () => {
    const inputs = fc.array(fc.array(values, { minLength: 1, maxLength: 4 }), {
      minLength: ordinary.length,
      maxLength: ordinary.length,
    })
    fc.assert(
      fc.property(inputs, (given) => {
        try {
          const options = { ...LIMITS, deadlineMs: 200, now: createStepClock() }
          const solution = solveKind(guid, given, options, { outputs })
          assert.deepEqual(listInvalid(solution, 'node', new Set(given.flat())), [])
        } catch (error) {
          if (!(error instanceof SolveError)) throw error
          assert.deepEqual(error.nodeInstanceIds, ['node'])
        }
      }),
      { numRuns: 40 },
    )
  })
}
