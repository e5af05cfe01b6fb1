import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPath } from '@meadow/document'
import { findRelativeOffset, pairRelativeItems } from './relative-items.ts'
import { createTree, type Tree } from './tree.ts'

const of = (branches: Record<string, string>): Tree<string> =>
  createTree(
    Object.entries(branches).map(([path, letters]) => ({
      path: findPath(path) ?? [],
      values: letters.split(''),
    })),
  )

/** The pairs as `{path} ab cd`, so that a whole result is one line. */
const pair = (offset: string, a: Tree<string>, b = a, wrapsPaths = false, wrapsItems = false) => {
  const read = findRelativeOffset(offset)
  assert.ok(read)
  const [first, second] = pairRelativeItems(a, b, read, { wrapsPaths, wrapsItems })
  return first.branches.map(({ path, values }, i) => {
    assert.deepEqual(second.branches[i]?.path, path)
    return `${path.join(';')}: ${values.map((value, j) => `${value}${second.branches[i]?.values[j]}`).join(' ')}`
  })
}

// Ragged in both directions; the expected results were worked out by hand and agree with recorded ones of Grasshopper 8.
const RAGGED = of({ '{0;0}': 'abc', '{0;1}': 'de', '{1;0}': 'f', '{2;3}': 'ghij' })

test('given an offset in paths, when items are paired, then only what has a partner is', () => {
  assert.deepEqual(pair('{0;+1}', RAGGED), ['0;0: ad be'])
  assert.deepEqual(pair('{0;1}', RAGGED), ['0;0: ad be'])
  assert.deepEqual(pair('{0;-1}', RAGGED), ['0;1: da eb'])
  assert.deepEqual(pair('{+1;0}', RAGGED), ['0;0: af'])
  assert.deepEqual(pair('{0}', RAGGED), [])
})

test('given an offset in indices, when items are paired, then each has the one so far on, or round', () => {
  assert.deepEqual(pair('{0;0}[+1]', RAGGED), ['0;0: ab bc', '0;1: de', '2;3: gh hi ij'])
  assert.deepEqual(pair('{0;0}[-1]', RAGGED), ['0;0: ba cb', '0;1: ed', '2;3: hg ih ji'])
  assert.deepEqual(pair('{0;0} [1]', RAGGED, RAGGED, false, true), [
    '0;0: ab bc ca',
    '0;1: de ed',
    '1;0: ff',
    '2;3: gh hi ij jg',
  ])
})

test('given wrapped paths, when items are paired, then numbers go round among those in their position', () => {
  assert.deepEqual(pair('{0;+1}', RAGGED, RAGGED, true), [
    '0;0: ad be',
    '0;1: da eb',
    '1;0: ff',
    '2;3: gg hh ii jj',
  ])
  assert.deepEqual(pair('{+1;0}', RAGGED, RAGGED, true), ['0;0: af'])
  assert.deepEqual(pair('{0;+1}', RAGGED, of({ '{0;0}': 'AB', '{0;1}': 'D' }), true), [
    '0;0: aD',
    '0;1: dA eB',
  ])
})

test('given what is no offset, when it is read, then it is none', () => {
  for (const text of ['', '[+1]', '0;1', '{a}', '{0}[x]', '{}'])
    assert.equal(findRelativeOffset(text), undefined)
})
