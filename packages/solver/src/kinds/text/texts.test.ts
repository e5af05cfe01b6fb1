import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integer } from '@meadow/geometry/values/value'
import { run } from '../../testing/run.ts'

test('Concatenate, Text Join: given fragments of any kind, then they are one text', () => {
  const concatenate = run('2013e425-8713-42e2-a661-b57e78840337', ['X', 1.5, undefined, integer(2)])
  assert.deepEqual(concatenate.outputs, [{ '{0}': ['X1.52'] }])
  assert.deepEqual(run('1274d51a-81e6-4ccf-ad1f-0edf4c769cac', [['a', null, 'b'], '-']).outputs, [
    { '{0}': ['a-b'] },
  ])
  assert.deepEqual(run('1274d51a-81e6-4ccf-ad1f-0edf4c769cac', [['a', 'b'], undefined]).outputs, [
    { '{0}': ['ab'] },
  ])
  assert.deepEqual(run('1274d51a-81e6-4ccf-ad1f-0edf4c769cac', [{ '{0}': [] }, '-']).outputs, [
    { '{0}': [null] },
  ])
})

test('Characters: given a text, then its letters and their numbers', () => {
  assert.deepEqual(run('86503240-d884-43f9-9323-efe30488a6e1', ['aB']).outputs, [
    { '{0;0}': ['a', 'B'] },
    { '{0;0}': [integer(97), integer(66)] },
  ])
})

test('Format: given a pattern and values, then the gaps are filled; a gap without a value is an error', () => {
  const format = '758d91a0-4aec-47f8-9671-16739a8a2c5d'
  assert.deepEqual(run(format, ['{0:0.00} of {1}', undefined, 2 / 3, 'x']).outputs, [
    { '{0}': ['0.67 of x'] },
  ])
  assert.match(run(format, ['{1}', undefined, 1]).messages.join(), /^error: The format has no value/)
})

test('Text Split: given separators, then each of them parts the text, and two beside each other leave an empty one', () => {
  const split = (text: string, separators: string) =>
    run('04887d01-504c-480e-b2a2-01ea19cc5922', [text, separators]).outputs
  assert.deepEqual(split('a;b,c', ',;'), [{ '{0;0}': ['a', 'b', 'c'] }])
  assert.deepEqual(split('a,,b,', ','), [{ '{0;0}': ['a', '', 'b', ''] }])
  assert.deepEqual(split('abc', ''), [{ '{0;0}': ['abc'] }])
})

test('Text Trim, Text Case, Text Length, Replace Text: given a text, then what becomes of it', () => {
  const trim = (start: boolean, end: boolean) =>
    run('e4cb7168-5e32-4c54-b425-5a31c6fd685a', ['\t hi ', start, end]).outputs[0]
  assert.deepEqual(trim(true, true), { '{0}': ['hi'] })
  assert.deepEqual(trim(true, false), { '{0}': ['hi '] })
  assert.deepEqual(trim(false, true), { '{0}': ['\t hi'] })
  assert.deepEqual(run('b1991128-8bf1-4dea-8497-4b7188a64e9d', ['aB1', undefined]).outputs, [
    { '{0}': ['AB1'] },
    { '{0}': ['ab1'] },
  ])
  assert.deepEqual(run('dca05f6f-e3d9-42e3-b3bb-eb20363fb335', ['abc']).outputs, [{ '{0}': [integer(3)] }])
  const replace = '4df8df00-3635-45bd-95e6-f9206296c110'
  assert.deepEqual(run(replace, ['a.b.c', '.', '$&']).outputs, [{ '{0}': ['a$&b$&c'] }])
  assert.deepEqual(run(replace, ['a.b.c', '.', undefined]).outputs, [{ '{0}': ['abc'] }])
  assert.deepEqual(run(replace, ['abc', '', 'x']).messages, ['error: There is nothing to find'])
})

test('Match Text: given a pattern, then texts of its form match, in their case or any', () => {
  const match = (text: string, pattern: string | undefined, keepsCase = true, expression?: string) =>
    run('3756c55f-95c3-442c-a027-6b3ab0455a94', [text, pattern, expression, keepsCase])
  assert.deepEqual(match('Hello', 'H*').outputs, [{ '{0}': [true] }])
  assert.deepEqual(match('hello', 'H*').outputs, [{ '{0}': [false] }])
  assert.deepEqual(match('hello', 'H*', false).outputs, [{ '{0}': [true] }])
  assert.deepEqual(match('hello', undefined).outputs, [{ '{0}': [true] }])
  assert.deepEqual(match('hello', '[').messages, ['error: The pattern [ cannot be read'])
  assert.deepEqual(match('hello', 'h*', true, '[a-z]+').outputs, [{ '{0}': [true] }])
  assert.deepEqual(match('hello', 'H*', true, '^h').outputs, [{ '{0}': [false] }])
  assert.deepEqual(match('hello', undefined, false, 'H.*O').outputs, [{ '{0}': [true] }])
  assert.deepEqual(match('hello', undefined, true, '^h').outputs, [{ '{0}': [true] }])
  assert.deepEqual(match('hello', undefined, true, '(?=h)').outputs, [{}])
  assert.match(match('hello', undefined, true, '(?=h)').messages.join(), /^error: What .NET finds/)
})

// The examples of R. A. Wagner and M. J. Fischer's algorithm that textbooks give, and the axioms of a distance.
test('Text Distance: given two texts, when compared, then it is the fewest edits, in their case or any', () => {
  const measure = (a: string | null, b: string, keepsCase = true) =>
    run('f7608c4d-836c-4adf-9d1f-3b04e6a2647d', [a, b, keepsCase]).outputs[0]?.['{0}']?.[0]
  for (const [a, b, distance] of [
    ['kitten', 'sitting', 3],
    ['Saturday', 'Sunday', 3],
    ['flaw', 'lawn', 2],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['', '', 0],
    ['same', 'same', 0],
  ] as const) {
    assert.deepEqual(measure(a, b), integer(distance))
    assert.deepEqual(measure(b, a), integer(distance))
  }
  assert.deepEqual(measure('ABC', 'abd'), integer(3))
  assert.deepEqual(measure('ABC', 'abd', false), integer(1))
  assert.equal(measure(null, 'a'), null)
})

test('Text Fragment: given a start before the text, then an error', () => {
  const { messages } = run('07e0811f-034a-4504-bca0-2d03b2c46217', ['Grass', integer(-2), integer(3)])
  assert.match(messages.join(), /^error: /)
})
