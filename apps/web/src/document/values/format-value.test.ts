import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatValue } from './format-value.ts'

test('given values of any type, when they are formatted, then each is one line of text', () => {
  const line = [0, 0, 0] as const
  const cases = [
    [null, 'null'],
    [{ type: 'number', value: 0.1 + 0.2 }, '0.3'],
    [{ type: 'number', value: 'NaN' }, 'NaN'],
    [{ type: 'boolean', value: true }, 'True'],
    [{ type: 'string', value: 'text' }, 'text'],
    [{ type: 'point', value: [1, 2, 3.5] }, '{1, 2, 3.5}'],
    [{ type: 'curve', value: { description: 'NURBS curve', boundingBox: [line, line] } }, 'NURBS curve'],
    [{ type: 'domain', value: [0, 1] }, 'domain {0, 1}'],
  ] as const
  for (const [value, expected] of cases) assert.equal(formatValue(value as never), expected)
})
