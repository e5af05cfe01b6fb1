import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { prefersLines, readWait } from './solutions.routes.ts'

test('given a Prefer header, then its wait in whole seconds, 30 at most; the first one counts', () => {
  const cases: [string | undefined, number][] = [
    [undefined, 0],
    ['', 0],
    ['wait=10', 10],
    ['Wait = 10', 10],
    ['wait="7"', 7],
    ['wait=0', 0],
    ['wait=31', 30],
    ['wait=99999999999999999999', 30],
    ['respond-async, wait=5', 5],
    ['respond-async,wait=5;foo=bar, wait=6', 5],
    ['foo="a, wait=3", wait=4', 4],
    ['foo; bar="x, wait=3" , WAIT=2', 2],
    ['wait', 0],
    ['wait=', 0],
    ['wait=-1', 0],
    ['wait=1.5', 0],
    ['wait=ten', 0],
    ['wait=ten, wait=10', 0],
    ['waiting=10', 0],
  ]
  for (const [prefer, seconds] of cases) assert.equal(readWait(prefer), seconds, prefer)
})

test('given any text as a Prefer header, then a number from 0 to 30', () => {
  const parts = fc.constantFrom('wait', '=', '"', ',', ';', ' ', '\\', '5', 'x')
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 200 }), (texts) => {
      const seconds = readWait(texts.join(''))
      assert.ok(seconds >= 0 && seconds <= 30)
    }),
  )
})

test('given a long Prefer or Accept header, whatever it repeats, then it is read in a time that grows with its length', () => {
  const count = 2 ** 20
  for (const repeated of ['a', ' ', '"', '"a', 'a;', '; ', '\\"', 'a=', '=', ', ', '/'])
    for (const [start, end] of [
      ['', ''],
      ['a', '"'],
      ['a=', '"'],
      ['a =', 'x"'],
      ['a="', '\\'],
      ['a/b;', '@'],
      ['a/', 'q'],
    ]) {
      readWait(`${start}${repeated.repeat(count)}${end}`)
      prefersLines(`application/x-ndjson,${start}${repeated.repeat(count)}${end}`)
    }
})
