import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SolveError } from '@meadow/geometry/budget/solve-error'
import { openKernels } from '@meadow/geometry/kernels/kernels'
import { arc, circle, line, polyline } from '@meadow/geometry/values/curves'
import { quad } from '@meadow/geometry/values/mesh'
import { findPlaneFromNormal } from '@meadow/geometry/values/planes'
import { point, vector } from '@meadow/geometry/values/points'
import { colour, domain, integer, pathValue, type Value } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import { createStepClock } from '../testing/clock.ts'
import { type InputData, run } from '../testing/run.ts'
import { listKinds } from './index.ts'

const kernels = await openKernels(['mesh'])

const small = fc.oneof(
  fc.integer({ min: -3, max: 9 }),
  fc.double({ min: -9, max: 9, noNaN: true }),
  fc.constant(0),
)
const xyz = fc.record({ x: small, y: small, z: small }, { noNullPrototype: true })
const range = fc.tuple(small, small).map(([start, end]) => domain(start, end))
const plane = fc
  .tuple(xyz, xyz)
  .map(([origin, normal]) => findPlaneFromNormal(origin, normal) ?? findPlane(origin))
const findPlane = (origin: { x: number; y: number; z: number }) => {
  const made = findPlaneFromNormal(origin, { x: 0, y: 0, z: 1 })
  assert.ok(made)
  return made
}

/** Values of every type, good ones and degenerate ones. */
const anyValue: fc.Arbitrary<Value | null> = fc.oneof(
  { weight: 2, arbitrary: small },
  { weight: 2, arbitrary: fc.integer({ min: -3, max: 9 }).map(integer) },
  fc.constantFrom(Number.NaN, Infinity, -Infinity),
  fc.constantFrom<Value | null>(null, true, false, '', '5', 'x', '{0}', '1,2,3', '{0;*}'),
  xyz.map(({ x, y, z }) => point(x, y, z)),
  xyz.map(({ x, y, z }) => vector(x, y, z)),
  plane,
  range,
  fc.tuple(range, range).map(([u, v]): Value => ({ type: 'domain2', u, v })),
  fc.tuple(xyz, xyz).map(([a, b]) => line(a, b)),
  fc.array(xyz, { minLength: 2, maxLength: 6 }).map((vertices) => polyline(vertices)),
  fc
    .array(xyz, { minLength: 3, maxLength: 5 })
    .map((vertices) => polyline([...vertices, ...vertices.slice(0, 1)])),
  fc.tuple(plane, small).map(([at, radius]) => circle(at, Math.abs(radius) + 0.1)),
  fc
    .tuple(plane, small, small)
    .map(([at, start, angle]) => arc(at, 2, start, start + Math.min(6, Math.abs(angle) + 0.1))),
  fc.tuple(plane, range, range).map(([at, x, y]): Value => ({ type: 'rectangle', plane: at, x, y })),
  fc.tuple(plane, range, range, range).map(([at, x, y, z]): Value => ({ type: 'box', plane: at, x, y, z })),
  fc.array(xyz, { minLength: 8, maxLength: 8 }).map((corners): Value => ({ type: 'twistedBox', corners })),
  fc
    .array(small, { minLength: 4, maxLength: 4 })
    .map((values): Value => ({ type: 'matrix', rows: 2, columns: 2, values })),
  fc
    .array(xyz, { minLength: 4, maxLength: 4 })
    .map((points): Value => ({ type: 'nurbsCurve', degree: 3, points, knots: [0, 0, 0, 1, 1, 1] })),
  fc
    .array(xyz, { minLength: 4, maxLength: 4 })
    .map((vertices): Value => ({ type: 'mesh', vertices, faces: [quad(0, 1, 2, 3)] })),
  fc.array(xyz, { minLength: 4, maxLength: 4 }).map(
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
  fc.tuple(small, small).map(([real, imaginary]): Value => ({ type: 'complex', real, imaginary })),
  fc.constantFrom<Value>({ type: 'time', day: 1, ms: 5 }, { type: 'time', day: null, ms: 0 }),
  fc.constant(colour(1, 2, 3)),
  fc.constant(pathValue([0, 1])),
)

const anyInput: fc.Arbitrary<InputData> = fc.oneof(
  { weight: 3, arbitrary: anyValue },
  fc.array(anyValue, { maxLength: 4 }),
  fc.dictionary(fc.constantFrom<`{${string}}`>('{0}', '{0;1}', '{2}'), fc.array(anyValue, { maxLength: 3 }), {
    noNullPrototype: true,
  }),
  fc.constant(undefined),
)

/** Planes at tiny distances through something large, and the like, take more than any limit. */
const LIMITS = { maxValues: 200_000, maxBytes: 50_000_000 }

function runWithinLimits(guid: string, inputs: readonly InputData[]): string[] {
  const limits = { ...LIMITS, deadlineMs: 500, now: createStepClock() }
  try {
    return run(guid, inputs, { kernels, limits }).messages
  } catch (error) {
    if (error instanceof SolveError) return []
    throw error
  }
}

for (const { kind, guid } of listKinds().flatMap((each) =>
  each.guids.map((guid) => ({ kind: each, guid })),
)) {
  const count = 'type' in kind ? 1 : kind.inputs.length + (kind.moreInputs ? 2 : 0)
  test(`given any values, when ${kind.description} ${guid} runs, then nothing is thrown`, () => {
    fc.assert(
      fc.property(fc.array(anyInput, { minLength: count, maxLength: count }), (inputs) => {
        assert.deepEqual(
          runWithinLimits(guid, inputs).filter((message) => message.includes('exception')),
          [],
        )
      }),
      { numRuns: 40 },
    )
  })
}
