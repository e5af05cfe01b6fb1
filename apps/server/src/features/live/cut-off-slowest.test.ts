import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutOffSlowest } from './cut-off-slowest.ts'

/** Which of the sockets for which so many bytes wait are cut off. */
function cutOff(waiting: readonly number[], most: number): number[] {
  const gone: number[] = []
  const sockets = waiting.map((waitingBytes, at) => ({ waitingBytes, terminate: () => void gone.push(at) }))
  cutOffSlowest(sockets, most)
  return gone.sort()
}

test('[LIV-4] given more that waits for slow readers than there is memory for, then the slowest are cut off, and no more than need be', () => {
  assert.deepEqual(cutOff([], 100), [])
  assert.deepEqual(cutOff([40, 0, 60], 100), [])
  assert.deepEqual(cutOff([40, 0, 61], 100), [2])
  assert.deepEqual(cutOff([90, 10, 95, 20, 100], 100), [0, 2, 4])
})
