import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { comparePaths, findPath, formatPath } from './path.ts'

const path = fc.array(fc.integer({ min: -3, max: 1000 }), { maxLength: 6 })

test('[DOC-1] given any path, when written and read, then it is the same', () => {
  fc.assert(fc.property(path, (given) => assert.deepEqual(findPath(formatPath(given)), given)))
})

test('[DOC-1] given texts with blanks, when read, then the blanks are ignored', () => {
  assert.deepEqual(findPath(' { 0 ; 12 } '), [0, 12])
  assert.deepEqual(findPath('{ }'), [])
})

test('[DOC-1] given texts that are not paths, when read, then the result is undefined', () => {
  for (const text of [
    '',
    '0;1',
    '{0',
    '{0;}',
    '{a}',
    '{0.5}',
    '{1 2}',
    '{99999999999999999999}',
    `{${'0;'.repeat(9999)}0}`,
  ]) {
    assert.equal(findPath(text), undefined, text.slice(0, 30))
  }
})

test('[DOC-2] given paths, when sorted, then numbers count by value and the shorter path comes first', () => {
  const sorted = [[1], [0, 10], [0, 2], [0], [], [0, 2, 0]].sort(comparePaths)
  assert.deepEqual(sorted, [[], [0], [0, 2], [0, 2, 0], [0, 10], [1]])
})

test('[DOC-2] given any two paths, when compared both ways, then the answers agree', () => {
  fc.assert(
    fc.property(path, path, (a, b) => {
      assert.equal(Math.sign(comparePaths(a, b)), -Math.sign(comparePaths(b, a)) + 0)
      assert.equal(comparePaths(a, b) === 0, formatPath(a) === formatPath(b))
    }),
  )
})
