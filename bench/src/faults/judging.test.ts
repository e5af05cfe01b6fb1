import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare, type Picture } from './judge.ts'
import { listPoints } from './points.ts'

const picture = (values: Record<string, string>): Picture => new Map(Object.entries(values))

const before = picture({ a: '1', b: '1', 'rows of document': '0' })
const after = picture({ a: '2', b: '2', 'rows of document': '2' })

test('[FLT-6] given what is there before and after a step, when a picture is one of them, then nothing is reported; when it is neither, what differs is', () => {
  for (const seen of [before, after]) assert.equal(compare(seen, [before, after]), undefined)
  const half = picture({ a: '2', b: '1', 'rows of document': '2' })
  assert.equal(compare(half, [before, after]), 'b is 1, and not 2')
  assert.equal(
    compare(after, [before]),
    'a is 2, and not 1; b is 2, and not 1; rows of document is 2, and not 0',
  )
})

test('[FLT-6] given a step that is one transaction for each item, when each item is as before or as after, then nothing is reported; anything else is', () => {
  const some = picture({ a: '2', b: '1', 'rows of document': '1' })
  assert.equal(compare(some, [before, after], true), undefined)
  const torn = picture({ a: '3', b: '1', 'rows of document': '3' })
  assert.equal(
    compare(torn, [before, after], true),
    'a is 3, and not 1 or 2; rows of document is 3, and not 0 or 2',
  )
})

test('[FLT-6] given recorded calls, when the points are listed, then each kind of fault of each call is one, in order', () => {
  const calls = [
    { label: 'sql commit', occurrence: 1, kinds: ['error', 'kill'] },
    { label: 'sql commit', occurrence: 2, kinds: ['lost'] },
  ] as const
  assert.deepEqual(
    listPoints(calls).map(({ number, occurrence, kind }) => [number, occurrence, kind]),
    [
      [1, 1, 'error'],
      [2, 1, 'kill'],
      [3, 2, 'lost'],
    ],
  )
})
