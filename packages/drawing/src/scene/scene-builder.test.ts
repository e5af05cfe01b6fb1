import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLOSED_BODY, findSceneValue, readScene, SCENE_TYPES, type Scene } from '@meadow/contract/web'
import type { Geometry } from '@meadow/geometry/values/value'
import { drawGeometry } from '../drawing/draw-geometry.ts'
import type { Drawing } from '../drawing/drawing.ts'
import { createSceneBuilder, packColour, type SceneBuilder } from './scene-builder.ts'
import { EMPTY_SCENE } from './write-header.ts'

const line = (length: number, x = 0): Geometry => ({
  type: 'line',
  from: { x, y: 0, z: 0 },
  to: { x: x + length, y: 0, z: 0 },
})

const draw = (geometry: Geometry): Drawing => drawGeometry(geometry)!

const at = (nodeInstanceId: string, path: string, index: number) => ({
  nodeInstanceId,
  portInstanceId: 'out',
  path,
  index,
})

async function read(scene: SceneBuilder): Promise<Scene> {
  return readScene(await new Blob([...scene.finish()]).arrayBuffer())
}

test('[SCENE-1] given values of two ports, when a scene is built, then each vertex is found under its branch and index', async () => {
  const builder = createSceneBuilder({ units: 'none' })
  builder.add(at('a', '{0}', 0), draw(line(2)))
  builder.add(at('a', '{0}', 2), draw(line(4)))
  builder.add(at('a', '{1}', 0), draw(line(6)))
  builder.add(at('b', '{0}', 0), draw(line(8)))
  const scene = await read(builder)
  assert.deepEqual(
    scene.batches.map(({ nodeInstanceId, kind, role }) => [nodeInstanceId, kind, role]),
    [
      ['a', 'lines', 'curve'],
      ['b', 'lines', 'curve'],
    ],
  )
  const [a] = scene.batches
  const starts = scene.integers(a!.starts)
  assert.deepEqual([...scene.integers(a!.indices!)], [0, 1, 2, 3, 4, 5])
  assert.deepEqual(
    [0, 2, 4].map((index) => findSceneValue(a!, starts, index)),
    [
      { path: '{0}', index: 0 },
      { path: '{0}', index: 2 },
      { path: '{1}', index: 0 },
    ],
  )
})

test('[SCENE-2] given geometry far away, when a scene is built, then positions are relative to a near origin', async () => {
  const builder = createSceneBuilder({ units: 'mm' })
  builder.add(at('a', '{0}', 0), draw(line(2, 1e8)))
  const scene = await read(builder)
  assert.deepEqual(scene.origin, [1e8 + 1, 0, 0])
  assert.deepEqual([...scene.floats(scene.batches[0]!.positions)], [-1, 0, 0, 1, 0, 0])
  assert.deepEqual(scene.boundingBox, [
    [-1, 0, 0],
    [1, 0, 0],
  ])
})

test('[SCENE-3] given ports with the same values, when a scene is built, then their numbers are written once', async () => {
  const size = async (...lengths: number[]) => {
    const builder = createSceneBuilder({ units: 'none' })
    for (const [i, length] of lengths.entries()) builder.add(at(`n${i}`, '{0}', 0), draw(line(length)))
    const scene = await read(builder)
    return new Set(scene.batches.map(({ positions }) => positions.offset)).size
  }
  assert.equal(await size(5, 5, 5), 1)
  assert.equal(await size(5, 6, 5), 2)
})

test('[SCENE-4] given a coloured value, when a scene is built, then its port has a colour for each value', async () => {
  const builder = createSceneBuilder({ units: 'none' })
  builder.add(at('a', '{0}', 1), draw(line(1)), {
    colour: packColour({ red: 255, green: 1, blue: 2, alpha: 128 }),
  })
  const { batches, integers } = await read(builder)
  assert.deepEqual([...integers(batches[0]!.colours!)], [0, 0xff010280])
})

test('[SCENE-7] given values and a group, when a scene is built, then each value has its type and measure', async () => {
  const builder = createSceneBuilder({ units: 'none' })
  const traits = { type: 'line', measure: 2 } as const
  builder.add(at('a', '{0}', 1), draw(line(2)), traits)
  builder.add(at('a', '{0}', 2), draw(line(2)), traits)
  builder.add(at('a', '{0}', 2), draw(line(2)), traits)
  builder.add(at('b', '{0}', 0), { ...draw(line(2)), isClosed: true }, { type: 'brep' })
  const { batches, integers, floats } = await read(builder)
  const [lines, bodies] = batches.map(({ types }) => [...integers(types!)])
  assert.deepEqual(lines, [255, SCENE_TYPES.indexOf('line'), SCENE_TYPES.indexOf('geometry')])
  assert.deepEqual(bodies, [SCENE_TYPES.indexOf('brep') + CLOSED_BODY])
  assert.deepEqual([...floats(batches[0]!.measures!)], [Number.NaN, 2, Number.NaN])
  assert.equal(batches[1]!.measures, undefined)
})

test('[SCENE-5] given more vertices than a scene may have, when they are added, then the scene is truncated', async () => {
  const points = Array.from({ length: 1_000_001 }, () => ({ x: 1, y: 2, z: 3 }))
  const drawing = { ...draw(line(1)), curves: [], points }
  const builder = createSceneBuilder({ units: 'none' })
  const added = [0, 1, 2, 3].map((index) => builder.add(at('a', '{0}', index), drawing))
  builder.skip()
  const { truncated, skipped, batches } = await read(builder)
  assert.deepEqual(added, [true, true, true, false])
  assert.deepEqual(
    { truncated, skipped, vertices: batches[0]!.positions.length },
    { truncated: true, skipped: 1, vertices: 9_000_009 },
  )
})

test('[SCENE-6] given nothing, when the empty scene is read, then it has no batches', () => {
  assert.deepEqual(readScene(EMPTY_SCENE.buffer).batches, [])
})
