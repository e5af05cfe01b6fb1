import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readValues } from '../../view/scene/scene-values.ts'
import { buildScene, cube, line, point } from '../../view/testing/build-scene.ts'
import { compareScenes, GEOMETRY_MARKS, isOld, mergeScenes, originalId } from './compare-scenes.ts'

const NONE: ReadonlySet<string> = new Set()
const RED = { red: 255, green: 0, blue: 0, alpha: 255 }

test('[WEB-146] given two scenes, when they are compared, then objects of the same node, port, path and index are the same, changed, added or removed', async () => {
  const before = await buildScene([
    { node: 'kept', geometry: cube(0, 0, 0) },
    { node: 'grown', geometry: cube(5, 0, 0) },
    { node: 'recoloured', geometry: line([0, 0, 0], [1, 1, 1]) },
    { node: 'gone', geometry: point(1, 2, 3) },
    { node: 'list', geometry: point(0, 0, 0), index: 0 },
  ])
  const after = await buildScene([
    // Far away: the whole scene has another origin.
    { node: 'far', geometry: cube(1000, 1000, 0) },
    { node: 'kept', geometry: cube(0, 0, 0) },
    { node: 'grown', geometry: cube(5, 0, 0, 1.5) },
    { node: 'recoloured', geometry: line([0, 0, 0], [1, 1, 1]), colour: RED },
    { node: 'list', geometry: point(0, 0, 0), index: 0 },
    { node: 'list', geometry: point(0, 0, 1), index: 1 },
  ])
  const compared = compareScenes({ scene: before, hiddenIds: NONE }, { scene: after, hiddenIds: NONE })
  assert.deepEqual(compared.counts, { added: 2, removed: 1, changed: 2, same: 2 })
})

test('[WEB-146] given nodes whose preview is off, when scenes are compared, then their objects do not count, unless they have a colour of their own', async () => {
  const scene = await buildScene([
    { node: 'off', geometry: cube(0, 0, 0) },
    { node: 'coloured', geometry: cube(3, 0, 0), colour: RED },
  ])
  const hiddenIds = new Set(['off', 'coloured'])
  const { counts } = compareScenes({ scene, hiddenIds: NONE }, { scene, hiddenIds })
  assert.deepEqual(counts, { added: 0, removed: 1, changed: 0, same: 1 })
})

test('[WEB-146] given compared scenes, when they are merged, then every shown object has a colour, at its place, and what is not shown has none', async () => {
  const before = await buildScene([
    { node: 'grown', geometry: cube(500, 0, 0) },
    { node: 'gone', geometry: cube(502, 0, 0) },
  ])
  const after = await buildScene([
    { node: 'far', geometry: cube(1000, 1000, 0) },
    { node: 'grown', geometry: cube(500, 0, 0, 2) },
  ])
  const compared = compareScenes({ scene: before, hiddenIds: NONE }, { scene: after, hiddenIds: NONE })
  const { scene, hiddenIds } = mergeScenes(compared, new Set(GEOMETRY_MARKS))
  const values = readValues(scene)
  assert.equal(values.count, 4)
  assert.ok([...values.colours].every((colour) => colour !== 0))
  const gone = values.ports.find(({ nodeInstanceId }) => originalId(nodeInstanceId) === 'gone')!
  assert.ok(isOld(gone.nodeInstanceId) && hiddenIds.has(gone.nodeInstanceId))
  const corner = [0, 1, 2].map((axis) => values.boxes[6 * gone.first + axis]! + scene.origin[axis]!)
  assert.deepEqual(corner.map(Math.round), [502, 0, 0])
  const some = readValues(mergeScenes(compared, new Set(['removed'])).scene)
  assert.equal([...some.colours].filter((colour) => colour !== 0).length, 1)
})
