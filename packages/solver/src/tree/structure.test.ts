import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparePaths } from '@meadow/document'
import fc from 'fast-check'
import { show } from '../testing/run.ts'
import { flatten, flip, graft, merge, reverse, shiftPaths, simplify, trim, unflatten } from './structure.ts'
import { countValues, createTree, findBranch, listValues, type Tree } from './tree.ts'

const path = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 4 })
const branch = (values: fc.Arbitrary<number[]>) => fc.record({ path, values }, { noNullPrototype: true })
const anyTree = fc
  .array(branch(fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 5 })), {
    maxLength: 8,
  })
  .map((branches): Tree<number> => createTree(branches))

const isValid = ({ branches }: Tree<unknown>) =>
  branches.every(({ path: own }, i) => i === 0 || comparePaths(branches[i - 1]?.path ?? [], own) < 0)

const of = (branches: Record<string, number[]>) =>
  createTree(
    Object.entries(branches).map(([text, values]) => ({
      path: text.replace(/[{}]/g, '').split(';').map(Number),
      values,
    })),
  )

test('[T-1] given any branches, when a tree is made, then paths are in order and each there once, and no value is lost', () => {
  fc.assert(
    fc.property(fc.array(branch(fc.array(fc.integer()))), (branches) => {
      const tree = createTree(branches)
      assert.ok(isValid(tree))
      assert.equal(
        countValues(tree),
        branches.reduce((sum, { values }) => sum + values.length, 0),
      )
      for (const branch of tree.branches) assert.equal(findBranch(tree, branch.path), branch)
    }),
  )
})

test('[T-2] given a tree, when it is grafted, then each item has a branch of its own under its path', () => {
  assert.deepEqual(show(graft(of({ '{0}': [7, 8], '{1}': [9], '{2}': [] }))), {
    '{0;0}': [7],
    '{0;1}': [8],
    '{1;0}': [9],
    '{2;0}': [],
  })
  fc.assert(
    fc.property(anyTree, (tree) => {
      const grafted = graft(tree)
      assert.ok(isValid(grafted))
      assert.deepEqual(listValues(trim(grafted, 1)), listValues(tree))
    }),
  )
})

test('[T-3] given a tree, when it is flattened, then its values are in one branch in order', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      assert.deepEqual(show(flatten(tree)), tree.branches.length === 0 ? {} : { '{0}': listValues(tree) })
    }),
  )
})

test('[T-4] given paths that share numbers, when they are simplified, then common numbers are removed, and at least one number stays', () => {
  const paths = (branches: Record<string, number[]>, options = {}) =>
    Object.keys(show(simplify(of(branches), options)))
  assert.deepEqual(paths({ '{0;1;0}': [1], '{0;2;0}': [2] }), ['{1}', '{2}'])
  assert.deepEqual(paths({ '{0;1;0}': [1], '{0;2;0}': [2] }, { front: true }), ['{1;0}', '{2;0}'])
  assert.deepEqual(paths({ '{0;7;1}': [1], '{1;7;2}': [2] }), ['{0;1}', '{1;2}'])
  assert.deepEqual(paths({ '{0}': [1], '{0;1}': [2] }), ['{0}', '{0;1}'])
  assert.deepEqual(paths({ '{4;1}': [1], '{4;1;0}': [2], '{4;1;0;7}': [3] }), ['{4}', '{4;0}', '{4;0;7}'])
  assert.deepEqual(paths({ '{0;0;1}': [1], '{0;0;1;2}': [2], '{0;0;5}': [3] }), ['{1}', '{1;2}', '{5}'])
})

test('[T-4] given a single branch, when it is simplified, then it stays', () => {
  assert.deepEqual(show(simplify(of({ '{3;4}': [1] }))), { '{3;4}': [1] })
})

test('[T-4] given any tree, when it is simplified, then no branch is lost, and once more changes nothing', () => {
  fc.assert(
    fc.property(anyTree, fc.boolean(), (tree, front) => {
      const simple = simplify(tree, { front })
      assert.ok(isValid(simple))
      assert.equal(simple.branches.length, tree.branches.length)
      assert.deepEqual(listValues(simple), listValues(tree))
      assert.ok(simple.branches.every(({ path: own }) => own.length > 0))
      assert.deepEqual(simplify(simple, { front }), simple)
    }),
  )
})

test('given a tree, when it is reversed twice, then it is as before', () => {
  assert.deepEqual(show(reverse(of({ '{0}': [1, 2, 3] }))), { '{0}': [3, 2, 1] })
  fc.assert(fc.property(anyTree, (tree) => assert.deepEqual(reverse(reverse(tree)), tree)))
})

test('[T-5] given several trees, when they are merged, then branches of one path are joined in the order of the trees', () => {
  assert.deepEqual(show(merge([of({ '{0}': [1], '{1}': [2] }), of({ '{0}': [3], '{2}': [4] })])), {
    '{0}': [1, 3],
    '{1}': [2],
    '{2}': [4],
  })
  fc.assert(
    fc.property(fc.array(anyTree, { maxLength: 4 }), (trees) => {
      const merged = merge(trees)
      assert.ok(isValid(merged))
      assert.equal(
        countValues(merged),
        trees.reduce((sum, tree) => sum + countValues(tree), 0),
      )
    }),
  )
})

test('[T-6] given rows, when they are flipped, then the differing index numbers the columns, and nulls fill gaps', () => {
  const flipped = (branches: Record<string, number[]>) => show(flip(of(branches)) ?? assert.fail())
  assert.deepEqual(flipped({ '{0}': [1, 2, 3], '{1}': [4, 5] }), {
    '{0}': [1, 4],
    '{1}': [2, 5],
    '{2}': [3, null],
  })
  assert.deepEqual(flipped({ '{0;0}': [1, 2], '{1;0}': [3, 4] }), { '{0;0}': [1, 3], '{1;0}': [2, 4] })
  assert.deepEqual(flipped({ '{2;5;1}': [1, 2], '{2;5;3}': [3, 4] }), {
    '{2;5;0}': [1, 3],
    '{2;5;1}': [2, 4],
  })
  assert.deepEqual(flipped({ '{3}': [1, 2] }), { '{0}': [1], '{1}': [2] })
  assert.equal(flip(of({ '{0;0}': [1], '{1}': [2] })), undefined)
  assert.equal(flip(of({ '{0;0}': [1], '{1;1}': [2] })), undefined)
})

test('[T-6] given rows of one length, when they are flipped twice, then they are rows again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }), (rows, columns) => {
      const tree = createTree(
        Array.from({ length: rows }, (_, i) => ({
          path: [i],
          values: Array.from({ length: columns }, (__, j) => i * 10 + j),
        })),
      )
      assert.deepEqual(flip(flip(tree) ?? assert.fail()), tree)
    }),
  )
})

test('[T-7] given an offset, when paths are shifted, then numbers go from the end or the start, and short paths go', () => {
  const tree = of({ '{0;1;2}': [1], '{0;1;3}': [2], '{7}': [3] })
  assert.deepEqual(show(shiftPaths(tree, -1)), { '{0;1}': [1, 2] })
  assert.deepEqual(show(shiftPaths(tree, 1)), { '{1;2}': [1], '{1;3}': [2] })
  assert.deepEqual(show(shiftPaths(tree, 0)), show(tree))
  assert.deepEqual(show(shiftPaths(tree, -9)), {})
  assert.deepEqual(show(trim(tree, 2)), { '{0}': [1, 2] })
})

test('[T-8] given a flattened tree and the tree as guide, when it is unflattened, then it is as before', () => {
  fc.assert(fc.property(anyTree, (tree) => assert.deepEqual(unflatten(listValues(tree), tree), tree)))
})

test('[T-8] given too many or too few values, when they are unflattened, then branches are whole or not there', () => {
  const guide = of({ '{4}': [0], '{5}': [0, 0], '{6}': [], '{7}': [0] })
  assert.deepEqual(show(unflatten([1, 2, 3, 4, 5], guide)), {
    '{4}': [1],
    '{5}': [2, 3],
    '{6}': [],
    '{7}': [4],
  })
  assert.deepEqual(show(unflatten([1, 2], guide)), { '{4}': [1] })
})
