import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Complex, Value } from '@meadow/geometry/values/value'
import { domain, integer } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import { type InputData, listOnly, run } from '../../testing/run.ts'

/** The first item of each output, and the codes of the messages. */
function solve(
  guid: string,
  inputs: readonly InputData[],
): { values: (Value | null | undefined)[]; codes: string[] } {
  const { outputs, codes } = run(guid, inputs)
  return { values: listOnly(outputs).map((values) => values?.[0]), codes }
}

const RIGHT = 'e75d4624-8ee2-4067-ac8d-c56bdc901d83'
const TRIANGLE = '92af1a02-9b87-43a0-8c45-0ce1b81555ec'

test('[I-14] given two edges of any right triangle, then the others follow; given three edges, the angles do; what no triangle has is an error, and what does not follow is null', () => {
  const edge = fc.double({ min: 0.1, max: 100, noNaN: true })
  const isNear = (found: readonly unknown[], expected: readonly number[]) =>
    expected.forEach((value, i) => {
      assert.ok(Math.abs((found[i] as number) - value) < 1e-6 * (1 + value), `${found} for ${expected}`)
    })
  fc.assert(
    fc.property(edge, edge, (p, q) => {
      const [alpha, beta, r] = [Math.atan2(q, p), Math.atan2(p, q), Math.hypot(p, q)]
      isNear(solve(RIGHT, [undefined, undefined, p, q, undefined]).values, [alpha, beta, p, q, r])
      isNear(solve(RIGHT, [alpha, undefined, undefined, undefined, r]).values, [alpha, beta, p, q, r])
      isNear(solve(TRIANGLE, [undefined, undefined, undefined, q, p, r]).values, [
        alpha,
        beta,
        Math.PI / 2,
        q,
        p,
        r,
      ])
    }),
  )
  assert.deepEqual(solve(TRIANGLE, [undefined, undefined, undefined, 1, 1, 3]).codes, ['failed'])
  assert.deepEqual(solve(TRIANGLE, [1, undefined, undefined, undefined, undefined, 2]).values.slice(0, 2), [
    1,
    null,
  ])
})

test('[I-16] given numbers, then Smooth Numbers gives them as they are, and says that later solves smooth them', () => {
  const { outputs, codes } = run('5b424e1c-d061-43cd-8c20-db84564b0502', [[1, 5, null]])
  assert.deepEqual(outputs[0], { '{0}': [1, 5, null] })
  assert.deepEqual(codes, ['approximate'])
})

test('[I-20] given a domain without extent, a number below 0 or a zero divisor, then Remap Numbers gives the middle of the target, a root is a limit, and a secant the largest number', () => {
  const remapped = solve('2fcc2743-8339-4cdf-a046-a1f17439191d', [1, domain(3, 3), domain(10, 0)])
  assert.deepEqual(remapped.values, [5, null])
  assert.equal(solve('ad476cb7-b6d1-41c8-986b-0df243a64146', [-4]).codes[0], 'limit')
  assert.deepEqual(solve('d222500b-dfd5-45e0-933e-eabefd07cbfa', [0]).values, [Number.MAX_VALUE])
})

const PAIRS = {
  exponential: ['582f96c6-ed0c-4710-9b5e-a05addba9f42', 'bc4a27fc-cbb9-4802-bd4a-17ab33ad1826'],
  sine: ['c53932eb-7c8c-4825-ae98-e36bba97232d', 'f18091e9-3264-4dd4-9ba6-32c77fca0ac0'],
  cosine: ['7874f26c-6f76-4da8-b527-2d567184b2bd', '8640c519-9bf6-4e9a-a108-75f9d89b2c58'],
  tangent: ['0bc93049-e1a7-44b5-8068-c7ddc85a9f46', '4e8aad42-9111-470c-9acd-7ae365d8bba4'],
  square: ['0b0f1203-2ea8-4250-a45a-cca7ad2e5b76', '5a22dc1a-907c-4e2f-b8da-0e496c4e25bb'],
} as const

test('[I-17] given any complex number, then each function is the inverse of its inverse, but on the cuts, which are limits', () => {
  const part = fc.oneof(fc.double({ min: -3, max: 3, noNaN: true }), fc.constantFrom(0, 1, -1, 2))
  const number = fc.record({ type: fc.constant('complex' as const), real: part, imaginary: part })
  for (const [name, [of, inverse]] of Object.entries(PAIRS)) {
    fc.assert(
      fc.property(number, (z) => {
        const { values, codes } = solve(inverse, [z])
        if (codes.length > 0) {
          assert.deepEqual(codes, ['limit'])
          const { real, imaginary } = z
          const isOnAxis = real === 0 || imaginary === 0
          assert.ok(
            isOnAxis || Math.abs(real) + Math.abs(imaginary) < 1e-150,
            `${name} of ${real} + ${imaginary}i`,
          )
          return
        }
        const back = solve(of, [values[0]]).values[0] as Complex
        const error = Math.hypot(back.real - z.real, back.imaginary - z.imaginary)
        assert.ok(error < 1e-6, `${name} of its inverse of ${z.real} + ${z.imaginary}i`)
      }),
      { numRuns: 300 },
    )
  }
  for (const [name, real, imaginary] of [
    ['exponential', 0, 0],
    ['sine', 2, 0],
    ['cosine', -2, 0],
    ['tangent', 0, 1],
  ] as const)
    assert.deepEqual(solve(PAIRS[name][1], [{ type: 'complex', real, imaginary }]).codes, ['limit'], name)
})

test('[I-18] given any date and time of day, then its numbers give it back; what the calendar does not have is an error, and what lies beyond a day a limit', () => {
  const [construct, deconstruct] = [
    '0c2f0932-5ddc-4ece-bd84-a3a059d3df7a',
    'd5e28df8-495b-4892-bca8-60748743d955',
  ]
  const integers = (numbers: readonly number[]) => numbers.map(integer)
  const whole = (min: number, max: number) => fc.integer({ min, max })
  fc.assert(
    fc.property(
      whole(1, 9999),
      whole(1, 12),
      whole(1, 31),
      whole(0, 23),
      whole(0, 59),
      whole(0, 59),
      (...numbers) => {
        const { values, codes } = solve(construct, integers(numbers))
        const days = new Date(Date.UTC(2000 + (numbers[0] % 400), numbers[1], 0)).getUTCDate()
        if (numbers[2] > days) return assert.deepEqual(codes, ['failed'])
        assert.deepEqual(solve(deconstruct, [values[0]]).values, integers(numbers))
      },
    ),
  )
  assert.deepEqual(solve('595aded2-8916-402d-87a3-a825244bbe3d', integers([25, 0, 0])).codes, ['limit'])
})
