import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCompactScene, readCompactScene, readScene, type Scene } from '@meadow/contract/web'
import type { Geometry } from '@meadow/geometry/values/value'
import fc from 'fast-check'
import { drawGeometry } from '../drawing/draw-geometry.ts'
import { createSceneBuilder } from './scene-builder.ts'
import { writePlayerScene, writeSightScene } from './write-compact-scene.ts'

async function build(geometries: readonly Geometry[], colour = 0): Promise<Scene> {
  const builder = createSceneBuilder({ units: 'meters' })
  for (const [index, geometry] of geometries.entries()) {
    const location = { nodeInstanceId: `n${index % 2}`, portInstanceId: 'out', path: `{${index}}`, index: 0 }
    builder.add(location, drawGeometry(geometry)!, { colour })
  }
  return readScene(await new Blob([...builder.finish()]).arrayBuffer())
}

const sizes = fc.double({ min: 0.001, max: 1e5, noNaN: true })
const places = fc.double({ min: -1e5, max: 1e5, noNaN: true })
const lines = fc.record({ x: places, y: places, z: places, size: sizes }).map(
  ({ x, y, z, size }): Geometry => ({
    type: 'polyline',
    vertices: [
      { x, y, z },
      { x: x + size, y, z: z + size },
      { x, y: y - size, z },
    ],
  }),
)

const triangle = (at: number): Geometry => ({
  type: 'mesh',
  vertices: [
    { x: at, y: 0, z: 0 },
    { x: at + 1, y: 0, z: 0.25 },
    { x: at, y: 1, z: 0 },
    { x: at + 1, y: 1, z: 0 },
  ],
  faces: [{ type: 'meshFace', a: 0, b: 1, c: 3, d: 2 }],
})

test('[SCENE-8] given any curves, when they are written and read compactly, then they are the same within half a step', () =>
  fc.assert(
    fc.asyncProperty(fc.array(lines, { minLength: 1, maxLength: 8 }), async (curves) => {
      const scene = await build(curves)
      const compact = readCompactScene(writePlayerScene(scene, new Set()))
      assert.equal(compact.batches.length, scene.batches.length)
      const all = scene.batches.flatMap(({ positions }) => [...scene.floats(positions)])
      const longest = [0, 1, 2].map((axis) => {
        const values = all.filter((_, index) => index % 3 === axis)
        return Math.max(...values) - Math.min(...values)
      })
      const step = Math.max(...longest) / 2 ** 15
      for (const [index, batch] of scene.batches.entries()) {
        const read = compact.batches[index]!
        assert.deepEqual(compact.integers(read.starts), scene.integers(batch.starts))
        assert.deepEqual(compact.integers(read.indices!), scene.integers(batch.indices!))
        const [now, before] = [compact.floats(read.positions), scene.floats(batch.positions)]
        for (const [at, value] of before.entries())
          assert.ok(
            Math.abs(now[at]! - value) <= step / 2 + 1e-6 * Math.abs(value) + 1e-6,
            `${now[at]} ${value}`,
          )
      }
    }),
    { numRuns: 50 },
  ))

test('[SCENE-8] given meshes, when a compact scene is made, then normals are on the drawn side, colours stay, and what is hidden is left out unless it has a colour', async () => {
  const scene = await build([triangle(0), triangle(3)])
  const compact = readCompactScene(writePlayerScene(scene, new Set()))
  const body = compact.batches.find(({ role }) => role === 'body')!
  const drawn = scene.batches.find(({ role }) => role === 'body')!
  const [read, known] = [compact.floats(body.normals!), scene.floats(drawn.normals!)]
  assert.equal(read.length, known.length)
  for (let i = 0; i < read.length; i += 3) {
    const along = read[i]! * known[i]! + read[i + 1]! * known[i + 1]! + read[i + 2]! * known[i + 2]!
    assert.ok(along > 0.9, String(along))
  }
  const some = readCompactScene(writePlayerScene(scene, new Set(['n0'])))
  const xs = (shown: Scene) => shown.boundingBox!.map(([x]) => x)
  assert.deepEqual(
    [xs(scene), xs(compact), xs(some)],
    [
      [-1, 3],
      [-1, 3],
      [2, 3],
    ],
  )
  const coloured = await build([triangle(0), triangle(3)], 0xff8000ff)
  const kept = readCompactScene(writePlayerScene(coloured, new Set(['n0', 'n1'])))
  assert.deepEqual(new Set(kept.batches.map(({ nodeInstanceId }) => nodeInstanceId)), new Set(['0', '1']))
  assert.deepEqual([...kept.integers(kept.batches[0]!.colours!)], [0xff8000ff])
  assert.throws(() => readCompactScene(new Uint8Array(40)), RangeError)
})

test('[SCENE-8] given any values, when their sight is written and read, then ids, branches, types, measures and colours are those of the scene', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(lines, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (curves, isColoured) => {
        const scene = await build([...curves, triangle(2)], isColoured ? 0xff0000ff : 0)
        const bytes = writeSightScene(scene)
        assert.ok(isCompactScene(bytes) && !isCompactScene(bytes.subarray(1)))
        const sight = readCompactScene(bytes)
        const facts = ({ batches, floats, integers }: Scene) =>
          batches.map(
            ({ kind, role, nodeInstanceId, portInstanceId, branches, types, measures, colours, starts }) => ({
              ...{ kind, role, nodeInstanceId, portInstanceId, branches, starts: integers(starts) },
              ...{ types: types && integers(types), measures: measures && floats(measures) },
              colours: colours && integers(colours),
            }),
          )
        assert.deepEqual(facts(sight), facts(scene))
      },
    ),
    { numRuns: 30 },
  ))
