import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SolveError } from '@meadow/geometry/budget/solve-error'
import { arc, circle, line, polyline } from '@meadow/geometry/values/curves'
import {
  findPlaneFromAxes,
  findPlaneFromNormal,
  findPlaneFromPoints,
  WORLD_XY,
} from '@meadow/geometry/values/planes'
import { type Plane, point, vector, type Xyz } from '@meadow/geometry/values/points'
import { domain, integer, type Value } from '@meadow/geometry/values/value'
import { addScaled, cross, dot, ORIGIN, scale, subtract, X_AXIS } from '@meadow/geometry/values/vector'
import fc from 'fast-check'
import type { PortType } from '../conversions/port-types.ts'
import { createStepClock } from '../testing/clock.ts'
import { ORDINARY } from '../testing/hostile.ts'
import { type InputData, run } from '../testing/run.ts'
import type { AnyKind } from './declaration/define-kind.ts'
import { listKinds } from './index.ts'

/** Values of all types whose directions are nearly or quite parallel, at one size. */
interface Setting {
  readonly size: number
  readonly along: Xyz
  readonly across: Xyz
  /** How far things are from being parallel. */
  readonly gap: number
  readonly offset: Xyz
}

const anyUnit = fc.double({ min: -1, max: 1, noNaN: true })
const anyDirection = fc.record({ x: anyUnit, y: anyUnit, z: anyUnit }, { noNullPrototype: true })
const anySetting: fc.Arbitrary<Setting> = fc.record({
  size: fc.constantFrom(1e-6, 1, 1e9),
  along: fc.oneof(anyDirection, fc.constant({ x: 1, y: 1, z: 1 }), fc.constant({ x: 0, y: 0, z: 1 })),
  across: anyDirection,
  gap: fc.constantFrom(0, 1e-17, 1e-16, 1e-13, 1e-10, 1e-9, 2e-8, 1e-6, 1e-3, 1),
  offset: fc.oneof(fc.constant(ORIGIN), anyDirection, fc.constant({ x: 1.1, y: 3.3, z: 7.7 })),
})
const anySteps = fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), anyUnit), {
  minLength: 12,
  maxLength: 12,
})

function createValue(type: PortType, setting: Setting, steps: readonly number[], at: number): Value {
  const { size, along, across, gap, offset } = setting
  const step = (i: number) => steps[(at * 5 + i) % steps.length] as number
  const direction = (i: number) => scale(addScaled(scale(along, step(i)), across, gap * step(i + 1)), size)
  const place = (i: number) => addScaled(direction(i), offset, size)
  const level = (): Plane =>
    findPlaneFromAxes(place(0), direction(1), across) ?? findPlaneFromNormal(place(0), along) ?? WORLD_XY
  switch (type) {
    case 'point':
      return point(place(0).x, place(0).y, place(0).z)
    case 'vector':
      return vector(direction(0).x, direction(0).y, direction(0).z)
    case 'plane':
      return level()
    case 'line':
      return line(place(0), place(1))
    case 'circle':
      return circle(level(), size)
    case 'arc':
      return arc(level(), size, 0, 1 + Math.abs(step(0)))
    case 'rectangle':
      return { type, plane: level(), x: domain(0, size), y: domain(-size, size) }
    case 'box':
      return { type, plane: level(), x: domain(0, size), y: domain(0, size), z: domain(0, size * step(0)) }
    case 'curve':
    case 'geometry':
      return at % 2 === 0
        ? { type: 'nurbsCurve', degree: 3, points: [0, 1, 2, 3].map(place), knots: [0, 0, 0, 1, 1, 1] }
        : polyline([0, 1, 2, 3].map(place))
    case 'number':
      return step(0) * size
    case 'integer':
      return integer(1 + Math.abs(Math.round(step(0))))
    case 'domain':
      return domain(0, size)
    case 'surface':
      return {
        type: 'nurbsSurface',
        degreeU: 1,
        degreeV: 1,
        points: [
          [place(0), place(1)],
          [place(2), place(3)],
        ],
        knotsU: [0, 1],
        knotsV: [0, 1],
      }
    default:
      return ORDINARY[type]
  }
}

/** The planes anywhere in values: of circles, arcs, rectangles, boxes and curves too. */
function listPlanes(part: unknown): Plane[] {
  if (typeof part !== 'object' || part === null) return []
  if ('type' in part && part.type === 'plane') return [part as Plane]
  return Object.values(part).flatMap(listPlanes)
}

function assertOrthonormal({ origin, xAxis, yAxis, zAxis }: Plane): void {
  const { x, y, z } = subtract(cross(xAxis, yAxis), zAxis)
  const errors = [dot(xAxis, xAxis) - 1, dot(yAxis, yAxis) - 1, dot(xAxis, yAxis), x, y, z]
  const isRight = errors.every((error) => Math.abs(error) <= 1e-9)
  assert.ok(isRight, `not orthonormal: ${JSON.stringify({ origin, xAxis, yAxis, zAxis })}`)
}

type ComputingKind = Extract<AnyKind, { inputs: unknown }>

const MAKING = new Set<PortType>(['plane', 'circle', 'arc', 'rectangle', 'box', 'curve', 'geometry'])
const KINDS = listKinds().filter(
  (kind): kind is ComputingKind & typeof kind =>
    'inputs' in kind && kind.outputs.some(({ type }) => MAKING.has(type)),
)

function runWithinLimits(guid: string, inputs: readonly InputData[]) {
  try {
    const limits = { maxValues: 100_000, maxBytes: 50_000_000, deadlineMs: 300, now: createStepClock() }
    return run(guid, inputs, { limits }).outputs
  } catch (error) {
    if (error instanceof SolveError) return []
    throw error
  }
}

describe('planes of kinds', () => {
  for (const kind of KINDS) {
    test(`[G-3] given nearly parallel, tiny or huge values, when ${kind.description} runs, then no plane is skew`, () => {
      fc.assert(
        fc.property(anySetting, anySteps, (setting, steps) => {
          const inputs = kind.inputs.map(({ type, access }, i): InputData => {
            const one = createValue(type, setting, steps, i)
            return access === 'item'
              ? one
              : [one, createValue(type, setting, steps, i + 2), createValue(type, setting, steps, i + 4)]
          })
          for (const found of listPlanes(runWithinLimits(kind.guids[0] as string, inputs)))
            assertOrthonormal(found)
        }),
        { numRuns: 25 },
      )
    })
  }

  test('[G-3] given axes at any angle and of any size, then a plane from far above rounding on, and never from less', () => {
    fc.assert(
      fc.property(
        anySetting,
        fc.constantFrom(1e-310, 1e-200, 1e-6, 1, 1e9, 1e200),
        ({ along, across, gap }, size) => {
          const [x, y] = [scale(along, size), addScaled(along, across, gap)]
          const found = findPlaneFromAxes(ORIGIN, x, y)
          if (found) assertOrthonormal(found)
          const normal = cross(along, y)
          const sine = Math.hypot(normal.x, normal.y, normal.z) / Math.sqrt(dot(along, along) * dot(y, y))
          if (!(dot(along, along) > 1e-4 && dot(y, y) > 1e-4)) return
          if (sine > 1e-7) assert.ok(found, `none at ${sine}`)
          if (sine < 1e-9) assert.equal(found, undefined)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('[G-3] given coordinates that are not finite, or points on a line far from the origin, then no plane', () => {
    const [far, wrong] = [1e9 + 0.1, { x: Number.NaN, y: 0, z: 0 }]
    const at = (t: number): Xyz => ({ x: far + t * 0.1, y: far + t * 0.3, z: far - t * 0.7 })
    assert.equal(findPlaneFromPoints(at(0), at(1), at(3)), undefined)
    assert.ok(findPlaneFromPoints(at(0), at(1), { ...at(3), z: far + 9 }))
    assert.equal(findPlaneFromAxes(wrong, X_AXIS, { x: 0, y: 1, z: 0 }), undefined)
    assert.equal(findPlaneFromAxes(ORIGIN, wrong, X_AXIS), undefined)
    assert.equal(findPlaneFromAxes(ORIGIN, X_AXIS, wrong), undefined)
    assert.equal(findPlaneFromNormal(wrong, X_AXIS), undefined)
    assert.equal(findPlaneFromNormal(ORIGIN, { x: Infinity, y: 0, z: 0 }), undefined)
  })
})
