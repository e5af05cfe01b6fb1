import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DataTree, Solution } from '@meadow/contract'
import { MeadowError, parsePath, Tree, treeOf, treesOf } from './index.ts'

const number = (value: number | 'NaN' | 'Infinity' | '-Infinity') => ({ type: 'number', value }) as const

const TREE: DataTree = {
  branches: [
    { path: '{0;0}', values: [number(1), null, number(3)] },
    { path: '{0;1}', values: [] },
    { path: '{0;10}', values: [number('NaN'), number('-Infinity')] },
  ],
}

describe('a tree', () => {
  test('[SDK-30] given a tree, when it is iterated, then each value comes with its path, its index and what the API says of it, in order', () => {
    const tree = Tree.of(TREE)
    assert.deepEqual(
      [...tree].map(({ path, index, type, value, item }) => [path, index, value, type, item?.type]),
      [
        ['{0;0}', 0, 1, 'number', 'number'],
        ['{0;0}', 1, null, null, undefined],
        ['{0;0}', 2, 3, 'number', 'number'],
        ['{0;10}', 0, Number.NaN, 'number', 'number'],
        ['{0;10}', 1, Number.NEGATIVE_INFINITY, 'number', 'number'],
      ],
    )
    assert.deepEqual([tree.size, tree.paths], [5, ['{0;0}', '{0;1}', '{0;10}']])
    assert.deepEqual(tree.branch('{0;0}'), [1, null, 3])
    assert.deepEqual(tree.branch([0, 10]), [Number.NaN, Number.NEGATIVE_INFINITY])
    assert.deepEqual([tree.branch('{0;1}'), tree.branch('{7}')], [[], []])
    assert.deepEqual([parsePath('{0;10}'), parsePath('{}')], [[0, 10], []])
  })

  test('[SDK-31] given a tree, when it is filtered, mapped, flattened or turned into rows, then places stay, and the tree itself does not change', () => {
    const tree = Tree.of(TREE)
    const large = tree.filter(({ value }) => typeof value === 'number' && value > 1)
    assert.deepEqual(large.rows(), [{ path: '{0;0}', index: 2, type: 'number', value: 3 }])
    assert.deepEqual(large.paths, ['{0;0}'])
    const texts = tree.map(({ value, path }) => `${path} ${value}`)
    assert.deepEqual(texts.branch('{0;10}'), ['{0;10} NaN', '{0;10} -Infinity'])
    assert.deepEqual(texts.paths, tree.paths)
    const flat = large.flatten()
    assert.deepEqual(
      [...flat].map(({ path, index, value }) => [path, index, value]),
      [['{0}', 0, 3]],
    )
    assert.deepEqual(tree.flatten().values, [1, null, 3, Number.NaN, Number.NEGATIVE_INFINITY])
    assert.deepEqual(tree.filter(() => false).flatten().paths, [])
    assert.deepEqual(tree.rows()[1], { path: '{0;0}', index: 1, type: null, value: null })
    assert.equal(tree.size, 5)
  })

  test('[SDK-32] given values of every shape, when they are read, then numbers that JSON lacks are numbers at any depth, and text stays text', () => {
    const plane = { origin: [0, 'NaN', 0], xAxis: [1, 0, 0], yAxis: [0, 1, 0] }
    const values = [
      { type: 'string', value: 'NaN' },
      { type: 'colour', value: '#ff0000ff' },
      { type: 'path', value: '{0;1}' },
      { type: 'point', value: [1, 'Infinity', '-Infinity'] },
      { type: 'circle', value: { plane, radius: 'NaN' } },
      { type: 'boolean', value: false },
      { type: 'curve', value: { description: 'Infinity', boundingBox: null } },
      { type: 'unknown', value: { description: 'NaN' } },
    ]
    const tree = Tree.of({ branches: [{ path: '{0}', values }] } as unknown as DataTree)
    assert.deepEqual(tree.values, [
      'NaN',
      '#ff0000ff',
      '{0;1}',
      [1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      { plane: { ...plane, origin: [0, Number.NaN, 0] }, radius: Number.NaN },
      false,
      { description: 'Infinity', boundingBox: null },
      { description: 'NaN' },
    ])
  })

  test('[SDK-34] given ids that every object has a member of, when their trees are read, then only what the solution has is found', () => {
    const data = JSON.parse('{"solutionId":"sol_1","__proto__":{"constructor":{"branches":[]}}}')
    const solution = { data } as Pick<Solution, 'data'>
    assert.equal(treeOf(solution, '__proto__', 'constructor').size, 0)
    assert.deepEqual(
      treesOf(solution, { nodes: {} }).map(({ nodeId, portId }) => [nodeId, portId]),
      [['__proto__', 'constructor']],
    )
    for (const [node, port] of [
      ['constructor', 'name'],
      ['solutionId', 'length'],
      ['__proto__', 'toString'],
    ] as const)
      assert.throws(() => treeOf(solution, node, port), MeadowError)
  })
})
