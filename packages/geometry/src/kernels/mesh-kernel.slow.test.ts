import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createGridMesh } from '../meshes/grid.ts'
import { getMeshVolume } from '../meshes/mesh-mass.ts'
import { createBallMesh, createBoxMesh } from '../testing/meshes.ts'
import { type Mesh, triangle } from '../values/mesh.ts'
import { openKernels } from './kernels.ts'
import { type MeshLibrary, openMeshKernel, openMeshLibrary } from './mesh-kernel.ts'

const { mesh: kernel } = await openKernels(['mesh'])
assert.ok(kernel)

const box = (x: number, y: number, z: number, size = 1): Mesh =>
  createBoxMesh({ x, y, z }, { x: size, y: size, z: size })

test('given two boxes that overlap by an eighth, then their union, difference and intersection have their volumes', () => {
  for (const far of [0, 1e6]) {
    const [a, b] = [box(far, 0, 0), box(far + 0.5, 0.5, 0.5)]
    const measure = (result: Mesh | undefined) => getMeshVolume(result!).size
    for (const [result, expected] of [
      [kernel.combine('union', [a, b], []), 15 / 8],
      [kernel.combine('difference', [a], [b]), 7 / 8],
      [kernel.combine('intersection', [a], [b]), 1 / 8],
    ] as const) {
      assert.ok(Math.abs(measure(result) - expected) < 1e-9)
    }
  }
})

test('given a mesh that single precision cannot hold, then its vertices keep their coordinates', () => {
  const odd = box(Math.PI * 1e5, Math.E, 0.1)
  const result = kernel.combine('union', [odd], [])
  const known = new Set(odd.vertices.map(({ x, y, z }) => `${x},${y},${z}`))
  assert.equal(result?.vertices.length, 8)
  for (const { x, y, z } of result.vertices) assert.ok(known.has(`${x},${y},${z}`))
})

test('given an open mesh, then there is no result; given no faces, an empty one; and the kernel goes on', () => {
  const { vertices } = box(0, 0, 0)
  const open: Mesh = { type: 'mesh', vertices, faces: [triangle(0, 1, 2)] }
  assert.equal(kernel.combine('union', [open, box(0, 0, 0)], []), undefined)
  assert.deepEqual(kernel.combine('difference', [], [box(0, 0, 0)])?.faces, [])
  assert.equal(kernel.combine('union', [box(0, 0, 0)], [])?.faces.length, 12)
})

test('given hundreds of operations, and open meshes, then the kernel has freed all that it has made', async () => {
  const rows = Array.from({ length: 21 }, (_, i) =>
    Array.from({ length: 21 }, (_, j) => ({ x: i, y: j, z: 0 })),
  )
  const open = createGridMesh(rows)
  const solids = Array.from({ length: 20 }, (_, i) => box(0.3 * i, 0.2 * i, 0.1 * i))
  const counts = { made: 0, freed: 0 }
  const kernel = await openMeshKernel(await openCountingLibrary(counts))
  for (let i = 0; i < 10; i++) {
    assert.ok(kernel.combine('difference', solids.slice(1), solids.slice(0, 1)))
    assert.equal(kernel.combine('union', [open], []), undefined)
    assert.ok(kernel.split(solids[0]!, solids.slice(1)))
  }
  assert.ok(counts.made > 10 * solids.length)
  assert.equal(counts.freed, counts.made)
})

test('given meshes that cross themselves in any way, then each vertex of a result is there, or there is none', async () => {
  const rows = fc.array(
    fc.record({
      x: fc.integer({ min: -2, max: 2 }),
      y: fc.integer({ min: -2, max: 2 }),
      z: fc.integer({ min: -2, max: 2 }),
    }),
    { minLength: 26, maxLength: 26 },
  )
  const crossed = rows.map((points): Mesh => {
    const ball = createBallMesh({ x: 0, y: 0, z: 0 }, 1, 4)
    return { ...ball, vertices: ball.vertices.map((vertex, i) => (i % 2 === 0 ? points[i]! : vertex)) }
  })
  await fc.assert(
    fc.asyncProperty(crossed, crossed, async (a, b) => {
      // One of its own: it is not used after an invalid result.
      const { mesh: own } = await openKernels(['mesh'])
      const result = own!.combine('difference', [a], [b])
      if (!result) return
      assert.ok(result.faces.every((face) => Math.max(face.a, face.b, face.c) < result.vertices.length))
    }),
    { numRuns: 20 },
  )
})

test('[F-8] given coordinates that are huge or tiny, then the result is as large, and nothing fails', () => {
  for (const size of [1e-300, 1e-40, 1e40, 1e150]) {
    const [a, b] = [box(0, 0, 0, size), box(size / 2, 0, 0, size)]
    const { vertices }: Mesh = kernel.combine('intersection', [a], [b])!
    assert.equal(Math.max(...vertices.map(({ x }) => x)), size)
    assert.equal(Math.min(...vertices.map(({ x }) => x)), size / 2)
  }
  assert.equal(kernel.combine('union', [box(-1e308, 0, 0, 1.7e308)], []), undefined)
})

/** Counts the solids that are made in the memory of the library, and those that are freed. */
async function openCountingLibrary(counts: { made: number; freed: number }): Promise<MeshLibrary> {
  const library = await openMeshLibrary()
  const { Manifold } = library
  // biome-ignore lint/suspicious/noExplicitAny: the types have no methods by name.
  const solid = Object.getPrototypeOf(Manifold.union([])) as any
  const count = (of: typeof solid, name: string, what: keyof typeof counts) => {
    const work = of[name]
    of[name] = function (...values: unknown[]) {
      counts[what]++
      return work.apply(this, values)
    }
  }
  for (const name of ['subtract', 'intersect', 'warp']) count(solid, name, 'made')
  count(solid, 'delete', 'freed')
  count(Manifold, 'union', 'made')
  library.Manifold = new Proxy(Manifold, {
    construct(target, [shape]) {
      counts.made++
      return new target(shape)
    },
  })
  return library
}
