import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integer, pathValue } from '@meadow/geometry/values/value'
import { run } from '../../testing/run.ts'

const whole = (...numbers: number[]) => numbers.map(integer)
const TREE = { '{0;0}': [1, 2], '{0;1}': [3] } as const

test('Graft, Flatten, Simplify, Flip, Shift Paths, Trim: given a tree, then its structure changes and its data does not', () => {
  const out = (guid: string, ...inputs: Parameters<typeof run>[1]) => run(guid, inputs).outputs[0]
  assert.deepEqual(out('87e1d9ef-088b-4d30-9dda-8a7448a17329', TREE), {
    '{0;0;0}': [1],
    '{0;0;1}': [2],
    '{0;1;0}': [3],
  })
  assert.deepEqual(out('f80cfe18-9510-4b89-8301-8e58faf423bb', TREE, pathValue([4])), { '{4}': [1, 2, 3] })
  assert.deepEqual(out('1303da7b-e339-4e65-a051-82c4dce8224d', TREE, false), { '{0}': [1, 2], '{1}': [3] })
  assert.deepEqual(out('41aa4112-9c9b-42f4-847e-503b9d90e4c7', TREE), {
    '{0;0}': [1, 3],
    '{0;1}': [2, null],
  })
  assert.deepEqual(out('2d61f4e0-47c5-41d6-a41d-6afa96ee63af', TREE, -1), { '{0}': [1, 2, 3] })
  assert.deepEqual(out('1177d6ee-3993-4226-9558-52b7fd63e1e3', TREE, 1), { '{0}': [1, 2, 3] })
  assert.deepEqual(out('b8e2aa8f-8830-4ee1-bb59-613ea279c281', [7, 8, 9], TREE), {
    '{0;0}': [7, 8],
    '{0;1}': [9],
  })
})

test('Merge, Entwine: given several trees, then paths are joined, or made anew', () => {
  assert.deepEqual(run('3cadddef-1e2b-4c09-9390-0e8f78f7609f', [TREE, undefined, { '{0;1}': [4] }]).outputs, [
    { '{0;0}': [1, 2], '{0;1}': [3, 4] },
  ])
  assert.deepEqual(run('c9785b8e-2f30-4f90-8ee3-cca710f82402', [TREE, undefined, 9]).outputs, [
    { '{0;0}': [1, 2, 3], '{0;1}': [], '{0;2}': [9] },
  ])
  // Files name the inputs {0;x}, {1;x} when trees are not flattened.
  const whole = { state: { kind: 'options', options: { flattenInputs: false } } }
  assert.deepEqual(run('c9785b8e-2f30-4f90-8ee3-cca710f82402', [TREE, undefined, 9], whole).outputs, [
    { '{0;0;0}': [1, 2], '{0;0;1}': [3], '{2;0}': [9] },
  ])
})

test('Flip Matrix, Shift Paths: given paths that do not fit, then they report it', () => {
  assert.deepEqual(run('41aa4112-9c9b-42f4-847e-503b9d90e4c7', [{ '{0;0}': [1], '{1}': [2] }]), {
    outputs: [{}],
    messages: ['error: The paths must be of one length and differ in one number'],
    codes: ['failed'],
  })
  assert.deepEqual(run('2d61f4e0-47c5-41d6-a41d-6afa96ee63af', [{ '{0}': [1], '{1;1}': [2] }, -1]), {
    outputs: [{ '{1}': [2] }],
    messages: ['warning: Branches whose paths are too short were left out'],
    codes: ['note'],
  })
})

test('Stream Gate: given a number, then its output has the tree and the others nothing', () => {
  const gate = (number: number) => run('71fcc052-6add-4d70-8d97-cfb37ea9d169', [TREE, number], { outputs: 2 })
  assert.deepEqual(gate(1).outputs, [{}, TREE])
  assert.deepEqual(gate(2), {
    outputs: [{}, {}],
    messages: ['error: There is no target 2'],
    codes: ['failed'],
  })
})

test('Relative Item, Relative Items: given an offset, then items are paired over it', () => {
  assert.deepEqual(run('fac0d5be-e3ff-4bbb-9742-ec9a54900d41', [TREE, '{0;+1}', false, false]).outputs, [
    { '{0;0}': [1] },
    { '{0;0}': [3] },
  ])
  const other = { '{0;0}': ['a', 'b'], '{0;1}': ['c'] } as const
  assert.deepEqual(
    run('2653b135-4df1-4a6b-820c-55e2ad3bc1e0', [TREE, other, '{0;0}[+1]', false, true]).outputs,
    [
      { '{0;0}': [1, 2], '{0;1}': [3] },
      { '{0;0}': ['b', 'a'], '{0;1}': ['c'] },
    ],
  )
  assert.match(
    run('fac0d5be-e3ff-4bbb-9742-ec9a54900d41', [TREE, '+1', false, false]).messages.join(),
    /^error: The offset/,
  )
})

test('Clean Tree, Prune Tree: given nulls and branches of different size, then they go', () => {
  const tree = { '{0}': [1, null], '{1}': [null], '{2}': [] } as const
  const clean = (nulls: boolean, empty: boolean) =>
    run('071c3940-a12d-4b77-bb23-42b5d3314a0d', [nulls, true, empty, tree]).outputs[0]
  assert.deepEqual(clean(true, true), { '{0}': [1] })
  assert.deepEqual(clean(true, false), { '{0}': [1], '{1}': [], '{2}': [] })
  assert.deepEqual(clean(false, true), { '{0}': [1, null], '{1}': [null] })
  assert.deepEqual(run('fe769f85-8900-45dd-ba11-ec9cd6c778c6', [tree, 1, 1]).outputs[0], { '{1}': [null] })
  assert.deepEqual(run('fe769f85-8900-45dd-ba11-ec9cd6c778c6', [tree, 1, 0]).outputs[0], {
    '{0}': [1, null],
    '{1}': [null],
  })
})

test('Tree Branch, Tree Item: given a path as path, text or number, then the branch or the item', () => {
  const branch = '3a710c1e-1809-4e19-8c15-82adce31cd62'
  assert.deepEqual(run(branch, [TREE, '{0;1}']).outputs[0], { '{0;1}': [3] })
  assert.deepEqual(run(branch, [TREE, ['{0;1}', '{0;1}']]).outputs[0], { '{0;1}': [3, 3] })
  assert.deepEqual(run(branch, [{ '{2}': [5] }, 2]).outputs[0], { '{2}': [5] })
  const moves = { state: { kind: 'options', options: { maintainPaths: false } } }
  assert.deepEqual(run(branch, [TREE, pathValue([0, 1])], moves).outputs[0], { '{0;0;0}': [3] })
  assert.deepEqual(run(branch, [TREE, '{9}']), {
    outputs: [{ '{9}': [] }],
    messages: ['warning: The tree has no branch at this path'],
    codes: ['note'],
  })
  const item = 'c1ec65a3-bda4-4fad-87d0-edf86ed9d81c'
  assert.deepEqual(run(item, [TREE, '{0;0}', -1, true]).outputs[0], { '{0;0}': [2] })
  assert.deepEqual(run(item, [TREE, '{0;0}', 2, false]).outputs[0], { '{0;0}': [null] })
})

test('Tree Statistics, Explode Tree, Stream Filter: given a tree, then what it is made of', () => {
  assert.deepEqual(run('99bee19d-588c-41a0-b9b9-1d00fb03ea1a', [TREE]).outputs, [
    { '{0;0}': [pathValue([0, 0]), pathValue([0, 1])] },
    { '{0;0}': whole(2, 1) },
    { '{0;0}': whole(2) },
  ])
  assert.deepEqual(run('74cad441-2264-45fe-a57d-85034751208a', [TREE], { outputs: 3 }).outputs, [
    { '{0;0}': [1, 2] },
    { '{0;1}': [3] },
    {},
  ])
  const filter = 'eeafc956-268e-461d-8e73-ee05c6f72c01'
  assert.deepEqual(run(filter, [1, TREE, { '{7}': ['x'] }]).outputs[0], { '{7}': ['x'] })
  assert.deepEqual(run(filter, [5, TREE]).messages, ['error: There is no stream 5'])
})

// The mask is the one of a published definition on weaving: every second item of every second row.
test('Split Tree: given masks, then what they select and the rest', () => {
  const grid = { '{0;0}': [1, 2, 3], '{0;1}': [4, 5, 6] } as const
  assert.deepEqual(run('d8b1e7ac-cd31-4748-b262-e07e53068afc', [grid, ['{*;(0,2,...)}[0,2,...]']]).outputs, [
    { '{0;0}': [1, 3] },
    { '{0;0}': [2], '{0;1}': [4, 5, 6] },
  ])
  assert.match(run('d8b1e7ac-cd31-4748-b262-e07e53068afc', [grid, ['{x}']]).messages.join(), /^error/)
})

test('Construct Path, Deconstruct Path, Replace Paths: given numbers, then paths, and back', () => {
  assert.deepEqual(run('946cb61e-18d2-45e3-8840-67b0efa26528', [whole(0, 3)]).outputs, [
    { '{0}': [pathValue([0, 3])] },
  ])
  assert.deepEqual(run('df6d9197-9a6e-41a2-9c9d-d2221accb49e', ['{0;3}']).outputs, [{ '{0;0}': whole(0, 3) }])
  const replaced = run('bfaaf799-77dc-4f31-9ad8-2f7d1a80aeb0', [TREE, ['{0;1}'], ['{5}']])
  assert.deepEqual(replaced.outputs, [{ '{0;0}': [1, 2], '{5}': [3] }])
})

test('[T-9] Path Mapper: given rules, then items move to the paths of the rules', () => {
  const map = (source: string, target: string) =>
    run('f9b89a46-bc5d-4f7a-9a6f-134f93ac3af9', [TREE], {
      state: { kind: 'pathMapper', rules: [{ source, target }] },
    })
  assert.deepEqual(map('{A;B}(i)', '{A;B;i}').outputs[0], { '{0;0;0}': [1], '{0;0;1}': [2], '{0;1;0}': [3] })
  assert.deepEqual(map('{a;b}', '{b + 1}').outputs[0], { '{1}': [1, 2], '{2}': [3] })
  assert.deepEqual(map('{A;B}(i)', '{i;path_index}').outputs[0], { '{0;0}': [1], '{0;1}': [3], '{1;0}': [2] })
  assert.deepEqual(map('{A;B}(i)', '{i/2}').outputs[0], { '{0}': [1, 2, 3] })
  assert.deepEqual(map('{A}', '{A}'), {
    outputs: [{}],
    messages: ['warning: No rule is for the path {0;0}', 'warning: No rule is for the path {0;1}'],
    codes: ['note', 'note'],
  })
  assert.match(map('{A;B', '{A}').messages.join(), /is not a mask/)
  assert.match(map('{A;B+1}', '{A}').messages.join(), /is not a mask/)
})

test('[T-9] Path Mapper: given constants in the source, then only equal numbers match', () => {
  const map = (...rules: [source: string, target: string][]) =>
    run('f9b89a46-bc5d-4f7a-9a6f-134f93ac3af9', [TREE], {
      state: { kind: 'pathMapper', rules: rules.map(([source, target]) => ({ source, target })) },
    })
  assert.deepEqual(map(['{0;1}', '{7}']), {
    outputs: [{ '{7}': [3] }],
    messages: ['warning: No rule is for the path {0;0}'],
    codes: ['note'],
  })
  assert.deepEqual(map(['{A;0}', '{A}'], ['{A;B}', '{B;A}']), {
    outputs: [{ '{0}': [1, 2], '{1;0}': [3] }],
    messages: [],
    codes: [],
  })
  assert.deepEqual(map(['{A;B}(0)', '{B}']), {
    outputs: [{ '{0}': [1], '{1}': [3] }],
    messages: [],
    codes: [],
  })
})

test('[T-9] Path Mapper: given a target with an index, then items go there, the last of several remains', () => {
  const map = (source: string, target: string) =>
    run('f9b89a46-bc5d-4f7a-9a6f-134f93ac3af9', [TREE], {
      state: { kind: 'pathMapper', rules: [{ source, target }] },
    })
  assert.deepEqual(map('{A;B}(i)', '{A}(i)').outputs[0], { '{0}': [3, 2] })
  assert.deepEqual(map('{A;B}(i)', '{A;i}(B)').outputs[0], { '{0;0}': [1, 3], '{0;1}': [2] })
  assert.deepEqual(map('{A;B}(i)', '{i}(0)').outputs[0], { '{0}': [3], '{1}': [2] })
  assert.deepEqual(map('{A;B}(i)', '{A}(2*i+1)').outputs[0], { '{0}': [null, 3, null, 2] })
  assert.deepEqual(map('{A;B}(i)', '{A}(i-1)').messages, ['error: An index is not negative'])
})

test('Path Compare: given a path and a mask, when compared, then it tells whether the mask selects the path', () => {
  const compare = (path: string, mask: string) => {
    const { outputs, messages } = run('1d8b0e2c-e772-4fa9-b7f7-b158251b34b8', [path, mask])
    return [outputs[0]?.['{0}']?.[0], messages.length]
  }
  assert.deepEqual(compare('{0;3}', '{0;3}'), [true, 0])
  assert.deepEqual(compare('{0;3}', '{0;?}'), [true, 0])
  assert.deepEqual(compare('{0;3;1}', '{0;?}'), [false, 0])
  assert.deepEqual(compare('{0;3;1}', '{0;*}'), [true, 0])
  assert.deepEqual(compare('{0}', '{!0}'), [false, 0])
  assert.deepEqual(compare('{0}', '{('), [null, 1])
})

test('Match Tree: given a guide with another number of branches, then an error', () => {
  const { messages } = run('46372d0d-82dc-4acb-adc3-25d1fde04c4e', [[1, 2], { '{0}': [1], '{1}': [2] }])
  assert.match(messages.join(), /^error: /)
})

test('[T-10] given several gates, then Stream Filter takes the first; given several paths, then Flatten Tree is a limit', () => {
  const filtered = run('eeafc956-268e-461d-8e73-ee05c6f72c01', [whole(1, 0), [1, 2], ['a']])
  assert.deepEqual(filtered.outputs, [{ '{0}': ['a'] }])
  const paths = [pathValue([4]), pathValue([5])]
  assert.deepEqual(run('f80cfe18-9510-4b89-8301-8e58faf423bb', [TREE, paths]).codes, ['limit'])
})
