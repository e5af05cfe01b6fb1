import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readRange } from './send-file.ts'

const SIZE = 1000

test('[EXP-20] given one range, then the bytes that it names, as far as the file goes', () => {
  const cases: [string, [number, number]][] = [
    ['bytes=0-0', [0, 0]],
    ['bytes=0-999', [0, 999]],
    ['bytes=100-199', [100, 199]],
    ['bytes=990-', [990, 999]],
    ['bytes=990-5000', [990, 999]],
    ['bytes=-1', [999, 999]],
    ['bytes=-5000', [0, 999]],
    ['Bytes= 5-6 ', [5, 6]],
    [`bytes=0-${'9'.repeat(400)}`, [0, 999]],
  ]
  for (const [header, [start, end]] of cases)
    assert.deepEqual(readRange(header, SIZE), { start, end }, header)
})

test('[EXP-20] given a range behind the end, then it cannot be satisfied', () => {
  for (const header of ['bytes=1000-', 'bytes=1000-2000', 'bytes=-0', `bytes=${'9'.repeat(400)}-`]) {
    assert.equal(readRange(header, SIZE), 'unsatisfiable', header)
  }
  assert.equal(readRange('bytes=0-', 0), 'unsatisfiable')
})

test('[EXP-20] given several ranges or none, then the whole', () => {
  const none = [
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-4',
    'bytes=a-b',
    'bytes=1-2-3',
    'lines=0-1',
    '0-1',
    'bytes=+1-2',
  ]
  for (const header of [undefined, ...none, 'bytes=0-1,5-6', 'bytes=0-1,']) {
    assert.equal(readRange(header, SIZE), undefined, header)
  }
})

test('[EXP-20] given any text, then a part of the file, or none', () => {
  const headers = fc.oneof(
    fc.string(),
    fc.string().map((text) => `bytes=${text}`),
    fc.tuple(fc.nat(), fc.nat()).map(([first, last]) => `bytes=${first}-${last}`),
  )
  fc.assert(
    fc.property(headers, fc.nat(100_000), (header, size) => {
      const range = readRange(header, size)
      if (typeof range !== 'object') return
      assert.ok(range.start >= 0 && range.start <= range.end && range.end < size)
    }),
  )
})
