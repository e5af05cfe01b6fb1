import assert from 'node:assert/strict'
import { test } from 'node:test'
import { xyPlane } from '@meadow/geometry/values/planes'
import { point, vector } from '@meadow/geometry/values/points'
import type { Value } from '@meadow/geometry/values/value'
import { type InputData, run } from '../../testing/run.ts'

const AMPLITUDE = '6ec39468-dae7-4ffa-a766-f2ab22a2c62e'
const ANGLE = 'b464fccb-50e7-41bd-9789-8438db9bea9f'
const CROSS = '2a5cfb31-028a-4b34-b4e1-9b20ae15312e'
const DOT = '43b9ea8f-f772-40f2-9880-011a9c3cbbb0'
const DIVIDE = '310e1065-d03a-4858-bcd1-809d39c042af'
const MULTIPLY = '63fff845-7c61-4dfb-ba12-44d481b4bf0f'
const ROTATE = 'b6d7ba20-cf74-4191-a756-2216a36e30a7'
const TWO_POINTS = '934ede4a-924a-4973-bb05-0dc4b36fae75'
const UNIT = 'd2da1306-259a-4994-85a4-672d8a4c7805'
const [X, Y, Z] = [vector(1, 0, 0), vector(0, 1, 0), vector(0, 0, 1)]
const NOTHING = vector(0, 0, 0)

/** Name, class, inputs, outputs: worked out by hand. */
const CASES: readonly [name: string, guid: string, inputs: InputData[], outputs: (Value | null)[]][] = [
  ['Unit X', '79f9fbb3-8f1d-4d9a-88a9-f7961b1012cd', [3], [vector(3, 0, 0)]],
  ['Unit Y', 'd3d195ea-2d59-4ffa-90b1-8b7ff3369f69', [-3], [vector(0, -3, 0)]],
  ['Unit Z', '9103c240-a6a9-4223-9b42-dbd19bf38e2b', [0.5], [vector(0, 0, 0.5)]],
  ['Vector XYZ', '56b92eab-d121-43f7-94d3-6cd8f0ddead8', [2, 3, 6], [vector(2, 3, 6), 7]],
  ['Deconstruct Vector', 'a50fcd4a-cf42-4c3f-8616-022761e6cc93', [vector(2, 3, 6)], [2, 3, 6]],
  ['Vector 2Pt', TWO_POINTS, [point(1, 1, 1), point(1, 4, 5), false], [vector(0, 3, 4), 5]],
  ['Vector 2Pt, unitised', TWO_POINTS, [point(1, 1, 1), point(1, 1, 5), true], [Z, 1]],
  ['Vector 2Pt, no way', TWO_POINTS, [point(1, 1, 1), point(1, 1, 1), true], [NOTHING, 0]],
  ['Vector 2Pt, no length', TWO_POINTS, [point(1, 1, 1), point(1, 1, 1), false], [NOTHING, 0]],
  ['Cross Product', CROSS, [vector(2, 0, 0), vector(1, 3, 0), false], [vector(0, 0, 6), 6]],
  ['Cross Product, unitised', CROSS, [vector(2, 0, 0), vector(1, 3, 0), true], [Z, 1]],
  ['Cross Product, parallel', CROSS, [X, X, true], [NOTHING, 0]],
  ['Dot Product', DOT, [vector(1, 2, 3), vector(4, -5, 6), false], [12]],
  ['Dot Product, unitised', DOT, [vector(0, 5, 0), vector(0, -2, 0), true], [-1]],
  ['Dot Product, no direction', DOT, [X, NOTHING, true], [0]],
  ['Multiply', MULTIPLY, [vector(0, 3, 4), -2], [vector(0, -6, -8), 10]],
  ['Divide', DIVIDE, [vector(0, 6, 8), 2], [vector(0, 3, 4), 5]],
  ['Divide, by zero', DIVIDE, [X, 0], [null, null]],
  ['Amplitude', AMPLITUDE, [vector(0, 4, 0), 10], [vector(0, 10, 0)]],
  ['Amplitude, backwards', AMPLITUDE, [vector(3, 0, 4), -5], [vector(-3, 0, -4)]],
  ['Amplitude, no direction', AMPLITUDE, [NOTHING, 10], [NOTHING]],
  ['Unit Vector', UNIT, [vector(0, 0, 9)], [Z]],
  ['Unit Vector, no direction', UNIT, [NOTHING], [NOTHING]],
  ['Vector Length', '675e31bf-1775-48d7-bb8d-76b77786dd53', [vector(2, 3, 6)], [7]],
  ['Reverse', 'd5788074-d75d-4021-b1a3-0bf992928584', [vector(2, -3, 0)], [vector(-2, 3, 0)]],
  ['Rotate', ROTATE, [X, vector(0, 0, 7), Math.PI / 2], [Y]],
  ['Rotate, backwards', ROTATE, [X, Y, Math.PI / 2], [vector(0, 0, -1)]],
  ['Rotate, no axis', ROTATE, [X, NOTHING, 1], [null]],
  ['Angle', ANGLE, [X, vector(0, 5, 0), undefined], [Math.PI / 2, 1.5 * Math.PI]],
  ['Angle, opposite', ANGLE, [X, vector(-2, 0, 0), undefined], [Math.PI, Math.PI]],
  ['Angle, same', ANGLE, [vector(1, 1, 1), vector(3, 3, 3), undefined], [0, 2 * Math.PI]],
  ['Angle in a plane, clockwise', ANGLE, [Y, X, xyPlane(point(4, 4, 4))], [1.5 * Math.PI, Math.PI / 2]],
  [
    'Angle in a plane, seen from above',
    ANGLE,
    [vector(1, 0, 9), vector(0, 1, -9), xyPlane(Z)],
    [Math.PI / 2, 1.5 * Math.PI],
  ],
  ['Angle in a plane, along its normal', ANGLE, [X, Z, xyPlane(Z)], [null, null]],
]

/** Kinds that continue without a direction, with a warning. */
const WARNED = new Set([
  'Vector 2Pt, no way',
  'Cross Product, parallel',
  'Dot Product, no direction',
  'Amplitude, no direction',
])

for (const [name, guid, inputs, expected] of CASES) {
  test(`${name}: given these inputs, when it runs, then the values worked out by hand are the result`, () => {
    const { outputs, messages } = run(guid, inputs)
    assert.deepEqual(
      outputs.map((tree) => round(tree['{0}']?.[0] ?? null)),
      expected,
    )
    const isWrong = expected.includes(null) || WARNED.has(name)
    assert.equal(messages.length, isWrong ? 1 : 0, messages.join())
  })
}

/** Without the last two of sixteen digits. */
function round(value: Value | null): Value | null {
  const snap = (number: number) => Number(number.toPrecision(14)) + 0
  if (typeof value === 'number')
    return snap(value) === snap(Math.PI) ? Math.PI : (findTurn(value) ?? snap(value))
  if (typeof value !== 'object' || value?.type !== 'vector') return value
  return vector(snap(value.x), snap(value.y), snap(value.z))
}

function findTurn(value: number): number | undefined {
  return [0.5, 1, 1.5, 2].map((turns) => turns * Math.PI).find((angle) => Math.abs(angle - value) < 1e-12)
}

const ADDITION = 'fb012ef9-4734-4049-84a0-b92b85bb09da'
const MASS_ADDITION = '63f79e72-36c0-4489-a0c2-9ded0b9ca41f'

test('Addition, Mass Addition: given vectors, when added, then the sum and its length are the result', () => {
  assert.deepEqual(run(ADDITION, [vector(1, 2, 3), vector(2, 2, -3), false]).outputs, [
    { '{0}': [vector(3, 4, 0)] },
    { '{0}': [5] },
  ])
  const unit = run(ADDITION, [vector(1, 2, 3), vector(2, 2, -3), true]).outputs
  assert.deepEqual(unit, [{ '{0}': [vector(0.6000000000000001, 0.8, 0)] }, { '{0}': [1] }])
  const axes = [vector(3, 0, 0), null, vector(0, 4, 0)]
  assert.deepEqual(run(MASS_ADDITION, [axes, false]).outputs, [{ '{0}': [vector(3, 4, 0)] }, { '{0}': [5] }])
  assert.deepEqual(run(MASS_ADDITION, [axes, true]).outputs[0], { '{0}': [vector(1, 1, 0)] })
  assert.deepEqual(run(MASS_ADDITION, [[vector(1, 0, 0), vector(-1, 0, 0)], false]).outputs[1], {
    '{0}': [0],
  })
  assert.deepEqual(run(ADDITION, [vector(1, 2, 3), null, false]).outputs[0], { '{0}': [null] })
})
