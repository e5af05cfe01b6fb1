import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type InputData, run } from '../../testing/run.ts'
import { integer, type Value } from '../../values/value.ts'

/*
 * Recorded results of Grasshopper 8: github.com/ezzahiranass/pyhopper, tests/golden/components/Sets.
 */

const of = (guid: string, ...inputs: InputData[]) => run(guid, inputs).outputs
const whole = (...numbers: number[]): Value[] => numbers.map(integer)

test('Set Union, Intersection, Difference: given lists with doubles, then sets, in the order that was recorded', () => {
  const [UNION, INTERSECTION, DIFFERENCE] = [
    '8eed5d78-7810-4ba1-968e-8a1f1db98e39',
    '82f19c48-9e73-43a4-ae6c-3a8368099b08',
    'e3b1a10c-4d49-4140-b8e6-0b5732a26c31',
  ]
  assert.deepEqual(of(UNION, whole(1, 2, 2, 3), whole(3, 4, 1, 5)), [{ '{0}': whole(1, 2, 3, 4, 5) }])
  assert.deepEqual(of(UNION, undefined, whole(2, 2, 1)), [{ '{0}': whole(2, 1) }])
  assert.deepEqual(of(INTERSECTION, whole(1, 2, 2, 3, 5), whole(5, 3, 3, 7)), [{ '{0}': whole(5, 3) }])
  assert.deepEqual(of(INTERSECTION, whole(1, 2, 2), undefined), [{ '{0}': whole(1, 2) }])
  assert.deepEqual(of(INTERSECTION, [integer(1), '1', true], [1, '1']), [{ '{0}': ['1'] }])
  assert.deepEqual(of(DIFFERENCE, whole(1, 2, 2, 3, 5), whole(5, 3, 7)), [{ '{0}': whole(1, 2, 2) }])
  assert.deepEqual(of(DIFFERENCE, [integer(1), 1, '1', true], whole(1)), [{ '{0}': [1, '1', true] }])
})

test('Member Index: given a value, then all its indices; of another type it is another value', () => {
  const MEMBER = '3ff27857-b988-417a-b495-b24c733dbd00'
  assert.deepEqual(of(MEMBER, ['a', 'b', 'a'], ['a', 'b', 'z']), [
    { '{0;0}': whole(0, 2), '{0;1}': whole(1), '{0;2}': [] },
    { '{0}': whole(2, 1, 0) },
  ])
  assert.deepEqual(of(MEMBER, [integer(1), 2, integer(2)], 2), [{ '{0;0}': whole(1) }, { '{0}': whole(1) }])
})

test('Replace Nulls: given nulls, then other items take their indices; without any, an error', () => {
  const NULLS = 'f3230ecb-3631-4d6f-86f2-ef4b2ed37f45'
  assert.deepEqual(of(NULLS, [null, 1, null, null, 2], ['a', 'b']), [
    { '{0}': ['a', 1, 'b', 'b', 2] },
    { '{0}': whole(3) },
  ])
  assert.deepEqual(of(NULLS, { '{0}': [null, 1], '{1}': [2, null] }, 'x')[0], {
    '{0}': ['x', 1],
    '{1}': [2, 'x'],
  })
  assert.match(run(NULLS, [[null], { '{0}': [] }]).messages.join(), /^error: /)
})

test('Sift Pattern: given a pattern, then each item on its output, and nulls on the others', () => {
  const SIFT = '3249222f-f536-467a-89f4-f0353fba455a'
  const two = { outputs: 2 }
  assert.deepEqual(run(SIFT, [['a', 'b', 'c'], whole(0, 1)], two).outputs, [
    { '{0}': ['a', null, 'c'] },
    { '{0}': [null, 'b', null] },
  ])
  assert.match(run(SIFT, [['a', 'b'], whole(0, 3)], two).messages.join(), /^error: /)
})

test('Fibonacci: given seeds and a number, then two more than that; none for 0', () => {
  const FIBONACCI = 'fe99f302-3d0d-4389-8494-bd53f7935a02'
  assert.deepEqual(of(FIBONACCI, 2, 3, whole(6, 1, 0)), [
    { '{0;0}': [2, 3, 5, 8, 13, 21, 34, 55], '{0;1}': [2, 3, 5], '{0;2}': [] },
  ])
  assert.match(run(FIBONACCI, [0, 1, integer(-2)]).messages.join(), /^error: /)
})

test('Stack Data: given counts, then each item as often; below 0 is never', () => {
  const STACK = '5fa4e736-0d82-4af0-97fb-30a79f4cbf41'
  assert.deepEqual(of(STACK, ['A', 'B', 'C'], whole(1, 2, 3)), [{ '{0}': ['A', 'B', 'B', 'C', 'C', 'C'] }])
  assert.deepEqual(of(STACK, ['A', 'B', 'C', 'D'], whole(2, -1)), [{ '{0}': ['A', 'A', 'C', 'C'] }])
})

test('Char Sequence: given a pool and a format, then texts that count with its characters', () => {
  const CHARS = '01640871-69ea-40ac-9380-4660d6d28bd2'
  assert.deepEqual(of(CHARS, integer(8), 'AB', undefined), [
    { '{0;0}': ['A', 'B', 'AA', 'AB', 'BA', 'BB', 'AAA', 'AAB'] },
  ])
  assert.deepEqual(of(CHARS, integer(3), 'ABC', 'Item {0}!'), [
    { '{0;0}': ['Item A!', 'Item B!', 'Item C!'] },
  ])
  assert.deepEqual(of(CHARS, whole(3, 0), ['', 'AB'], undefined), [{ '{0;0}': [], '{0;1}': [] }])
})

test('Match Tree: given a guide with as many branches, then its paths; with another number, an error', () => {
  const MATCH = '46372d0d-82dc-4acb-adc3-25d1fde04c4e'
  assert.deepEqual(of(MATCH, { '{7}': [1, 2], '{9}': [3] }, { '{0;0}': ['a'], '{0;1}': ['b', 'c'] }), [
    { '{0;0}': [1, 2], '{0;1}': [3] },
  ])
  assert.match(run(MATCH, [[1, 2], { '{0}': [1], '{1}': [2] }]).messages.join(), /^error: /)
})

test('Sort Text: given texts and values, then both alphabetically, lower case first', () => {
  const SORT = 'cec16c67-7b8b-41f7-a5a5-f675177e524b'
  const sort = (...keys: string[]) => of(SORT, keys, undefined, undefined)[0]
  assert.deepEqual(sort('b', 'B', 'a', 'A', '10', '9', 'item2', 'item10'), {
    '{0;0}': ['10', '9', 'a', 'A', 'b', 'B', 'item10', 'item2'],
  })
  assert.deepEqual(sort('B', 'b', 'A', 'a', 'ab', 'Ab', 'aB'), {
    '{0;0}': ['a', 'A', 'ab', 'aB', 'Ab', 'b', 'B'],
  })
  assert.deepEqual(sort('b a', 'ba', 'b-a', 'é', 'e', 'f'), { '{0;0}': ['b a', 'b-a', 'ba', 'e', 'é', 'f'] })
  assert.deepEqual(of(SORT, ['c', 'a', 'b'], whole(3, 1, 2), undefined), [
    { '{0;0}': ['a', 'b', 'c'] },
    { '{0;0}': whole(1, 2, 3) },
  ])
})

test('Text Fragment: given a start and a count, then that part, as far as there is any', () => {
  const FRAGMENT = '07e0811f-034a-4504-bca0-2d03b2c46217'
  assert.deepEqual(of(FRAGMENT, 'Grasshopper', integer(5), integer(3)), [{ '{0}': ['hop'] }])
  assert.deepEqual(of(FRAGMENT, 'Grasshopper', integer(5), undefined), [{ '{0}': ['hopper'] }])
  assert.deepEqual(of(FRAGMENT, 'Grass', whole(3, 9, 1), whole(10, 2, 0)), [{ '{0}': ['ss', '', ''] }])
  assert.match(run(FRAGMENT, ['Grass', integer(-2), integer(3)]).messages.join(), /^error: /)
})
