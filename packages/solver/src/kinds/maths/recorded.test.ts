import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type InputData, listOnly, run, type Shown } from '../../testing/run.ts'
import { point, vector } from '../../values/points.ts'
import { domain, integer, type Value } from '../../values/value.ts'

/*
 * Recorded results of Grasshopper 8: github.com/ezzahiranass/pyhopper, tests/golden/components/Maths.
 */

const close = (a: unknown, b: unknown) =>
  typeof a === 'number' && typeof b === 'number' ? Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)) : false

const NUMBERS: [name: string, guid: string, values: number[], results: number[]][] = [
  [
    'ArcSine',
    'cc15ba56-fae7-4f05-b599-cb7c43b60e11',
    [0, 0.5, 1, -1],
    [0, 0.5235987755982989, Math.PI / 2, -Math.PI / 2],
  ],
  [
    'ArcTangent',
    'b4647919-d041-419e-99f5-fa0dc0ddb8b6',
    [0, 1, -1, 1000],
    [0, Math.PI / 4, -Math.PI / 4, 1.5697963271282298],
  ],
  [
    'Tangent',
    '0f31784f-7177-4104-8500-1f4f4a306df4',
    [0, Math.PI / 4, 0.5235987755982988],
    [0, 1, 0.5773502691896257],
  ],
  [
    'CoSecant',
    'd222500b-dfd5-45e0-933e-eabefd07cbfa',
    [1, Math.PI / 2, -0.7],
    [1.1883951057781212, 1, -1.552270326957104],
  ],
  [
    'CoTangent',
    '1f602c33-f38e-4f47-898b-359f0a4de3c2',
    [1, -0.7, 2.5],
    [0.6420926159343306, -1.1872418321266793, -1.3386481283041516],
  ],
  [
    'Secant',
    '60103def-1bb7-4700-b294-3a89100525c4',
    [1, Math.PI / 2, -0.7],
    [1.8508157176809255, 1.633123935319537e16, 1.3074592597335937],
  ],
  ['Sinc', 'a2d9503d-a83c-4d71-81e0-02af8d09cd0c', [0, 1, -2], [1, 0.8414709848078965, 0.45464871341284085]],
  ['Cube', '7e3185eb-a38c-4949-bcf2-0e80dee3a344', [-2, 0, 1.5], [-8, 0, 3.375]],
  ['Cube Root', '5b0be57a-31f5-4446-a11a-ae0d348bca90', [-8, 27, 0, 2], [-2, 3, 0, 1.259921049894873]],
  ['Logarithm', '27d6f724-a701-4585-992f-3897488abf08', [1, 10, 1000, 0.5], [0, 1, 3, -0.3010299956639812]],
  ['Natural logarithm', '23afc7aa-2d2f-4ae7-b876-bf366246b826', [1, Math.E, 10], [0, 1, Math.LN10]],
  ['One Over X', '797d922f-3a1d-46fe-9155-358b009b5997', [2, -4, 0.5], [0.5, -0.25, 2]],
  ['Power of 10', '2ebb82ef-1f90-4ac9-9a71-1fe0f4ef7044', [-1, 0, 2, 0.5], [0.1, 1, 100, 3.1622776601683795]],
  ['Power of 2', '7a1e5fd7-b7da-4244-a261-f1da66614992', [-1, 3, 0.5], [0.5, 8, Math.SQRT2]],
  [
    'Power of E',
    'c717f26f-e4a0-475c-8e1c-b8f77af1bc99',
    [-1, 0, 2.5],
    [0.36787944117144233, 1, 12.182493960703473],
  ],
  [
    'Golden Ratio',
    'cb22d3ed-93d8-4629-bdf2-c0c7c25afd2c',
    [1, 2, -0.5],
    [1.618033988749895, 3.23606797749979, -0.8090169943749475],
  ],
  [
    'Natural logarithm (e)',
    'b6cac37c-21b9-46c6-bd0d-17ff67796578',
    [1, 2, -0.5],
    [Math.E, 5.43656365691809, -1.3591409142295225],
  ],
  ['Epsilon', 'deadf87d-99a6-4980-90c3-f98350aa6f0f', [1, 2, 0], [5e-324, 1e-323, 0]],
]

for (const [name, guid, values, results] of NUMBERS) {
  test(`${name}: given numbers, then what was recorded`, () => {
    const [outputs] = listOnly(run(guid, [values]).outputs)
    assert.equal(outputs?.length, results.length)
    for (const [i, value] of results.entries())
      assert.ok(close(outputs?.[i], value), `${outputs?.[i]} for ${value}`)
  })
}

test('Log N: given numbers and bases, then the logarithms', () => {
  const [outputs] = listOnly(
    run('7ab8d289-26a2-4dd4-b4ad-df5b477999d8', [
      [8, 81, 100],
      [2, 3, 10],
    ]).outputs,
  )
  assert.ok(outputs?.every((value, i) => close(value, [3, 4, 2][i])))
})

const of = (guid: string, ...inputs: InputData[]): Shown[] => run(guid, inputs).outputs
const d = domain

test('Clamp: given numbers in and out of a domain, also a reversed one, then they are clamped', () => {
  const CLAMP = '116df248-630e-4045-8c81-58693d1ff3a4'
  assert.deepEqual(of(CLAMP, [1, 3, 9], d(2, 4)), [{ '{0}': [2, 3, 4] }])
  assert.deepEqual(of(CLAMP, [5, 12, -3], d(10, 0)), [{ '{0}': [5, 10, 0] }])
})

test('Find Domain: given numbers, then the first domain that holds each, and the nearest one', () => {
  const FIND = '0b5c7fad-0473-41aa-bf52-d7a861dcaa29'
  const find = (domains: InputData, numbers: number[], strict: boolean) =>
    listOnly(of(FIND, domains, numbers, strict)).map((values) =>
      values?.map((value) => (value as { value: number }).value),
    )
  const row = [d(0, 1), d(1, 2), d(2, 3)]
  assert.deepEqual(find(row, [1.5, 1, 2], false), [
    [1, 0, 1],
    [1, 0, 1],
  ])
  assert.deepEqual(find(row, [1, 2], true), [
    [-1, -1],
    [0, 1],
  ])
  assert.deepEqual(find([d(0, 1), d(2, 3)], [1.4, 1.6, -5, 9, 1.5], false), [
    [-1, -1, -1, -1, -1],
    [0, 1, 0, 1, 0],
  ])
  assert.deepEqual(find([d(3, 1)], [2, 0], false), [
    [0, -1],
    [0, 0],
  ])
})

test('Domains in two directions: given numbers, domains or points, then they are built, taken apart and measured', () => {
  const both: Value = { type: 'domain2', u: d(2, 0), v: d(-1, 3) }
  assert.deepEqual(of('9083b87f-a98c-4e41-9591-077ae4220b19', 2, 0, -1, 3), [{ '{0}': [both] }])
  assert.deepEqual(of('8555a743-36c1-42b8-abcc-06d9cb94519f', d(2, 0), d(-1, 3)), [{ '{0}': [both] }])
  assert.deepEqual(of('f0adfc96-b175-46a6-80c7-2b0ee17395c4', both), [
    { '{0}': [d(2, 0)] },
    { '{0}': [d(-1, 3)] },
  ])
  assert.deepEqual(listOnly(of('47c30f9d-b685-4d4d-9b20-5b60e48d5af8', both)), [[2], [0], [-1], [3]])
  const BOUNDS = 'dd53b24c-003a-4a04-b185-a44d91633cbe'
  assert.deepEqual(of(BOUNDS, [point(1, 5, 0), null, point(-2, 3, 9), point(4, 4, 1)]), [
    { '{0}': [{ type: 'domain2', u: d(-2, 4), v: d(3, 5) }] },
  ])
  assert.deepEqual(of(BOUNDS, [null]), [{ '{0}': [null] }])
})

test('Gates: given truth values, then the tables that were recorded', () => {
  const [f, t] = [false, true]
  const two: [string, boolean[]][] = [
    ['de4a0d86-2709-4564-935a-88bf4d40af89', [f, t, t, f]],
    ['5ca5de6b-bc71-46c4-a8f7-7f30d7040acb', [t, t, t, f]],
    ['548177c2-d1db-4172-b667-bec979e2d38b', [t, f, f, f]],
  ]
  for (const [guid, results] of two)
    assert.deepEqual(of(guid, [f, f, t, t], [f, t, f, t]), [{ '{0}': results }])
  assert.deepEqual(
    of('78669f9c-4fea-44fd-ab12-2a69eeec58de', [t, t, f, f, t], [t, f, t, f, f], [f, f, f, t, t]),
    [{ '{0}': [t, f, f, f, t] }],
  )
})

test('Relative Differences: given numbers, integers or points, then the steps between them', () => {
  const DIFFERENCES = 'dd17d442-3776-40b3-ad5b-5e188b56bd4c'
  assert.deepEqual(of(DIFFERENCES, [1, 4, 9, 16]), [{ '{0}': [0, 3, 5, 7] }])
  assert.deepEqual(of(DIFFERENCES, [1, 4, 9].map(integer)), [{ '{0}': [0, 3, 5].map(integer) }])
  assert.deepEqual(of(DIFFERENCES, [point(0, 0, 0), point(1, 2, 3), point(1, 1, 1)]), [
    { '{0}': [vector(0, 0, 0), vector(1, 2, 3), vector(0, -1, -2)] },
  ])
  assert.deepEqual(of(DIFFERENCES, { '{0}': [5], '{1}': [] }), [{ '{0}': [0], '{1}': [] }])
  assert.match(run(DIFFERENCES, [[1, point(1, 2, 3)]]).messages.join(), /^error: /)
})

test('Blur Numbers: given strengths, rounds, locks and wraps, then what was recorded', () => {
  const BLUR = '57e1d392-e3fb-4de9-be98-982854a92351'
  const WAVE = [0, 10, 0, 10, 0]
  const cases: [number[], number, number, boolean, boolean, number[]][] = [
    [WAVE, 0.5, 1, true, false, [0, 5, 5, 5, 0]],
    [WAVE, 1, 1, false, false, [10, 0, 10, 0, 10]],
    [WAVE, 1, 1, false, true, [5, 0, 10, 0, 5]],
    [[1, 2, 4, 8, 16], 0.5, 2, false, false, [1.875, 2.625, 5.0625, 8.625, 10.5]],
    [[0, 10], 1, 1, false, false, [10, 0]],
    [[7], 1, 1, false, false, [7]],
    [WAVE, 1, 0, false, false, WAVE],
    [WAVE, 2, 1, false, false, [20, -10, 20, -10, 20]],
    [WAVE, 1, 1, true, true, [5, 0, 10, 0, 5]],
  ]
  for (const [numbers, strength, rounds, lock, wrap, blurred] of cases) {
    assert.deepEqual(of(BLUR, numbers, strength, integer(rounds), lock, wrap), [{ '{0;0}': blurred }])
  }
  assert.match(run(BLUR, [WAVE, 1, integer(-1), true, false]).messages.join(), /^error: /)
})

test('Interpolate data: given a fraction of a list, then the value there', () => {
  const INTERPOLATE = 'e168ff6b-e5c0-48f1-b831-f6996bf3b459'
  assert.deepEqual(of(INTERPOLATE, [0, 10, 20, 40], [0, 0.25, 0.5, 0.75, 1, 0.1, -0.5, 1.5]), [
    { '{0}': [0, 7.5, 15, 25, 40, 3.0000000000000004, 0, 40] },
  ])
  assert.deepEqual(of(INTERPOLATE, [point(0, 0, 0), point(4, 0, 0), point(4, 4, 0)], [0.25, 0.5]), [
    { '{0}': [point(2, 0, 0), point(4, 0, 0)] },
  ])
  assert.deepEqual(of(INTERPOLATE, [d(0, 1), d(2, 4)], 0.5), [{ '{0}': [d(1, 2.5)] }])
  assert.deepEqual(of(INTERPOLATE, [integer(0), integer(10)], 0.25), [{ '{0}': [integer(2)] }])
  assert.match(run(INTERPOLATE, [['a', 'b'], 0.5]).messages.join(), /^error: /)
})

test('Weighted Average: given numbers or points and weights, then their mean; without weights for all, an error', () => {
  const AVERAGE = '338666eb-14c5-4d9b-82e2-2b5be60655df'
  assert.deepEqual(of(AVERAGE, [1, 2, 3], [1, 1, 2]), [{ '{0}': [2.25] }])
  assert.deepEqual(of(AVERAGE, [1, 3], [-1, 3]), [{ '{0}': [4] }])
  assert.deepEqual(of(AVERAGE, [point(0, 0, 0), point(4, 0, 0)], [1, 3]), [{ '{0}': [point(3, 0, 0)] }])
  for (const weights of [
    [1, 3],
    [0, 0, 0],
  ]) {
    assert.match(run(AVERAGE, [[1, 2, 3], weights]).messages.join(), /^error: /)
  }
})

test('Truncate: given numbers, then they are sorted, without a fraction at both ends; halves round to even', () => {
  const TRUNCATE = 'bd96f893-d57b-4f04-90d0-dca0d72ff2f9'
  const ten = [5, 1, 9, 3, 7, 2, 8, 4, 6, 10]
  assert.deepEqual(of(TRUNCATE, ten, [0.2, 0.3]), [
    { '{0;0}': [2, 3, 4, 5, 6, 7, 8, 9], '{0;1}': [3, 4, 5, 6, 7, 8] },
  ])
  assert.deepEqual(of(TRUNCATE, [4, 2, 3, 1], [0.25, -0.5, 2]), [
    { '{0;0}': [1, 2, 3, 4], '{0;1}': [1, 2, 3, 4], '{0;2}': [] },
  ])
  assert.match(run(TRUNCATE, [[point(0, 0, 0)], 0.5]).messages.join(), /^error: /)
})

test('Extremes: given two of a sort, or one, then the smaller and the larger', () => {
  const EXTREMES = '37084b3f-2b66-4f3a-9737-80d0b0b7f0cb'
  assert.deepEqual(of(EXTREMES, [1, 9, 4], 5), [{ '{0}': [1, 5, 4] }, { '{0}': [5, 9, 5] }])
  assert.deepEqual(of(EXTREMES, [3, 8], undefined), [{ '{0}': [3, 8] }, { '{0}': [3, 8] }])
  assert.deepEqual(of(EXTREMES, 'b', 'a'), [{ '{0}': ['a'] }, { '{0}': ['b'] }])
  assert.deepEqual(of(EXTREMES, true, false), [{ '{0}': [false] }, { '{0}': [true] }])
  assert.deepEqual(of(EXTREMES, vector(0, 3, 0), vector(1, 0, 0)), [
    { '{0}': [vector(1, 0, 0)] },
    { '{0}': [vector(0, 3, 0)] },
  ])
  assert.match(run(EXTREMES, [point(0, 0, 0), point(1, 1, 1)]).messages.join(), /^error: /)
})
