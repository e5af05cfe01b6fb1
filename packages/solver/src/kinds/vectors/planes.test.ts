import assert from 'node:assert/strict'
import { test } from 'node:test'
import { line } from '@meadow/geometry/values/curves'
import { plane, WORLD_XY, xyPlane } from '@meadow/geometry/values/planes'
import { type Plane, point, vector, type Xyz } from '@meadow/geometry/values/points'
import { X_AXIS as X, Y_AXIS as Y, Z_AXIS as Z } from '@meadow/geometry/values/vector'
import { type InputData, run } from '../../testing/run.ts'

const minus = ({ x, y, z }: Xyz): Xyz => ({ x: 0 - x, y: 0 - y, z: 0 - z })
const O = point(1, 2, 3)
const CONSTRUCT = 'bc3e379e-7206-4e7b-b63a-ff61f4b38a3e'
const NORMAL = 'cfb6b17f-ca82-4f5d-b604-d4f69f569de3'
const THREE = 'c98a6015-7a2f-423c-bc66-bdc505249b45'
const FLIP = 'c73e1ed0-82a2-40b0-b4df-8f10e445d60b'
const ALIGN = 'e76040ec-3b91-41e1-8e00-c74c23b89391'
const ALIGN_ALL = '2318aee8-01fe-4ea8-9524-6966023fc622'
const LINE_POINT = 'ccc3f2ff-c9f6-45f8-aa30-8a924a9bda36'
const ROTATE = 'f6f14b09-6497-4564-8403-09e4eb5a6b82'

/** Name, class, inputs, plane: worked out by hand. */
const CASES: readonly [name: string, guid: string, inputs: InputData[], plane: Plane | null][] = [
  ['XY Plane', '17b7152b-d30d-4d50-b9ef-c9fe25576fc2', [O], plane(O, X, Y, Z)],
  ['XZ Plane', '8cc3a196-f6a0-49ea-9ed9-0cb343a3ae64', [O], plane(O, X, Z, minus(Y))],
  ['YZ Plane', 'fad344bc-09b1-4855-a2e6-437ef5715fe3', [O], plane(O, Y, Z, X)],
  ['Construct Plane', CONSTRUCT, [O, vector(0, 2, 0), vector(-3, 7, 0)], plane(O, Y, minus(X), Z)],
  ['Construct Plane, parallel axes', CONSTRUCT, [O, vector(1, 2, 3), vector(2, 4, 6)], null],
  ['Construct Plane, no axis', CONSTRUCT, [O, vector(0, 0, 0), vector(2, 4, 6)], null],
  ['Plane Origin', '75eec078-a905-47a1-b0d2-0934182b1e3d', [WORLD_XY, O], plane(O, X, Y, Z)],
  ['Plane Normal', NORMAL, [O, vector(0, 0, 5)], plane(O, X, Y, Z)],
  ['Plane Normal, no normal', NORMAL, [O, vector(0, 0, 0)], null],
  ['Plane Offset', '3a0c7bda-3d22-4588-8bab-03f57a52a6ea', [xyPlane(O), -4], plane(point(1, 2, -1), X, Y, Z)],
  ['Plane 3Pt', THREE, [O, point(1, 5, 3), point(0, 0, 3)], plane(O, Y, minus(X), Z)],
  ['Plane 3Pt, in a line', THREE, [O, point(2, 4, 6), point(3, 6, 9)], null],
  ['Line + Pt', LINE_POINT, [line(O, point(1, 5, 3)), point(0, 0, 3)], plane(O, Y, minus(X), Z)],
  ['Line + Pt, on the line', LINE_POINT, [line(O, point(1, 5, 3)), point(1, 9, 3)], null],
  ['Align Plane', ALIGN, [xyPlane(O), vector(0, 3, 4)], plane(O, Y, minus(X), Z)],
  [
    'Flip Plane, x reversed and swapped',
    FLIP,
    [plane(O, Y, minus(X), Z), true, false, true],
    plane(O, minus(X), minus(Y), Z),
  ],
  ['Rotate Plane', ROTATE, [xyPlane(O), Math.PI / 2], plane(O, Y, minus(X), Z)],
  ['Flip Plane, swapped', FLIP, [xyPlane(O), false, false, true], plane(O, Y, X, minus(Z))],
  ['Flip Plane, x reversed', FLIP, [xyPlane(O), true, false, false], plane(O, minus(X), Y, minus(Z))],
  ['Flip Plane, both reversed', FLIP, [xyPlane(O), true, true, false], plane(O, minus(X), minus(Y), Z)],
]

for (const [name, guid, inputs, expected] of CASES) {
  test(`${name}: given these inputs, when it runs, then the plane worked out by hand is the result`, () => {
    const { outputs, messages } = run(guid, inputs)
    assert.deepEqual(clean(outputs[0]?.['{0}']?.[0] as Plane | null), expected && clean(expected))
    assert.equal(messages.length, expected ? 0 : 1)
  })
}

test('Align Plane: given a direction square to the plane, when it runs, then that is a limit', () => {
  const { outputs, messages } = run(ALIGN, [xyPlane(O), vector(0, 0, 4)])
  assert.deepEqual(outputs, [{}, {}])
  assert.deepEqual(messages, ['error: A direction square to the plane is not supported'])
})

test('Deconstruct Plane: given a plane, when it runs, then its origin and axes are the result', () => {
  assert.deepEqual(run('3cd2949b-4ea8-4ffb-a70c-5c380f9f46ea', [xyPlane(O)]).outputs, [
    { '{0}': [O] },
    { '{0}': [vector(1, 0, 0)] },
    { '{0}': [vector(0, 1, 0)] },
    { '{0}': [vector(0, 0, 1)] },
  ])
})

// tests/golden/components/Vector of github.com/ezzahiranass/pyhopper, made with Grasshopper 8.
test('Align Plane: given directions, when it runs, then the angle goes up to half a turn, either way', () => {
  const directions = [vector(0, 1, 1), vector(1, 1, 0), vector(-1, 0, 0), vector(0, -1, 0)]
  const { outputs } = run(ALIGN, [WORLD_XY, directions])
  assert.deepEqual(outputs[1], { '{0}': [Math.PI / 2, Math.PI / 4, Math.PI, -Math.PI / 2] })
})

test('Plane Closest Point: given points on both sides, when it runs, then below is a negative distance', () => {
  const { outputs } = run('b075c065-efda-4c9f-9cc9-288362b1b4b9', [
    [point(1, 4, 5), point(3, 3, 0)],
    plane(O, Y, minus(X), Z),
  ])
  assert.deepEqual(outputs, [
    { '{0}': [point(1, 4, 3), point(3, 3, 3)] },
    { '{0}': [point(2, 0, 0), point(1, -2, 0)] },
    { '{0}': [2, -3] },
  ])
})

test('[I-15] given planes with one normal in any rotation, then Align Planes turns all of them in the direction of the first; tilted ones whose readings disagree are a limit', () => {
  const turned = (angle: number) => {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    return plane(point(angle, 0, 0), { x: cos, y: sin, z: 0 }, { x: -sin, y: cos, z: 0 }, Z)
  }
  const { outputs } = run(ALIGN_ALL, [[0.5, 1, 2, 3].map(turned), turned(0.25)])
  for (const { origin, xAxis } of Object.values(outputs[0]!).flat() as Plane[]) {
    assert.ok(Math.hypot(xAxis.x - Math.cos(0.25), xAxis.y - Math.sin(0.25), xAxis.z) < 1e-12)
    assert.ok([0.5, 1, 2, 3].includes(origin.x))
  }
  const tilted = plane(O, X, Z, minus(Y))
  assert.deepEqual(run(ALIGN_ALL, [[turned(0.5), tilted], undefined]).codes, ['limit'])
})

/** Points without their type and without the sign of zero. */
function clean(value: Plane | null): Plane | null {
  const strip = ({ x, y, z }: Xyz): Xyz => ({ x: x + 0, y: y + 0, z: z + 0 })
  return value && plane(strip(value.origin), strip(value.xAxis), strip(value.yAxis), strip(value.zAxis))
}
