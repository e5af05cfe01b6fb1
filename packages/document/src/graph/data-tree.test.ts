import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDataTree, decodeNumber, encodeNumber } from './data-tree.ts'

const one = { type: 'integer', value: 1 } as const
const two = { type: 'integer', value: 2 } as const

test('[DOC-3] given branches in any order, when a tree is created, then they are in path order and joined', () => {
  const tree = createDataTree([
    { path: [10], values: [one] },
    { path: [2], values: [] },
    { path: [2, 0], values: [null] },
    { path: [10], values: [null, two] },
  ])
  assert.deepEqual(tree, {
    branches: [
      { path: '{2}', values: [] },
      { path: '{2;0}', values: [null] },
      { path: '{10}', values: [one, null, two] },
    ],
  })
})

test('[DOC-4] given numbers that JSON lacks, when encoded, then JSON carries them', () => {
  const numbers = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.1, -3]
  const encoded = numbers.map(encodeNumber)
  assert.deepEqual(encoded, ['NaN', 'Infinity', '-Infinity', 0.1, -3])
  assert.deepEqual(JSON.parse(JSON.stringify(encoded)).map(decodeNumber), numbers)
})
