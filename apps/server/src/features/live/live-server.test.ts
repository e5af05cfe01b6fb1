import assert from 'node:assert/strict'
import { test } from 'node:test'
import { terminateSlowest } from './live-server.ts'

/** The indexes of the sockets that are terminated, given the waiting bytes of each. */
function terminate(waiting: readonly number[], maxBytes: number): number[] {
  const terminated: number[] = []
  const sockets = waiting.map((waitingBytes, at) => ({
    waitingBytes,
    terminate: () => void terminated.push(at),
  }))
  terminateSlowest(sockets, maxBytes)
  return terminated.sort()
}

test('[LIV-4] given more output waiting for slow clients than there is memory for, then the slowest are terminated, and no more than necessary', () => {
  assert.deepEqual(terminate([], 100), [])
  assert.deepEqual(terminate([40, 0, 60], 100), [])
  assert.deepEqual(terminate([40, 0, 61], 100), [2])
  assert.deepEqual(terminate([90, 10, 95, 20, 100], 100), [0, 2, 4])
})
