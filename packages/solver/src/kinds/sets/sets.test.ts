import assert from 'node:assert/strict'
import { test } from 'node:test'
import { point } from '@meadow/geometry/values/points'
import { domain, integer } from '@meadow/geometry/values/value'
import { type InputData, listOnly, run } from '../../testing/run.ts'

/** The one branch of each output. */
const lists = (guid: string, inputs: readonly InputData[], settings = {}) =>
  listOnly(run(guid, inputs, settings).outputs)
const whole = (...numbers: number[]) => numbers.map(integer)
const characters = (text: string) => text.split('')

test('List Item: given an index beyond the end, then it wraps, or is null', () => {
  const guid = '59daf374-bc21-4a5e-8282-5504fb7ae9ae'
  const item = (index: number, wrap: boolean) =>
    lists(guid, [characters('abc'), index, wrap], { outputs: 1 })[0]
  assert.deepEqual(item(1, true), ['b'])
  assert.deepEqual(item(3, true), ['a'])
  assert.deepEqual(item(-1, true), ['c'])
  assert.deepEqual(item(3, false), [null])
  assert.deepEqual(lists(guid, [characters('abc'), [2, 0], true], { outputs: 1 })[0], ['c', 'a'])
  assert.deepEqual(lists(guid, [{ '{0}': [] }, 0, true], { outputs: 1 })[0], [null])
})

test('List Item: given further outputs, then they have the items beside it', () => {
  const settings = { outputs: 3, state: { kind: 'options', options: { baseOutputIndex: 1 } } }
  const items = lists('59daf374-bc21-4a5e-8282-5504fb7ae9ae', [characters('abcd'), 1, true], settings)
  assert.deepEqual(items, [['a'], ['b'], ['c']])
})

test('List Length, Reverse List: given a list with a null, then it counts', () => {
  assert.deepEqual(lists('1817fd29-20ae-4503-b542-f0fb651e67d7', [['a', null]]), [whole(2)])
  assert.deepEqual(lists('6ec97ea8-c559-47a2-8d0f-ce80c794d1f4', [['a', null]]), [[null, 'a']])
})

// Grasshopper Primer 1.4.6.4: with an offset of 1 the first item moves to the end, without wrap it is gone.
test('Shift List: given an offset, then items move towards the start and come in at the end', () => {
  const shift = (by: number, wrap: boolean) =>
    lists('4fdfe351-6c07-47ce-9fb9-be027fb62186', [characters('abcd'), by, wrap])[0]?.join('')
  assert.deepEqual(
    [shift(1, true), shift(-1, true), shift(5, true), shift(1, false), shift(-1, false), shift(9, false)],
    ['bcda', 'dabc', 'bcda', 'bcd', 'abc', ''],
  )
})

test('Sort List: given keys and values, then all are in the order of the keys, equal ones as they were', () => {
  const { outputs } = run(
    '6f93d366-919f-4dda-a35e-ba03dd62799b',
    [[3, 1, 3, 2], characters('abcd'), undefined],
    { outputs: 3 },
  )
  assert.deepEqual(
    outputs.map((output) => output['{0}']),
    [[1, 2, 3, 3], characters('bdac'), []],
  )
})

test('Split List, Sub List, Partition List: given where to cut, then the parts', () => {
  assert.deepEqual(lists('9ab93e1a-ebdf-4090-9296-b000cff7b202', [characters('abcd'), 1]), [
    ['a'],
    characters('bcd'),
  ])
  const sub = (from: number, to: number, wrap: boolean) =>
    lists('b333ff42-93bd-406b-8e17-15780719b6ec', [characters('abcd'), domain(from, to), wrap])
  assert.deepEqual(sub(1, 2, false), [characters('bc'), whole(1, 2)])
  assert.deepEqual(sub(3, 4, true), [characters('da'), whole(3, 0)])
  const { outputs } = run('5a93246d-2595-4c28-bc2d-90657634f92a', [characters('abcdef'), whole(3, 2)])
  assert.deepEqual(outputs[0], { '{0;0}': characters('abc'), '{0;1}': characters('de'), '{0;2}': ['f'] })
})

// Grasshopper Primer 1.4.6.6 and 1.4.6.7: the pattern is repeated to the end of the list.
test('Cull Pattern, Dispatch, Cull Index: given a pattern or indices, then the right items stay', () => {
  assert.deepEqual(
    lists('008e9a6f-478a-4813-8c8a-546273bc3a6b', [characters('abcdef'), [false, false, true, true]]),
    [characters('cd')],
  )
  assert.deepEqual(lists('d8332545-21b2-4716-96e3-8559a9876e17', [characters('abcde'), [true, false]]), [
    characters('ace'),
    characters('bd'),
  ])
  assert.deepEqual(lists('501aecbb-c191-4d13-83d6-7ee32445ac50', [characters('abcd'), whole(0, -1), true]), [
    characters('bc'),
  ])
})

// Grasshopper Primer 1.4.6.5: the weave pattern 0,1,1 takes one of the first list and two of the second.
test('Weave: given a pattern, then lists are taken in turn until they are used up', () => {
  const guid = '50faccbd-9c92-4175-a5fa-d65e36013db6'
  assert.deepEqual(lists(guid, [whole(0, 1, 1), characters('ab'), characters('wxyz')])[0]?.join(''), 'awxbyz')
  assert.deepEqual(lists(guid, [whole(0, 1), characters('a'), characters('xyz')])[0]?.join(''), 'axyz')
  const gaps = { state: { kind: 'options', options: { nullGaps: true } } }
  assert.deepEqual(lists(guid, [whole(0, 1), ['a'], ['x', 'y']], gaps), [['a', 'x', null, 'y']])
  assert.deepEqual(lists(guid, [whole(7), ['a'], ['x']]), [[]])
})

test('Series, Range, Repeat Data, Duplicate Data: given counts, then the sequences', () => {
  assert.deepEqual(lists('e64c5fb1-845c-4ab1-8911-5f338516ba67', [1, 0.5, 3]), [[1, 1.5, 2]])
  assert.deepEqual(lists('9445ca40-cc73-4861-a455-146308676855', [domain(0, 1), 4]), [
    [0, 0.25, 0.5, 0.75, 1],
  ])
  assert.deepEqual(
    lists('c40dc145-9e36-4a69-ac1a-6d825c654993', [characters('abc'), 5])[0]?.join(''),
    'abcab',
  )
  const duplicate = (keepsOrder: boolean) =>
    lists('dd8134c0-109b-4012-92be-51d843edfff7', [characters('ab'), 2, keepsOrder])[0]?.join('')
  assert.deepEqual([duplicate(true), duplicate(false)], ['abab', 'aabb'])
  assert.match(run('e64c5fb1-845c-4ab1-8911-5f338516ba67', [0, 1, -1]).messages.join(), /^error/)
})

test('Replace Items, Insert Items: given indices, then items go there', () => {
  const replace = '7a218bfb-b93d-4c1f-83d3-5a0b909dd60b'
  assert.deepEqual(
    lists(replace, [characters('abcd'), characters('xyz'), whole(0, 2, 3), false])[0]?.join(''),
    'xbyz',
  )
})

// The rules for indices beyond the end and for equal ones are recorded of Grasshopper 8.
test('Insert Items: given several indices, then each counts in the list as it was, and nulls fill up to it', () => {
  const insert = (text: string, items: string, indices: number[], wrap: boolean) =>
    lists('e2039b07-d3f3-40f8-af88-d74fed238727', [
      characters(text),
      characters(items),
      whole(...indices),
      wrap,
    ])[0]
  assert.deepEqual(insert('ab', 'x', [1], true), characters('axb'))
  assert.deepEqual(insert('ab', 'x', [2], false), characters('abx'))
  assert.deepEqual(insert('abc', 'XY', [1, 3], false), characters('aXbcY'))
  assert.deepEqual(insert('abc', 'XY', [1, 1], false), characters('aXYbc'))
  assert.deepEqual(insert('abc', 'X', [0, 2, 4], false), ['X', 'a', 'b', 'X', 'c', null, 'X'])
  assert.deepEqual(insert('ab', 'X', [5], true), characters('abX'))
  assert.deepEqual(insert('abc', 'X', [-1], true), characters('abcX'))
  assert.deepEqual(insert('abc', 'XYZ', [1], false), characters('aXYZbc'))
  assert.deepEqual(insert('abc', 'XYZ', [], false), characters('abc'))
  const bare = [
    'e2039b07-d3f3-40f8-af88-d74fed238727',
    [characters('ab'), undefined, whole(1), false],
  ] as const
  assert.deepEqual(lists(...bare)[0], ['a', null, 'b'])
  const outside = run('e2039b07-d3f3-40f8-af88-d74fed238727', [characters('ab'), ['x'], whole(-1), false])
  assert.deepEqual(outside.messages, ['error: An index is below 0'])
})

test('Cull Nth: given a frequency, then every so many items one goes', () => {
  const cull = (frequency: number) =>
    run('932b9817-fcc6-4ac3-b5fd-c0e8eeadc53f', [characters('abcdefg'), frequency])
  assert.deepEqual(cull(2).outputs, [{ '{0;0}': characters('aceg') }])
  assert.deepEqual(cull(3).outputs, [{ '{0;0}': characters('abdeg') }])
  assert.deepEqual(cull(1).messages, ['error: The frequency must be 2 or more'])
})

test('Null Item: given items and nulls, then the nulls are found', () => {
  assert.deepEqual(lists('c74efd0e-7fe3-4c2d-8c9d-295c5672fb13', [[1, null, '']]), [
    [false, true, false],
    [false, true, false],
    ['', 'Data does not exist', ''],
  ])
})

// That a whole number and a number of the same value differ is recorded of Grasshopper 8.
test('Create Set, Delete Consecutive, Item Index: given values of equal type and content, then they are found', () => {
  const values = [integer(1), 1, point(0, 0, 1), point(0, 0, 1), 'a', integer(1), true, '1']
  assert.deepEqual(lists('98c3c63a-e78a-43ea-a111-514fcf312c95', [values]), [
    [integer(1), 1, point(0, 0, 1), 'a', true, '1'],
    whole(0, 1, 2, 2, 3, 0, 4, 5),
  ])
  const consecutive = (wrap: boolean) =>
    lists('190d042c-2270-4bc1-81c0-4f90c170c9c9', [characters('aabba'), wrap])
  assert.deepEqual(consecutive(false), [characters('aba'), whole(2)])
  assert.deepEqual(consecutive(true), [characters('ab'), whole(3)])
  assert.deepEqual(lists('a759fd55-e6be-4673-8365-c28d5b52c6c0', [characters('abc'), 'd']), [whole(-1)])
})

test('Key/Value Search, Combine Data: given several sources, then the right one is taken', () => {
  assert.deepEqual(lists('1edcc3cf-cf84-41d4-8204-561162cfe510', [characters('ab'), [10, 20], 'b']), [[20]])
  assert.deepEqual(
    lists('e7c80ff6-0299-4303-be36-3080977c14a1', [
      [null, 1],
      [2, 3],
    ]),
    [[2, 1], whole(1, 0)],
  )
})

// One item for each number of the pattern, which does not begin again: as recorded of Grasshopper 8.
test('Pick’n’Choose: given a pattern, then each of its numbers takes from a list at its own index', () => {
  const pick = (pattern: number[], ...streams: string[]) =>
    run('03b801eb-87cd-476a-a591-257fe5d5bf0f', [whole(...pattern), ...streams.map(characters)])
  assert.deepEqual(pick([0, 1], 'abc', 'xyz').outputs, [{ '{0}': characters('ay') }])
  assert.deepEqual(pick([0, 1, 0, 1], 'ab', 'xyz').outputs, [{ '{0}': ['a', 'y', null, null] }])
  const outside = pick([0, 2, 1], 'abc', 'xyz')
  assert.deepEqual(outside.outputs, [{ '{0}': characters('az') }])
  assert.deepEqual(outside.messages, ['warning: The pattern names lists that are not there'])
})

// Grasshopper 8 reports an error in each of these; its results are in packages/solver/reference.
test('Replace Nulls, Sift Pattern, Fibonacci: given what they cannot use, then an error', () => {
  const report = (guid: string, ...inputs: InputData[]) => run(guid, inputs).messages.join()
  assert.match(report('f3230ecb-3631-4d6f-86f2-ef4b2ed37f45', [null], { '{0}': [] }), /^error: /)
  assert.match(report('3249222f-f536-467a-89f4-f0353fba455a', ['a', 'b'], whole(0, 3)), /^error: /)
  assert.match(report('fe99f302-3d0d-4389-8494-bd53f7935a02', 0, 1, integer(-2)), /^error: /)
})

test('[I-19] given indices beyond a list, then Cull Index and Sub List pass over them, which is marked; Split List is a limit, and Replace Items an error', () => {
  const list = characters('abcd')
  const culled = run('501aecbb-c191-4d13-83d6-7ee32445ac50', [list, whole(0, 4), false])
  assert.deepEqual([listOnly(culled.outputs), culled.codes], [[characters('bcd')], ['approximate']])
  const sub = run('b333ff42-93bd-406b-8e17-15780719b6ec', [list, domain(-2, 1), false])
  assert.deepEqual([listOnly(sub.outputs), sub.codes], [[characters('ab'), whole(0, 1)], ['approximate']])
  assert.deepEqual(run('9ab93e1a-ebdf-4090-9296-b000cff7b202', [list, -1]).codes, ['limit'])
  const replace = '7a218bfb-b93d-4c1f-83d3-5a0b909dd60b'
  assert.deepEqual(run(replace, [list, ['x'], whole(9), false]).codes, ['failed'])
  assert.deepEqual(lists(replace, [list, ['x'], whole(0, 1), false])[0]?.join(''), 'xxcd')
  assert.deepEqual(run(replace, [list, characters('xy'), whole(0, 1, 2), false]).codes, ['limit'])
})

test('[I-21] given an item that equals one of a list, then Item Index is a limit, and -1 where there is none', () => {
  const guid = 'a759fd55-e6be-4673-8365-c28d5b52c6c0'
  assert.deepEqual(run(guid, [characters('abc'), 'b']).codes, ['limit'])
  assert.deepEqual(lists(guid, [characters('abc'), 'x']), [whole(-1)])
})
