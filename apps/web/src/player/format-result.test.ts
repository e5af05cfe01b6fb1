import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatResult, splitLabel } from './format-result.ts'

const number = (value: number) => ({ type: 'number', value }) as const
const text = (value: string) => ({ type: 'string', value }) as const

test('[WEB-205] given the label of a result, when it ends with a unit, then the unit stands behind the numbers, and nothing else does', () => {
  assert.deepEqual(splitLabel('Gross floor area (m²)'), { name: 'Gross floor area', unit: 'm²' })
  assert.deepEqual(splitLabel('Twist [°]'), { name: 'Twist', unit: '°' })
  for (const label of ['Height', 'Height (total)', '(m)', 'Panels (2026)', 'Level (m) of slab'])
    assert.deepEqual(splitLabel(label), { name: label, unit: undefined })
})

test('[WEB-205] given numbers and texts, when they are results, then numbers have groups and six digits, and texts stay as they are', () => {
  for (const [value, unit, expected] of [
    [number(35012.345678), 'm²', '35,012.3\u00a0m²'],
    [number(159.6), undefined, '159.6'],
    [number(2026), undefined, '2026'],
    [number(1234567.8), undefined, '1,234,568'],
    [number(-12345), '°', '-12,345°'],
    [number(0.125), '%', '0.125%'],
    [number(1e20), undefined, '100000000000000000000'],
    [number(1e-9), 'm', '1e-9\u00a0m'],
    [text('12345.6'), 'm', '12,345.6\u00a0m'],
    [text('12345'), undefined, '12345'],
    [text('0 {0;1}'), 'm', '0 {0;1}'],
    [null, 'm', 'null'],
  ] as const)
    assert.equal(formatResult(value, unit), expected)
})

test('[WEB-205] given any number, when it is shown, then it is the same to six digits', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: -1e300, max: 1e300 }), (value) => {
      const shown = Number(formatResult(number(value), undefined).replaceAll(',', ''))
      assert.ok(
        Math.abs(shown - value) <= Math.max(1e-5 * Math.abs(value), 1e-20) + (Math.abs(value) < 1 ? 6e-7 : 0),
      )
    }),
  )
})
