import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integer } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import { run } from '../testing/run.ts'
import { createTree, type Tree } from '../tree/tree.ts'
import { planRuns } from './plan-runs.ts'

const SERIES = 'e64c5fb1-845c-4ab1-8911-5f338516ba67'
const REVERSE = '6ec97ea8-c559-47a2-8d0f-ce80c794d1f4'
const SHIFT = '4fdfe351-6c07-47ce-9fb9-be027fb62186'
const DIVISION = '9c85271f-89fa-4e9f-9f4a-d75802120ccc'
const LIST_LENGTH = '1817fd29-20ae-4503-b542-f0fb651e67d7'
const PARTITION = '5a93246d-2595-4c28-bc2d-90657634f92a'
const CHARACTERS = '86503240-d884-43f9-9323-efe30488a6e1'
const STATISTICS = '99bee19d-588c-41a0-b9b9-1d00fb03ea1a'
const LIST_ITEM = '59daf374-bc21-4a5e-8282-5504fb7ae9ae'
const TREE_ITEM = 'c1ec65a3-bda4-4fad-87d0-edf86ed9d81c'
const BOUNDS = 'f44b92b0-3b5b-493a-86f4-fd7408c3daf3'
const MERGE = '3cadddef-1e2b-4c09-9390-0e8f78f7609f'

test('[M-2] given branches at other paths, when they are matched, then their order counts and the last serves again', () => {
  const { outputs } = run(DIVISION, [
    { '{0}': [10], '{1}': [20], '{2}': [30] },
    { '{5}': [2], '{9}': [5] },
  ])
  assert.deepEqual(outputs[0], { '{5}': [5], '{9}': [4], '{10}': [6] })
})

test('[M-3] given lists of different length, when they are matched, then the last item of the shorter serves again', () => {
  assert.deepEqual(
    run(DIVISION, [
      [10, 20, 30],
      [2, 5],
    ]).outputs[0],
    { '{0}': [5, 4, 6] },
  )
})

test('[M-4] [M-5] given an empty branch, when the kind runs, then the branch stays, empty', () => {
  const { outputs } = run(DIVISION, [
    { '{0}': [4], '{1}': [] },
    { '{0}': [2], '{1}': [] },
  ])
  assert.deepEqual(outputs[0], { '{0}': [2], '{1}': [] })
})

test('[M-5] given an empty branch beside one with items, when the kind runs, then there is a null for each item', () => {
  assert.deepEqual(run(DIVISION, [[1, 2], { '{0}': [] }]).outputs[0], { '{0}': [null, null] })
})

test('[M-5] given an empty branch, when a kind gives lists, then its list is empty where the first would be', () => {
  assert.deepEqual(run(SERIES, [{ '{0}': [], '{1}': [5] }, 1, 2]).outputs[0], {
    '{0;0}': [],
    '{1;0}': [5, 6],
  })
  assert.deepEqual(run(CHARACTERS, [{ '{0}': [], '{1}': ['a'] }]).outputs[0], { '{0;0}': [], '{1;0}': ['a'] })
})

test('[M-1] [M-6] given only tree inputs, when the kind runs, then it runs once, with all of each', () => {
  assert.deepEqual(run(MERGE, [{ '{3}': [1] }, { '{1}': [2] }]).outputs[0], { '{1}': [2], '{3}': [1] })
})

test('[M-6] given only a tree, when the kind gives items and lists, then they go to its first path', () => {
  const { outputs } = run(STATISTICS, [{ '{3;7}': [1], '{4;1}': [2, 3] }])
  assert.deepEqual(outputs.slice(1), [{ '{3;7}': [integer(1), integer(2)] }, { '{3;7}': [integer(2)] }])
  assert.deepEqual(run(MERGE, [undefined]).outputs[0], {})
})

test('[M-1] given a list and a tree beside items, when the kind runs, then it has them whole each time', () => {
  assert.deepEqual(run(LIST_ITEM, [['a', 'b', 'c'], [2, 0], true], { outputs: 1 }).outputs[0], {
    '{0}': ['c', 'a'],
  })
  const tree = { '{0}': ['a'], '{1}': ['b'] } as const
  assert.deepEqual(run(TREE_ITEM, [tree, ['{1}', '{0}'], 0, true]).outputs[0], { '{0}': ['b', 'a'] })
})

test('[M-7] given a tree beside a single item, when the kind runs, then outputs have its paths', () => {
  assert.deepEqual(run(DIVISION, [6, { '{4;0}': [2], '{4;1}': [3] }]).outputs[0], {
    '{4;0}': [3],
    '{4;1}': [2],
  })
  assert.deepEqual(run(DIVISION, [6, { '{4;0}': [2] }]).outputs[0], { '{4;0}': [3] })
})

test('[M-7] given single items of the same depth, when the kind runs, then the first input leads, or the principal one', () => {
  const inputs = [{ '{1}': [6] }, { '{2}': [2] }] as const
  assert.deepEqual(run(DIVISION, inputs).outputs[0], { '{1}': [3] })
  assert.deepEqual(run(DIVISION, inputs, { ports: { 1: { options: ['principal'] } } }).outputs[0], {
    '{2}': [3],
  })
})

test('[M-7] given another input with more branches, when the kind runs, then the last path of the leading one counts up', () => {
  const two = { '{0;10}': [1], '{0;11}': [2] } as const
  const three = { '{0;100}': [1], '{0;101}': [2], '{0;102}': [6] } as const
  assert.deepEqual(run(DIVISION, [three, two]).outputs[0], { '{0;10}': [1], '{0;11}': [1], '{0;12}': [3] })
  const deep = { '{4;0;0}': [12] } as const
  assert.deepEqual(run(DIVISION, [three, deep]).outputs[0], {
    '{4;0;0}': [1 / 12],
    '{4;0;1}': [2 / 12],
    '{4;0;2}': [6 / 12],
  })
  const chosen = run(DIVISION, [deep, { '{7}': [2], '{9}': [3] }], {
    ports: { 1: { options: ['principal'] } },
  })
  assert.deepEqual(chosen.outputs[0], { '{7}': [6], '{9}': [4] })
})

test('[M-7] given an input with gaps between its paths, when others hold single items, then the paths stay', () => {
  const { outputs } = run(SHIFT, [{ '{0}': [1, 2], '{2}': [3, 4], '{4}': [5, 6] }, 1, true])
  assert.deepEqual(Object.keys(outputs[0] ?? {}), ['{0;0}', '{2;0}', '{4;0}'])
})

test('[M-7] given a tree beside single items, when the kind runs, then it leads with its first path if that is longer', () => {
  const tree = { '{0;0}': ['a', 'b'], '{0;1}': ['c'] } as const
  assert.deepEqual(run(TREE_ITEM, [tree, '{0;1}', 0, true]).outputs[0], { '{0;0}': ['c'] })
  assert.deepEqual(run(TREE_ITEM, [tree, '{0;0}', { '{5;1}': [0, 1] }, true]).outputs[0], {
    '{5;1}': ['a', 'b'],
  })
  assert.deepEqual(run(TREE_ITEM, [tree, { '{0}': ['{0;0}'], '{1}': ['{0;1}'] }, 0, true]).outputs[0], {
    '{0}': ['a'],
    '{1}': ['c'],
  })
})

test('[M-8] given single items, when a kind gives a list, then a 0 is added to the path', () => {
  assert.deepEqual(run(SERIES, [0, 2, 3]).outputs[0], { '{0;0}': [0, 2, 4] })
  assert.deepEqual(run(SERIES, [{ '{2;1}': [0] }, 2, 3]).outputs[0], { '{2;1;0}': [0, 2, 4] })
})

test('[M-8] given only lists, when a kind gives lists, then they keep the path', () => {
  const { outputs } = run(REVERSE, [{ '{0}': [1, 2], '{3;2}': [3, 4] }])
  assert.deepEqual(outputs[0], { '{0}': [2, 1], '{3;2}': [4, 3] })
})

test('[M-8] given several items, when a kind gives lists, then the index of the item is added to the path', () => {
  assert.deepEqual(run(SERIES, [{ '{7}': [0, 5] }, 1, 2]).outputs[0], { '{7;0}': [0, 1], '{7;1}': [5, 6] })
})

test('[M-8] given several branches of one item, when a kind with item inputs gives lists, then a 0 is added to each', () => {
  const { outputs } = run(SERIES, [{ '{0;0}': [0], '{0;1}': [5] }, 1, 2])
  assert.deepEqual(outputs[0], { '{0;0;0}': [0, 1], '{0;1;0}': [5, 6] })
})

test('[M-8] given a tree of lists, when a kind takes lists and single items, then a 0 is added to each', () => {
  const { outputs } = run(SHIFT, [{ '{0;0}': [1, 2], '{0;1}': [3, 4] }, 1, true])
  assert.deepEqual(outputs[0], { '{0;0;0}': [2, 1], '{0;1;0}': [4, 3] })
})

test('[M-8] given a list and several items, when a kind gives lists, then the index of the item is added', () => {
  const { outputs } = run(SHIFT, [{ '{3}': [1, 2, 3] }, [1, 2], true])
  assert.deepEqual(outputs[0], { '{3;0}': [2, 3, 1], '{3;1}': [3, 1, 2] })
})

test('[M-8] given lists, when a kind gives trees, then these begin with the path of the list', () => {
  const { outputs } = run(PARTITION, [{ '{0}': [1, 2, 3], '{1}': [4] }, 2])
  assert.deepEqual(outputs[0], { '{0;0}': [1, 2], '{0;1}': [3], '{1;0}': [4] })
})

test('[M-9] given a null among the items, when the kind runs, then its index holds a null, or an empty branch', () => {
  assert.deepEqual(run(DIVISION, [[4, null, 8], 2]).outputs[0], { '{0}': [2, null, 4] })
  assert.deepEqual(run(SERIES, [[0, null], 1, 2]).outputs[0], { '{0;0}': [0, 1], '{0;1}': [] })
  assert.deepEqual(run(LIST_LENGTH, [[1, null, 2]]).outputs[0], { '{0}': [{ type: 'integer', value: 3 }] })
})

test('[M-11] given a kind that leaves out what it gives, when it ran, then there is a null, or an empty branch', () => {
  assert.deepEqual(run(BOUNDS, [{ '{0}': [null] }]).outputs[0], { '{0}': [null] })
  assert.deepEqual(run(SERIES, [0, 1, -1]).outputs[0], { '{0;0}': [] })
})

test('[M-10] given an input without data, when the kind would run, then it warns with the text of Grasshopper and its outputs are empty', () => {
  const { outputs, messages } = run(DIVISION, [1, undefined], { inputNames: ['A', 'B'] })
  assert.deepEqual(outputs, [{}])
  assert.deepEqual(messages, ['warning: Input parameter B failed to collect data'])
})

const branchCount = fc.integer({ min: 1, max: 5 })
const anyTree = fc
  .tuple(branchCount, fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 5, maxLength: 5 }))
  .map(
    ([count, sizes]): Tree<number> =>
      createTree(
        sizes
          .slice(0, count)
          .map((size, i) => ({ path: [i], values: Array.from({ length: size }, (_, j) => j) })),
      ),
  )

test('[M-2] [M-3] [M-4] [M-7] given any two trees, when runs are planned, then groups and runs are as many as the longer has', () => {
  fc.assert(
    fc.property(anyTree, anyTree, (a, b) => {
      const { groups } = planRuns([
        { access: 'item', tree: a },
        { access: 'item', tree: b },
      ])
      assert.equal(groups.length, Math.max(a.branches.length, b.branches.length))
      assert.equal(new Set(groups.map(({ path }) => path.join(';'))).size, groups.length)
      for (const [i, { runs }] of groups.entries()) {
        const sizeOf = (one: Tree<number>) =>
          one.branches[Math.min(i, one.branches.length - 1)]?.values.length ?? 0
        assert.equal(runs, Math.max(sizeOf(a), sizeOf(b)))
      }
    }),
  )
})
