import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClusterContents } from '@meadow/document'
import { createBoxMesh } from '@meadow/geometry/testing/meshes'
import { sketchGraph } from '../testing/graph.ts'
import { solveKind } from '../testing/solve-kind.ts'
import { loadKernels } from './load-kernels.ts'

const MESH_UNION = '88060a82-0bf7-46bb-9af8-bdc860cf7e1d'
const RELAY = 'b6236720-8d88-4289-93c3-ac4c99f9b97b'

const ordinary = sketchGraph({ relay: { guid: RELAY, isParameter: true } })
const union = sketchGraph({ union: { guid: MESH_UNION } })

test('[L-6] given documents with and without a node that needs a kernel, when kernels are loaded, then only these', async () => {
  const cluster = (content: typeof union): ClusterContents =>
    new Map([['it', { content, hooks: new Map(), clusters: new Map() }]])
  const listLoaded = async (...given: Parameters<typeof loadKernels>) =>
    Object.keys(await loadKernels(...given))
  assert.deepEqual(await listLoaded(ordinary), [])
  assert.deepEqual(await listLoaded(union), ['mesh'])
  assert.deepEqual(await listLoaded(sketchGraph({ union: { guid: MESH_UNION, isEnabled: false } })), [])
  assert.deepEqual(await listLoaded(ordinary, cluster(ordinary)), [])
  assert.deepEqual(await listLoaded(ordinary, cluster(union)), ['mesh'])
})

test('[L-6] given a node whose kernel is not loaded, then it is a limit; given a small budget, then the solve ends', async () => {
  const boxes = [0, 1, 2].map((x) => createBoxMesh({ x, y: 0, z: 0 }, { x: 2, y: 1, z: 1 }))
  const kernels = await loadKernels(union)
  const solved = solveKind(MESH_UNION, [boxes], { kernels })
  assert.deepEqual(
    solved.messages.map(({ code }) => code),
    ['approximate'],
  )
  assert.deepEqual(
    solveKind(MESH_UNION, [boxes]).messages.map(({ level, code }) => [level, code]),
    [['error', 'limit']],
  )
  assert.throws(() => solveKind(MESH_UNION, [boxes], { kernels, maxBytes: 20_000 }), {
    code: 'too_much_memory',
  })
})
