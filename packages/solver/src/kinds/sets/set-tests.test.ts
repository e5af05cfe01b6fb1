import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integer } from '@meadow/geometry/values/value'
import { type InputData, listOnly, run } from '../../testing/run.ts'

const DISJOINT = '81800098-1060-4e2b-80d4-17f835cc825f'
const SUBSET = '4cfc0bb0-0745-4772-a520-39f9bf3d99bc'
const SYMMETRIC = 'd2461702-3164-4894-8c10-ed1fc4b52965'
const MAJORITY = 'd4136a7b-7422-4660-9404-640474bd2725'
const REPLACE = 'bafac914-ede4-4a59-a7b2-cc41bc3de961'

const solve = (guid: string, inputs: readonly InputData[]) => {
  const { outputs, messages } = run(guid, inputs)
  return { result: listOnly(outputs)[0], levels: messages.map((message) => message.split(':')[0]) }
}

// The definitions of set theory.
test('Disjoint, SubSet: given two lists, when compared, then members count once, and types are told apart', () => {
  for (const [a, b, isDisjoint, isSubset] of [
    [[1, 2], [3, 4], true, false],
    [[1, 2, 2], [2, 2], false, true],
    [[1, 2], [2, 3], false, false],
    [['1'], [1], true, false],
    [[integer(1)], [1], true, false],
    [[null, 1], [null], false, true],
    [[Number.NaN], [Number.NaN], false, true],
  ] as const) {
    assert.deepEqual(solve(DISJOINT, [a, b]), { result: [isDisjoint], levels: [] })
    assert.deepEqual(solve(SUBSET, [a, b]), { result: [isSubset], levels: [] })
  }
})

test('Set Difference (S): given two lists, when compared, then values of only one of them stay, with duplicates', () => {
  assert.deepEqual(solve(SYMMETRIC, [[3, 1, 3, 2], [2]]), { result: [3, 1, 3], levels: [] })
  assert.deepEqual(
    solve(SYMMETRIC, [
      [1, 2],
      [2, 4],
    ]),
    { result: [1, 4], levels: [] },
  )
  assert.deepEqual(solve(SYMMETRIC, [[1], [1, 1]]).result, [])
})

test('Set Majority: given three lists, when compared, then values of at least two of them stay, each once', () => {
  assert.deepEqual(solve(MAJORITY, [[1, 1, 2], [3, 2], [4]]), { result: [2], levels: [] })
  assert.deepEqual(
    solve(MAJORITY, [
      [1, 2],
      [2, 3],
      [3, 1],
    ]),
    { result: [2, 3, 1], levels: ['remark'] },
  )
  assert.deepEqual(solve(MAJORITY, [[1, 1], [2], [3]]).result, [])
})

test('Replace Members: given a new value for each or none, when replaced, then all occurrences change or go', () => {
  const set = [1, 'a', null, 1]
  assert.deepEqual(solve(REPLACE, [set, [1, null], ['one', 0]]), {
    result: ['one', 'a', 0, 'one'],
    levels: [],
  })
  assert.deepEqual(solve(REPLACE, [set, [7], [8]]).result, set)
  assert.deepEqual(solve(REPLACE, [set, [1], undefined]), { result: ['a', null], levels: [] })
  for (const [find, replace] of [
    [[1, 'a'], [2]],
    [
      [1, 1],
      [2, 3],
    ],
  ] as const) {
    assert.deepEqual(solve(REPLACE, [set, find, replace]).levels, ['error'])
  }
})
