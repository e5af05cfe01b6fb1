import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integer } from '@meadow/geometry/values/value'
import { type InputData, run } from '../../testing/run.ts'

const DIVISION = '54db2568-3441-4ae2-bcef-92c4cc608e11'
const FACTORIAL = 'a0a38131-c5fc-4984-b05d-34cf57f0c018'

const solve = (guid: string, inputs: readonly InputData[]) => {
  const { outputs, messages } = run(guid, inputs)
  return [outputs[0]?.['{0}']?.[0], messages.join()]
}

// Microsoft, C# language specification, "Division operator": the division rounds the result towards zero.
test('Integer Division: given integers, when divided, then the quotient is cut towards zero', () => {
  for (const [a, b, quotient] of [
    [7, 2, 3],
    [-7, 2, -3],
    [7, -2, -3],
    [-7, -2, 3],
    [0, -5, 0],
    [1, 2, 0],
    [-1, 2, 0],
    [-2147483648, 1, -2147483648],
  ] as const) {
    assert.deepEqual(solve(DIVISION, [integer(a), integer(b)]), [integer(quotient), ''])
  }
  assert.deepEqual(solve(DIVISION, [integer(1), integer(0)]), [null, 'error: Division by zero'])
  assert.match(String(solve(DIVISION, [integer(-2147483648), integer(-1)])[1]), /^error: .*32 bits/)
  assert.equal(solve(DIVISION, [null, integer(1)])[0], null)
})

test('Multiplication: given a text that is a formula, then a limit; given another text, then an error', () => {
  const product = (text: string) => run('ce46b74e-00c9-43c4-805a-193b69ea4a11', [text, 2])
  assert.deepEqual(product('(0.3/0.5)').codes, ['limit'])
  assert.deepEqual(product('abc').codes, ['failed'])
  assert.deepEqual(product('.25').outputs[0], { '{0}': [0.5] })
})

// On-Line Encyclopedia of Integer Sequences, A000142.
test('Factorial: given 0 to 12, when computed, then it is the factorial; other numbers are limits', () => {
  const known = [1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800, 39916800, 479001600]
  for (const [n, factorial] of known.entries()) {
    assert.deepEqual(solve(FACTORIAL, [integer(n)]), [integer(factorial), ''])
  }
  for (const n of [-1, 13, 2147483647]) {
    assert.deepEqual(solve(FACTORIAL, [integer(n)]), [
      undefined,
      'error: Factorials are supported of 0 to 12',
    ])
  }
})

test('[C-17] given a complex number or a time and a text, when they are added, then it is a limit, since their texts are not known', () => {
  for (const value of [
    { type: 'complex', real: 1, imaginary: 2 },
    { type: 'time', day: 0, ms: 0 },
  ] as const) {
    const { codes } = run('a0d62394-a118-422d-abb3-6af115c75b25', ['Now: ', value])
    assert.deepEqual(codes, ['limit'])
  }
})
