import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DigitStyle, formatDouble, formatSingle, parseDouble, parseSingle } from './number-text.ts'

const STYLES: DigitStyle[] = ['shortest', 'classic']

test('[GHA-12] given any number, when formatted and parsed, then it is the same to the bit, in both styles', () => {
  for (const style of STYLES) {
    fc.assert(fc.property(fc.double(), (value) => Object.is(parseDouble(formatDouble(value, style)), value)))
    fc.assert(fc.property(fc.float(), (value) => Object.is(parseSingle(formatSingle(value, style)), value)))
  }
})

test('[GHA-12] given doubles, when formatted, then the text is what .NET writes', () => {
  const texts: [number, string][] = [
    [0, '0'],
    [-0, '-0'],
    [1, '1'],
    [-12.5, '-12.5'],
    [0.1, '0.1'],
    [0.0001, '0.0001'],
    [0.00001, '1E-05'],
    [-1.25e-7, '-1.25E-07'],
    [123456789012345, '123456789012345'],
    [1e15, '1E+15'],
    [1.2e20, '1.2E+20'],
    [5e-324, '5E-324'],
    [1 / 3, '0.3333333333333333'],
    [Number.NaN, 'NaN'],
    [Number.NEGATIVE_INFINITY, '-Infinity'],
  ]
  for (const [value, text] of texts) assert.equal(formatDouble(value, 'shortest'), text)
})

test('[GHA-12] given singles, when formatted, then the text is what .NET writes', () => {
  const texts: [number, string][] = [
    [0.1, '0.1'],
    [16777216, '1.6777216E+07'],
    [9999999, '9999999'],
    [1e7, '1E+07'],
    [1.17647088, '1.1764709'],
    [1.4e-45, '1E-45'],
    [0.00015, '0.00015'],
  ]
  for (const [value, text] of texts) assert.equal(formatSingle(value, 'shortest'), text)
})

test('[GHA-12] given numbers that need more digits, when formatted as in Rhino 7, then they have 9 or 17', () => {
  assert.equal(formatSingle(Math.fround(1.17647088), 'classic'), '1.17647088')
  assert.equal(formatSingle(0.1, 'classic'), '0.1')
  assert.equal(formatDouble(Math.PI, 'classic'), '3.1415926535897931')
  assert.equal(formatDouble(0.1, 'classic'), '0.1')
})
