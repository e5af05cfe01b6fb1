import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integer, type Value } from '@meadow/geometry/values/value'
import { ExpressionError } from './expression-error.ts'
import { formatComposite } from './format-composite.ts'

// Expected texts: the examples of .NET's documentation of standard and custom numeric format strings, invariant culture.
const CASES: [pattern: string, value: Value, expected: string][] = [
  ['{0:F2}', 1234.567, '1234.57'],
  ['{0:F1}', integer(1234), '1234.0'],
  ['{0:N1}', 1234.567, '1,234.6'],
  ['{0:D6}', integer(1234), '001234'],
  ['{0:D6}', integer(-1234), '-001234'],
  ['{0:E2}', 1052.0329112756, '1.05E+003'],
  ['{0:e2}', -1052.0329112756, '-1.05e+003'],
  ['{0:P1}', 1, '100.0 %'],
  ['{0:X4}', integer(255), '00FF'],
  ['{0:R}', 0.1, '0.1'],
  ['{0}|{0:R}|{0:G}', 1e-7, '1E-07|1E-07|1E-07'],
  ['{0}', 123456789.123, '123456789.123'],
  ['{0:G3}', 1234.5, '1.23E+03'],
  ['{0:g3}', 0.0000125, '1.25e-05'],
  ['{0:G4}', 0.00012, '0.00012'],
  ['{0:G5}', 12340, '12340'],
  ['{0:00000}', 123, '00123'],
  ['{0:0.00}', 0.45678, '0.46'],
  ['{0:#####}', 1234.5678, '1235'],
  ['{0:#.##}', 0.45678, '.46'],
  ['{0:#,#}', 2147483647, '2,147,483,647'],
  ['{0:0.0##}', 1.5, '1.5'],
  ['{0:0.00}', -0.001, '0.00'],
  ['{0:%#0.00}', 0.3697, '%36.97'],
  ['{0:0.00}m', 2, '2.00m'],
  ['{0:0.0;(0.0);none}', -2.375, '(2.4)'],
  ['{0:0.0;(0.0);none}', 0, 'none'],
  ['{0:0.0;(0.0);none}', -0.01, 'none'],
  ['{0:##;(##)}', 1234, '1234'],
  ['{0:##;(##)}', -1234, '(1234)'],
  ['{0:##;;**Zero**}', -1234, '-1234'],
  ['{0:##;;**Zero**}', 0, '**Zero**'],
  ['{0:0.###E+0}', 86000, '8.6E+4'],
  ['{0:0.###E+000}', 86000, '8.6E+004'],
  ['{0:0.###E-000}', 86000, '8.6E004'],
  ['{0:0.0E+00}', 1234567.891, '1.2E+06'],
  ['{0:00.0E0}', 0.000123, '12.3E-5'],
  ['{0:#,##0,,}', 1234567890, '1,235'],
  ['{0:0,0.0}', 1234.25, '1,234.3'],
  ['{0:00.00‰}', 0.00354, '03.54‰'],
  ['{0:\\###00\\#}', 987654, '#987654#'],
  ["{0:# ' degrees'}", 68, '68  degrees'],
  ['{0:(###) ###-####}', 2125551212, '(212) 555-1212'],
  ['{0:0.00}', 999.999, '1000.00'],
  ['[{0,6:F1}]', 2.25, '[   2.3]'],
  ['[{0,-6}]', 'ab', '[ab    ]'],
  ['{{{0}}}', true, '{True}'],
  ['{0}', 'plain', 'plain'],
]

test('given the examples of the .NET documentation, when they are formatted, then the texts are the same', () => {
  for (const [pattern, value, expected] of CASES)
    assert.equal(formatComposite(pattern, [value]), expected, pattern)
})

test('given a format that does not fit, when it is used, then the error reports it', () => {
  for (const pattern of ['{1}', '{0', '}', '{a}']) {
    assert.throws(() => formatComposite(pattern, [1]), ExpressionError, pattern)
  }
})

test('given absurd widths and indices, when they are formatted, then the text stays small', () => {
  assert.ok(formatComposite('{0,999999999:F999}', [1]).length <= 1000)
})
