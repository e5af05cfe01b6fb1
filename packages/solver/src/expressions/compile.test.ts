import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatValue } from '@meadow/geometry/values/format-value'
import { point, vector } from '@meadow/geometry/values/points'
import { integer, type Value } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import { compile } from './compile.ts'
import { ExpressionError, ExpressionLimit } from './expression-error.ts'

const evaluate = (text: string, variables: Record<string, Value | null> = {}) =>
  compile(text, Object.keys(variables))(Object.values(variables))

test('[X-2] given operators of every strength, when they are computed, then the tighter ones go first', () => {
  const cases: [string, Value][] = [
    ['1+2*3', integer(7)],
    ['(1+2)*3', integer(9)],
    ['-2^2', integer(-4)],
    ['2^-1', 0.5],
    ['2*-3', integer(-6)],
    ['7/2', 3.5],
    ['7\\2', integer(3)],
    ['7 mod 4', integer(3)],
    ['7%4', integer(3)],
    ['1+1=2', true],
    ['1<2 and not 3<2', true],
    ['1≠2', true],
    ['1<>1', false],
    ['3≤3', true],
    ['true xor true', false],
    ['true or false and false', true],
    ['!false', true],
    ['2²+3³', integer(31)],
    ['√16', 4],
    ['180°', Math.PI],
    ['1 + 2 & "a"', '3a'],
  ]
  for (const [text, expected] of cases) assert.deepEqual(evaluate(text), expected, text)
})

test('[X-6] given negative operands, when the remainder is computed, then it has the sign of the left one', () => {
  const cases: [string, Value][] = [
    ['7 % 3', integer(1)],
    ['-7 % 3', integer(-1)],
    ['7 % -3', integer(1)],
    ['-7 mod -3', integer(-1)],
    ['-6 % 3', integer(0)],
    ['-7.5 % 2', -1.5],
    ['7.5 mod -2', 1.5],
  ]
  for (const [text, expected] of cases) assert.deepEqual(evaluate(text), expected, text)
  assert.ok(Object.is(evaluate('x % 3', { x: -6 }), 0))
})

test('[X-7] given fractions, when they are divided to a whole number, then it is certain or a limit', () => {
  const cases: [string, Value][] = [
    ['-7 \\ 2', integer(-3)],
    ['7 \\ -2', integer(-3)],
    ['7.2 \\ 2', integer(3)],
    ['-1 \\ 2', integer(0)],
  ]
  for (const [text, expected] of cases) assert.deepEqual(evaluate(text), expected, text)
  // 8 \\ 2 in Visual Basic.
  assert.throws(() => evaluate('7.6 \\ 2'), ExpressionLimit)
  assert.throws(() => evaluate('7 \\ 0.4'), ExpressionLimit)
})

test('[X-8] given near numbers, when they are compared for similarity, then it is certain or a limit', () => {
  const cases: [string, boolean][] = [
    ['1 ~ 1', true],
    ['0 ~ 0', true],
    ['0.1 + 0.2 ~ 0.3', true],
    ['1 ~ 1.0102', false],
    ['1000 ~ 1010.2', false],
    ['-1 ~ 1', false],
    ['0 ~ 0.01', false],
  ]
  for (const [text, expected] of cases) assert.equal(evaluate(text), expected, text)
  for (const text of [
    '1000000 ~ 1000000.001',
    '1000 ~ 1009.9',
    '1 ~ 1.000001',
    '1 ~ 1.009',
    '0 ~ 0.0000001',
    '1 ~ 1.00000000001',
  ]) {
    assert.throws(() => evaluate(text), ExpressionLimit, text)
  }
  assert.equal(evaluate('x ~ 1', { x: Number.NaN }), false)
  assert.equal(evaluate('x ~ x', { x: Infinity }), true)
})

test('[X-9] given powers of variables as signs, when they are computed, then they are those of the variable', () => {
  assert.deepEqual(evaluate('x²', { x: 3 }), 9)
  assert.deepEqual(evaluate('a1²+a1³', { a1: integer(2) }), integer(12))
  assert.deepEqual(evaluate('-x²', { x: 3 }), -9)
  assert.deepEqual(evaluate('π²', {}), Math.PI ** 2)
  assert.deepEqual(evaluate('x₁²', { 'x₁': 4 }), 16)
})

test('[X-1] given names in any case, when they are computed, then variables hide constants', () => {
  assert.equal(evaluate('PI'), Math.PI)
  assert.equal(evaluate('Pi*2', { pi: 10 }), 20)
  assert.equal(evaluate('X+x', { x: 1.5 }), 3)
  assert.equal(evaluate('SQRT(x)', { x: integer(16) }), 4)
  assert.deepEqual(evaluate('x+1', { x: integer(1) }), integer(2))
  assert.equal(evaluate('x+1', { x: 1 }), 2)
})

test('given the functions of the list, when they are computed, then their values are those of mathematics', () => {
  const cases: [string, Value][] = [
    ['Abs(-3)', integer(3)],
    ['Round(2.5)', integer(2)],
    ['Round(3.14159, 2)', 3.14],
    ['Ceiling(1.2)', integer(2)],
    ['Floor(-1.2)', integer(-2)],
    ['Fix(-1.7)', integer(-1)],
    ['Max(1, 7, 3)', integer(7)],
    ['Min(2.5, 7)', 2.5],
    ['Atan2(1, 1)', Math.PI / 4],
    ['Log(1000)', 3],
    ['Log2(8)', 3],
    ['Ln(e)', 1],
    ['Deg(pi)', 180],
    ['Hypot(3, 4)', 5],
    ['Left("house", 2)', 'ho'],
    ['Right("house", 3)', 'use'],
    ['Mid("house", 1, 3)', 'ous'],
    ['UCase("ab")', 'AB'],
    ['Len("abc")', integer(3)],
    ['Replace("a.b", ".", "$&")', 'a$&b'],
    ['Format("{0:0.00}|{1}", 1/3, "x")', '0.33|x'],
    ['Sign(-5)', integer(-1)],
  ]
  for (const [text, expected] of cases) assert.deepEqual(evaluate(text), expected, text)
})

test('[X-3] given points and vectors, when they are computed, then they add, scale and show their parts', () => {
  assert.deepEqual(evaluate('{1,2,3} + v*2', { v: vector(1, 0, 0) }), point(3, 2, 3))
  assert.deepEqual(evaluate('-v/2', { v: vector(2, 0, 4) }), vector(-1, -0, -2))
  assert.equal(evaluate('p.x + p.Z', { p: point(1, 2, 3) }), 4)
  assert.equal(evaluate('v.length', { v: vector(3, 4, 0) }), 5)
  assert.equal(evaluate('Distance({0,0}, {3,4})'), 5)
})

test('[X-4] given a choice, when it is computed, then only the side that is taken has to make sense', () => {
  assert.deepEqual(evaluate('if(x=0, 0, 1/x)', { x: integer(0) }), integer(0))
  assert.equal(evaluate('if(x=0, 0, 1/x)', { x: 4 }), 0.25)
})

test('given an invalid expression, when it is compiled, then the error describes the fault', () => {
  for (const text of [
    '',
    '1+',
    '(1',
    '1 2',
    'foo(1)',
    'y',
    '{1}',
    '"open',
    'Abs(1,2)',
    '#',
    '1.x.',
    ')',
    'if(1)',
  ]) {
    assert.throws(() => compile(text, ['x']), ExpressionError, text)
  }
})

test('given values that do not fit, when they are computed, then the error reports it', () => {
  for (const text of ['1/0', '1\\0', '1 mod 0', '{1,2,3}+1', '"a"*2', 'z+1']) {
    assert.throws(() => evaluate(text, { z: null }), ExpressionError, text)
  }
})

test('[X-5] given an expression that is very long or very deep, when it is compiled, then it is rejected', () => {
  assert.throws(() => compile('('.repeat(5000), []), ExpressionError)
  assert.throws(() => compile('-'.repeat(5000), []), ExpressionError)
  assert.throws(() => compile('1+'.repeat(6000), []), ExpressionError)
})

test('given any text, when it is compiled, then there is a result or an ExpressionError, nothing else', () => {
  const words = [
    'x',
    '1',
    '2.5',
    '+',
    '-',
    '*',
    '(',
    ')',
    '{',
    '}',
    ',',
    '.',
    '"',
    '^',
    'if',
    'not',
    ' ',
    '=',
    '√',
    '²',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 30 }), (parts) => {
      try {
        evaluate(parts.join(''), { x: 2 })
      } catch (error) {
        assert.ok(error instanceof ExpressionError, parts.join(''))
      }
    }),
  )
})

test('given sums of integers as text, when they are computed, then the result is that of JavaScript', () => {
  const sum = fc.array(fc.tuple(fc.constantFrom('+', '-', '*'), fc.integer({ min: 0, max: 99 })), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99 }), sum, (first, rest) => {
      const text = `${first}${rest.map(([sign, number]) => sign + number).join('')}`
      // biome-ignore lint/security/noGlobalEval: an independent evaluator of plain sums
      assert.equal(formatValue(evaluate(text) ?? 0), String(Number(eval(text)) + 0))
    }),
  )
})
