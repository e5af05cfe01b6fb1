import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPathMask } from './path-mask.ts'

const matches = (mask: string, ...path: number[]) => findPathMask(mask)?.matchesPath(path)

test('given masks of each form, when paths are tested, then the rules that Split Tree publishes hold', () => {
  assert.equal(matches('{0;1}', 0, 1), true)
  assert.equal(matches('{0;1}', 0, 2), false)
  assert.equal(matches('{*}', 3, 2, 1), true)
  assert.equal(matches('{0;*}', 0), true)
  assert.equal(matches('{*;2}', 5, 4, 2), true)
  assert.equal(matches('{?;2}', 5, 4, 2), false)
  assert.equal(matches('{!3}', 3), false)
  assert.equal(matches('{!(2,6)}', 4), true)
  assert.equal(matches('{(2 to 4)}', 4), true)
  assert.equal(matches('{(2 to 4)}', 5), false)
  assert.equal(matches('{0,2,...}', 8), true)
  assert.equal(matches('{(0,2,...)}', 7), false)
  assert.equal(matches('{(0,3,...,9)}', 9), true)
  assert.equal(matches('{(0,3,...,9)}', 12), false)
})

test('given comparisons in masks, when paths are tested, then their signs hold, also negated', () => {
  const test = (mask: string) => [1, 2, 3].map((index) => matches(mask, 0, index))
  assert.deepEqual(test('{0;<2}'), [true, false, false])
  assert.deepEqual(test('{0;<=2}'), [true, true, false])
  assert.deepEqual(test('{0;> 2}'), [false, false, true])
  assert.deepEqual(test('{0;!>=2}'), [true, false, false])
  assert.equal(findPathMask('{0;=>2}'), undefined)
})

test('given a mask with brackets, when indices are tested, then only those are selected', () => {
  const mask = findPathMask('{*;(0,2,...)}[1,3,...]')
  assert.equal(mask?.matchesPath([9, 4]), true)
  assert.deepEqual(
    [0, 1, 2, 3].map((index) => mask?.matchesIndex(index)),
    [false, true, false, true],
  )
})

test('given an invalid mask, when it is parsed, then the result is undefined', () => {
  for (const text of ['', '0;1', '{a}', '{0}[', '{(1,...)}', `{${'*;'.repeat(2000)}}`]) {
    assert.equal(findPathMask(text), undefined, text.slice(0, 20))
  }
})

test('given many stars, when a path does not match, then the answer is quick', () => {
  const mask = findPathMask(`{${'*;'.repeat(300)}9}`)
  assert.equal(mask?.matchesPath(Array.from({ length: 300 }, () => 1)), false)
})
