import assert from 'node:assert/strict'
import { test } from 'node:test'
import { point, vector } from '@meadow/geometry/values/points'
import { domain, integer, type Value } from '@meadow/geometry/values/value'
import { type InputData, listOnly, run } from '../../testing/run.ts'

/** The first item of each output. */
const first = (guid: string, inputs: readonly InputData[], settings = {}) =>
  listOnly(run(guid, inputs, settings).outputs).map((values) => values?.[0])

const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const MULTIPLICATION = 'ce46b74e-00c9-43c4-805a-193b69ea4a11'
const SUBTRACTION = '9c007a04-d0d9-48e4-9da3-9ba142bc4d46'
const DIVISION = '9c85271f-89fa-4e9f-9f4a-d75802120ccc'
const MODULUS = '431bc610-8ae1-4090-b217-1a9d9c519fe2'
const POWER = '78fed580-851b-46fe-af2f-6519a9d378e0'

test('Operators: given numbers whole or not, points, vectors and panel texts, then results have the kind of both', () => {
  const cases: [string, Value, Value, Value | null][] = [
    [ADDITION, integer(2), integer(3), integer(5)],
    [ADDITION, integer(2), 0.5, 2.5],
    [ADDITION, '2', '3', integer(5)],
    [ADDITION, 'a', 'b', 'ab'],
    [ADDITION, point(1, 2, 3), vector(1, 0, 0), point(2, 2, 3)],
    [ADDITION, true, integer(1), 2],
    [SUBTRACTION, 5, integer(2), 3],
    [SUBTRACTION, point(1, 1, 1), '{1,0,0}', point(0, 1, 1)],
    [MULTIPLICATION, vector(1, 2, 3), 2, vector(2, 4, 6)],
    [MULTIPLICATION, '1.5', integer(2), 3],
    [DIVISION, integer(7), integer(2), 3.5],
    [DIVISION, vector(2, 4, 6), 2, vector(1, 2, 3)],
    [MODULUS, -7, 3, -1],
    [MODULUS, 7.5, 2, 1.5],
    [POWER, 2, 10, 1024],
    [POWER, integer(2), integer(-1), 0.5],
  ]
  for (const [guid, a, b, expected] of cases) {
    assert.deepEqual(first(guid, [a, b]), [expected], `${guid} ${JSON.stringify([a, b])}`)
  }
})

test('Operators: given values that do not fit, then there is null and an error', () => {
  for (const [guid, a, b] of [
    [DIVISION, 1, 0],
    [ADDITION, vector(1, 0, 0), 1],
    [MULTIPLICATION, 'a', 'b'],
  ] as const) {
    const { outputs, messages } = run(guid, [a, b])
    assert.deepEqual(outputs, [{ '{0}': [null] }])
    assert.match(messages.join(), /^error: /)
  }
})

test('Addition: given more inputs, some without data, then the others are added; a null makes null', () => {
  assert.deepEqual(first(ADDITION, [1, undefined, 2, 4]), [7])
  assert.deepEqual(run(ADDITION, [[1, null], 2, 4]).outputs, [{ '{0}': [7, null] }])
})

test('Mass Addition, Mass Multiplication, Average: given a list with a null, then it is passed over', () => {
  const values = [integer(1), null, integer(2), integer(3)]
  assert.deepEqual(run('5b850221-b527-4bd6-8c62-e94168cd6efa', [values]).outputs, [
    { '{0}': [integer(6)] },
    { '{0}': [integer(1), integer(3), integer(6)] },
  ])
  assert.deepEqual(first('921775f7-bf22-4cfc-a4db-c415a56069c4', [values])[0], integer(6))
  assert.deepEqual(first('7986486c-621a-48fb-8f27-a28a22c91cc9', [values]), [2])
  assert.deepEqual(first('7986486c-621a-48fb-8f27-a28a22c91cc9', [[point(0, 0, 0), point(2, 4, 6)]]), [
    point(1, 2, 3),
  ])
})

// hopific.com/text-to-number-in-grasshopper: numbers from a panel turn the component red.
test('Average: given numbers as text, then they are rejected', () => {
  const { messages } = run('7986486c-621a-48fb-8f27-a28a22c91cc9', [['1', '2']])
  assert.deepEqual(messages, ['error: Texts have no mean'])
})

test('[X-6] Modulus: given negative values, then the remainder has the sign of the first', () => {
  assert.deepEqual(first(MODULUS, [integer(-7), integer(3)]), [integer(-1)])
  assert.deepEqual(first(MODULUS, [-7.5, 2]), [-1.5])
  assert.deepEqual(first(MODULUS, [7, -3]), [1])
})

test('Negative, Absolute: given integers, then they stay whole', () => {
  assert.deepEqual(first('a3371040-e552-4bc8-b0ff-10a840258e88', [integer(3)]), [integer(-3)])
  assert.deepEqual(first('28124995-cf99-4298-b6f4-c75a8e379f18', [-2.5]), [2.5])
})

test('Comparisons: given equal and different numbers, then both outputs show it', () => {
  assert.deepEqual(first('30d58600-1aab-42db-80a3-f1ea6c4269a0', [2, 2]), [false, true])
  assert.deepEqual(first('ae840986-cade-4e5a-96b0-570f007d4fc0', [1, 2]), [true, true])
  assert.deepEqual(first('5db0fb89-4f22-4f09-a777-fa5e55aed7ec', [1, integer(1)]), [true, false])
  assert.deepEqual(first('0d1e2027-f153-460d-84c0-f9af431b08cb', [1, 2.5]), [2.5])
  assert.deepEqual(first('57308b30-772d-4919-ac67-e86c18f3a996', [integer(1), integer(2)]), [integer(1)])
})

test('Gates: given each pair, then they are those of logic', () => {
  const pairs = [
    [true, true, false, false],
    [true, false, true, false],
  ] as const
  const table = (guid: string) => run(guid, pairs).outputs[0]?.['{0}']
  assert.deepEqual(table('040f195d-0b4e-4fe0-901f-fedb2fd3db15'), [true, false, false, false])
  assert.deepEqual(table('5cad70f9-5a53-4c5c-a782-54a479b4abe3'), [true, true, true, false])
  assert.deepEqual(table('b6aedcac-bf43-42d4-899e-d763612f834d'), [true, false, false, true])
  assert.deepEqual(first('cb2c7d3c-41b4-4c6d-a6bd-9235bd2851bb', [true]), [false])
})

test('Functions of one number: given known arguments, then the known values', () => {
  const cases: [string, number, number][] = [
    ['7663efbb-d9b8-4c6a-a0da-c3750a7bbe77', Math.PI / 2, 1],
    ['d2d2a900-780c-4d58-9a35-1f9d8d35df6f', 0, 1],
    ['49584390-d541-41f7-b5f6-1f9515ac0f73', 0, Math.PI / 2],
    ['a4cd2751-414d-42ec-8916-476ebf62d7fe', 180, Math.PI],
    ['0d77c51e-584f-44e8-aed2-c2ddf4803888', Math.PI, 180],
    ['ad476cb7-b6d1-41c8-986b-0df243a64146', 16, 4],
    ['2280dde4-9fa2-4b4a-ae2f-37d554861367', 3, 9],
    ['0d2ccfb3-9d41-4759-9452-da6a522c3eaa', 2, 2 * Math.PI],
  ]
  for (const [guid, x, expected] of cases) assert.deepEqual(first(guid, [x]), [expected], guid)
})

// As recorded from Grasshopper 8: halves round away from zero, unlike in ports (rule C-1).
test('Round: given halves, then the nearest whole number is the one further from zero', () => {
  const round = (x: number) => first('a50c4a3b-0177-4c91-8556-db95de6c56c8', [x])
  assert.deepEqual(round(2.5), [integer(3), integer(2), integer(3)])
  assert.deepEqual(round(-2.5), [integer(-3), integer(-3), integer(-2)])
  assert.deepEqual(round(2.4), [integer(2), integer(2), integer(3)])
})

test('Similarity: given a threshold in hundredths, then it is one of the larger number', () => {
  const similar = (a: number, b: number, threshold: number) =>
    first('40177d8a-a35c-4622-bca7-d150031fe427', [a, b, threshold])
  assert.deepEqual(similar(100, 105, 4.8), [true, 5])
  assert.deepEqual(similar(100, 105, 4), [false, 5])
  assert.deepEqual(similar(-100, -105, 5.1), [true, 5])
  assert.deepEqual(similar(0, 0, 0), [true, 0])
})

test('[O-9] Expression, Evaluate: given an expression in the state or in an input, and variables by nickname, then the expression is computed for each', () => {
  const expression = '9df5e896-552d-4c8c-b9ca-4fc147ffa022'
  const settings = { inputNames: ['h', 'Going'], state: { kind: 'expression', expression: '2*H + going' } }
  assert.deepEqual(run(expression, [[1, 2], 0.5], settings).outputs, [{ '{0}': [2.5, 4.5] }])
  const broken = run(expression, [1, 2], { ...settings, state: { kind: 'expression', expression: '2*' } })
  assert.deepEqual(broken.messages, ['error: The expression ends too early'])
  assert.deepEqual(first('cc2b626f-6eff-4d08-9829-2877560693f4', ['x^2', 3], { inputNames: ['F', 'x'] }), [9])
})

test('Domains: given ends, numbers and parameters, then domains are taken apart and put together', () => {
  assert.deepEqual(first('d1a28e95-cf96-4936-bf34-8bf142d731bf', [3, 1]), [domain(3, 1)])
  assert.deepEqual(first('825ea536-aebb-41e9-af32-8baeb2ecb590', [domain(3, 1)]), [3, 1])
  assert.deepEqual(first('f44b92b0-3b5b-493a-86f4-fd7408c3daf3', [[3, null, -1, 2]]), [domain(-1, 3)])
  const remap = '2fcc2743-8339-4cdf-a046-a1f17439191d'
  assert.deepEqual(first(remap, [5, domain(0, 10), domain(100, 200)]), [150, 150])
  assert.deepEqual(first(remap, [20, domain(0, 10), domain(200, 100)]), [0, 100])
})

test('Divide Domain²: given counts, then segments run along v first', () => {
  const whole = { type: 'domain2', u: domain(0, 2), v: domain(0, 4) } as const
  const { outputs } = run('75ac008b-1bc2-4edd-b967-667d628b9d24', [whole, 2, 2])
  assert.deepEqual(
    listOnly(outputs)[0]?.map(
      (segment) =>
        segment !== null &&
        typeof segment === 'object' &&
        segment.type === 'domain2' && [segment.u.start, segment.v.start],
    ),
    [
      [0, 0],
      [0, 2],
      [1, 0],
      [1, 2],
    ],
  )
})

// Cases worked out by hand; that the paths get an index, and that a count below 1 yields none, is recorded from Grasshopper 8.
test('Includes, Divide Domain, Consecutive Domains: given domains, then what lies in them and between', () => {
  const includes = 'f217f873-92f1-47ae-ad71-ca3c5a45c3f8'
  assert.deepEqual(run(includes, [[-1, 0, 1, 3], domain(0, 1)]).outputs, [
    { '{0}': [false, true, true, false] },
    { '{0}': [1, 0, 0, 2] },
  ])
  assert.deepEqual(first(includes, [12, domain(10, 0)]), [false, 2])
  const divide = '75ef4190-91a2-42d9-a245-32a7162b0384'
  assert.deepEqual(run(divide, [domain(2, 5), 3]).outputs, [
    { '{0;0}': [domain(2, 3), domain(3, 4), domain(4, 5)] },
  ])
  assert.deepEqual(run(divide, [domain(2, 5), 0]).outputs, [{ '{0;0}': [] }])
  const consecutive = '95992b33-89e1-4d36-bd35-2754a11af21e'
  assert.deepEqual(run(consecutive, [[1, 2, 3], true]).outputs, [{ '{0;0}': [domain(1, 3), domain(3, 6)] }])
  assert.deepEqual(run(consecutive, [[3, 1, 2], false]).outputs, [{ '{0;0}': [domain(3, 1), domain(1, 2)] }])
  assert.deepEqual(run(consecutive, [[5], true]).outputs, [{ '{0;0}': [] }])
})

test('Gate And Ternary, Gate Or Ternary: given three values, when combined, then the tables of truth hold', () => {
  for (let bits = 0; bits < 8; bits++) {
    const values = [4, 2, 1].map((bit) => (bits & bit) !== 0)
    const [and, or] = ['c1364962-87dd-4a6d-901a-e5b170e5ef9e', '55104772-8096-4ffc-a78a-30e36191ace2'].map(
      (guid) => run(guid, values).outputs[0]?.['{0}']?.[0],
    )
    assert.deepEqual([and, or], [bits === 7, bits > 0])
  }
})
