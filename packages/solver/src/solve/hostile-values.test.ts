import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SolveError } from '../budget/solve-error.ts'
import { openKernels } from '../kernels/kernels.ts'
import { listKinds } from '../kinds/index.ts'
import { createStepClock } from '../testing/clock.ts'
import { solveKind } from '../testing/solve-kind.ts'
import { arc, circle, line, polyline } from '../values/curves.ts'
import { isGeometry } from '../values/is-geometry.ts'
import { quad } from '../values/mesh.ts'
import { point, vector } from '../values/points.ts'
import { domain, integer, type Value } from '../values/value.ts'
import type { Solution } from './solve.ts'

const kernels = await openKernels(['mesh'])

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

/** The types of values that contain a number that is not finite. */
function listInvalid({ ports }: Solution): string[] {
  const trees = [...ports.values()].flatMap((node) => [...node.values()])
  const all = trees.flatMap(({ branches }) => branches.flatMap((branch) => branch.values))
  return all.flatMap((value) => {
    if (value === null || typeof value !== 'object') return []
    const hasCoordinates = isGeometry(value) || value.type === 'vector' || value.type === 'transform'
    return hasCoordinates && !holdsFinite(value) ? [value.type] : []
  })
}

function holdsFinite(part: unknown): boolean {
  if (typeof part === 'number') return Number.isFinite(part)
  return typeof part !== 'object' || part === null || Object.values(part).every(holdsFinite)
}

for (const kind of listKinds()) {
  const [guid = ''] = kind.guids
  const isParameter = 'type' in kind
  const count = isParameter ? 1 : kind.inputs.length + (kind.moreInputs ? 2 : 0)
  const outputs = isParameter ? 1 : kind.outputs.length + (kind.moreOutputs ? 2 : 0)
  test(`[F-8] given huge and non-finite numbers and geometry, when ${kind.description} ${guid} runs, then it ends, and gives finite geometry`, () => {
    const inputs = fc.array(fc.array(values, { minLength: 1, maxLength: 4 }), {
      minLength: count,
      maxLength: count,
    })
    fc.assert(
      fc.property(inputs, (given) => {
        try {
          const options = {
            maxBytes: 32_000_000,
            maxValues: 500_000,
            deadlineMs: 200,
            now: createStepClock(),
            kernels,
          }
          assert.deepEqual(listInvalid(solveKind(guid, given, options, { outputs })), [])
        } catch (error) {
          if (!(error instanceof SolveError)) throw error
          assert.deepEqual(error.nodeInstanceIds, ['node'])
        }
      }),
      { numRuns: 40 },
    )
  })
}
