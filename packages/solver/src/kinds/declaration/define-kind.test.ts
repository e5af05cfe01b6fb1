import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineKind } from './define-kind.ts'
import { item, list, tree } from './ports.ts'

const SMOOTH = '57e1d392-e3fb-4de9-be98-982854a92351' // Numbers*, Strength, Iterations, Lock, Wrap → Numbers*
const ADDITION = 'd18db32b-7099-4eea-85c4-8ba675ee8ec3' // A, B → Result

test('[F-10] given a class of the component library, when a kind is defined, then it has the ports of the row, and its function their types', () => {
  const kind = defineKind({
    guid: SMOOTH,
    description: 'x',
    solve: ([numbers, strength, iterations, isLocked]) => {
      const first: number | null | undefined = numbers[0]
      const factor: number = strength * iterations
      return [isLocked ? numbers : [first ?? factor]]
    },
  })
  assert.deepEqual(
    [...kind.inputs, ...kind.outputs].map(({ access, type }) => `${access} ${type}`),
    ['list number', 'item number', 'item integer', 'item boolean', 'item boolean', 'list number'],
  )
  // @ts-expect-error The output is a list.
  defineKind({ guid: SMOOTH, description: 'x', solve: ([numbers]) => [numbers.length] })
  // @ts-expect-error There is one output.
  defineKind({ guid: SMOOTH, description: 'x', solve: ([numbers]) => [numbers, numbers] })
  // @ts-expect-error The second input is a number.
  defineKind({ guid: SMOOTH, description: 'x', solve: ([, strength]) => [strength.values] })
  // @ts-expect-error The class is not in the library.
  defineKind({ guid: 'unknown', description: 'x', solve: () => [1] })
})

test('[F-10] given ports of its own, when a kind is defined, then it has these in their order instead of those of the row', () => {
  const kind = defineKind({
    guid: ADDITION,
    description: 'x',
    inputs: [item.number, list.text],
    outputs: [tree.any],
    solve: () => [],
  })
  assert.deepEqual(
    [...kind.inputs, ...kind.outputs].map(({ access, type }) => `${access} ${type}`),
    ['item number', 'list text', 'tree any'],
  )
})
