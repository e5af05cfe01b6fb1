import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLeftCluster, readPlace, writePlace } from './place.ts'

const read = (query: string) => readPlace(new URLSearchParams(query))

test('[WEB-91] given a place in nested clusters, when its address is read again, then it is the same place', () => {
  for (const place of [
    { clusterIds: [] },
    { clusterIds: [], nodeIds: ['n'] },
    { clusterIds: ['a', 'b'], nodeIds: ['n'] },
  ])
    assert.deepEqual(read(writePlace(place)), place)
  assert.equal(writePlace({ clusterIds: ['a', 'b'] }), '?cluster=a/b')
  assert.equal(writePlace({ clusterIds: [] }), '')
  assert.equal(writePlace({ clusterIds: ['a'], nodeIds: ['m', 'n'] }), '?cluster=a')
  const embedded = new URLSearchParams('show=graph&cluster=old&node=old')
  assert.equal(writePlace({ clusterIds: ['a'] }, embedded), '?show=graph&cluster=a')
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
