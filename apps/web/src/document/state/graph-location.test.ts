import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLeftCluster, readLocation, writeLocation } from './graph-location.ts'

const read = (query: string) => readLocation(new URLSearchParams(query))

test('[WEB-91] given a location in nested clusters, when its address is read again, then it is the same location', () => {
  for (const location of [
    { clusterIds: [] },
    { clusterIds: [], nodeIds: ['n'] },
    { clusterIds: ['a', 'b'], nodeIds: ['n'] },
  ])
    assert.deepEqual(read(writeLocation(location)), location)
  assert.equal(writeLocation({ clusterIds: ['a', 'b'] }), '?cluster=a/b')
  assert.equal(writeLocation({ clusterIds: [] }), '')
  assert.equal(writeLocation({ clusterIds: ['a'], nodeIds: ['m', 'n'] }), '?cluster=a')
  const embedded = new URLSearchParams('show=graph&cluster=old&node=old')
  assert.equal(writeLocation({ clusterIds: ['a'] }, embedded), '?show=graph&cluster=a')
  assert.deepEqual(read('cluster=//&node='), { clusterIds: [] })
})

test('[WEB-91] given a cluster that was left for a graph around it, when that graph is shown, then the cluster is known', () => {
  const left = (before: string[], after: string[]) =>
    findLeftCluster({ clusterIds: before }, { clusterIds: after })
  assert.equal(left(['a'], []), 'a')
  assert.equal(left(['a', 'b', 'c'], ['a']), 'b')
  assert.equal(left(['a'], ['a', 'b']), undefined)
  assert.equal(left(['a', 'b'], ['c']), undefined)
  assert.equal(left(['a'], ['a']), undefined)
})
