import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domain, integer } from '@meadow/geometry/values/value'
import { type InputData, run } from '../../testing/run.ts'
import { findKind } from '../index.ts'
import { EARLIER_KINDS } from './index.ts'

/** Each earlier version, its inputs and its outputs, worked out by hand. */
const CASES: readonly [
  name: string,
  guid: string,
  inputs: InputData[],
  outputs: unknown[],
  count?: number,
][] = [
  ['Merge', '86866576-6cc0-485a-9cd2-6f7d493f57f7', [[1], [2]], [{ '{0}': [1, 2] }]],
  ['Merge 03', '481f0339-1299-43ba-b15c-c07891a8f822', [[1], undefined, [2]], [{ '{0}': [1, 2] }]],
  ['Merge 04', 'b5be5d1f-717f-493c-b958-816957f271fd', [1, 2, 3, 4], [{ '{0}': [1, 2, 3, 4] }]],
  ['Merge 05', 'f4b0f7b4-5a10-46c4-8191-58d7d66ffdff', [1, 2, 3, 4, 5], [{ '{0}': [1, 2, 3, 4, 5] }]],
  [
    'Merge 06',
    'ac9b4faf-c9d5-4f6a-a5e9-58c0c2cac116',
    [1, undefined, { '{1}': [3] }],
    [{ '{0}': [1], '{1}': [3] }],
  ],
  ['Merge 08', 'a70aa477-0109-4e75-ba73-78725dca0274', [1, null, 3], [{ '{0}': [1, null, 3] }]],
  ['Merge 10', '22f66ff6-d281-453c-bd8c-36ed24026783', [{ '{1}': [1] }, 2], [{ '{0}': [2], '{1}': [1] }]],
  ['Merge Multiple', '0b6c5dac-6c93-4158-b8d1-ca3187d45f25', [1, 2], [{ '{0}': [1, 2] }]],
  [
    "Pick'n'Choose",
    '4356ef8f-0ca1-4632-9c39-9e6dcd2b9496',
    [
      [integer(0), integer(1)],
      ['a', 'b'],
      ['c', 'd'],
    ],
    [{ '{0}': ['a', 'd'] }],
  ],
  [
    'Sort List of three',
    '2b2628ea-3f43-4ce9-8435-9a045d54b5c6',
    [[2, 1], ['b', 'a'], undefined, [4, 3]],
    [{ '{0}': [1, 2] }, { '{0}': ['a', 'b'] }, { '{0}': [] }, { '{0}': [3, 4] }],
    4,
  ],
  ['Stream Gate', 'd6313940-216b-487f-b511-6c8a5b87eae7', [[5, 6], integer(1)], [{}, { '{0}': [5, 6] }], 2],
  [
    'Simplify',
    '06b3086c-1e9d-41c2-bcfc-bb843156196e',
    [{ '{0;1}': [1], '{0;2}': [2] }],
    [{ '{1}': [1], '{2}': [2] }],
  ],
  [
    'Explode',
    '8a470a35-d673-4779-a65e-ba95765e59e4',
    [{ '{0}': [1], '{3}': [2] }],
    [{ '{0}': [1] }, { '{3}': [2] }],
    2,
  ],
  ['Filter', '3e5582a1-901a-4f7c-b58d-f5d7e3166124', [integer(1), [5], [6]], [{ '{0}': [6] }]],
  [
    'Null Item',
    '66fbaae1-0fcf-4dbf-bcba-4395d8f6a3e6',
    [[1, null]],
    [{ '{0}': [false, true] }, { '{0}': [false, true] }],
  ],
  [
    'Sort',
    'cacb2c64-61b5-46db-825d-c61d5d09cc08',
    [
      [2, 1],
      ['b', 'a'],
    ],
    [{ '{0}': [1, 2] }, { '{0}': ['a', 'b'] }],
    2,
  ],
  ['Set', '2cb4bf85-a282-464c-b42c-8e735d2a0a74', [[1, 1, 2]], [{ '{0}': [1, 2] }]],
  [
    'Union',
    'ab34845d-4ab9-4ff4-8870-eedd0c5594cb',
    [
      [1, 2],
      [2, 3],
    ],
    [{ '{0}': [1, 2, 3] }],
  ],
  [
    'Intersection',
    '8a55f680-cf53-4634-a486-b828de92b71d',
    [
      [1, 2],
      [2, 3],
    ],
    [{ '{0}': [2] }],
  ],
  ['Concatenate', '01cbd6e3-ccbe-4c24-baeb-46e10553e18b', ['a', 'b'], [{ '{0}': ['ab'] }]],
  ['Format', 'c8203c3c-6bcd-4f8c-a906-befd92ebf0cb', ['{1}-{0}', 'a', 'b'], [{ '{0}': ['b-a'] }]],
  ['Text Case', 'bdd2a14a-1302-4152-a484-7198716d1a11', ['aB'], [{ '{0}': ['AB'] }, { '{0}': ['ab'] }]],
  [
    'Sort Text',
    '1ff80a00-1b1d-4fb3-926a-0c246261fc55',
    [['b', 'a'], undefined],
    [{ '{0}': ['a', 'b'] }, { '{0}': [] }],
  ],
  ['Remap', 'fa314286-867b-41fa-a7f6-3f474197bb81', [5, domain(0, 10), domain(0, 1)], [{ '{0}': [0.5] }]],
  ['Addition', 'd18db32b-7099-4eea-85c4-8ba675ee8ec3', [1, 2], [{ '{0}': [3] }]],
]

for (const [name, guid, inputs, outputs, count] of CASES) {
  test(`earlier ${name}: given its ports, when it runs, then it computes what the present version computes`, () => {
    const settings = count === undefined ? {} : { outputs: count }
    const { outputs: found, messages } = run(guid, inputs, settings)
    assert.deepEqual([found, messages], [outputs, []])
  })
}

test('given every earlier version, when it is looked up, then it is a kind, and no other', () => {
  for (const kind of EARLIER_KINDS) assert.equal(findKind(kind.guids[0] ?? ''), kind)
})

test('earlier Concatenate, Addition: given a missing input, when they run, then they do not', () => {
  for (const guid of ['01cbd6e3-ccbe-4c24-baeb-46e10553e18b', 'd18db32b-7099-4eea-85c4-8ba675ee8ec3']) {
    const { outputs, messages } = run(guid, ['a', undefined])
    assert.deepEqual([outputs, messages], [[{}], ['warning: Input parameter I1 failed to collect data']])
  }
})
