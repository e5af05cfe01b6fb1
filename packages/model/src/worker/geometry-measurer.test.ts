import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EncodedGeometry } from '@meadow/contract'
import rhino3dm from 'rhino3dm'
import { openGeometryMeasurer } from './model-library.ts'

const rhino = await rhino3dm()

const encode = (object: { encode(): unknown }) => object.encode() as EncodedGeometry

const line = encode(new rhino.LineCurve([1, 2, 3] as never, [4, 6, 8] as never))
const sphere = encode(new rhino.Sphere([0, 0, 5] as never, 2).toBrep())

test('[MOD-50] given objects, when they are measured, then their bounding boxes in order', async () => {
  await using measurer = openGeometryMeasurer()
  const boxes = await measurer.measure([line, sphere])
  assert.deepEqual(boxes[0], [
    [1, 2, 3],
    [4, 6, 8],
  ])
  assert.deepEqual(
    boxes[1]!.flat().map((n) => Math.round(n * 1e6) / 1e6),
    [-2, -2, 3, 2, 2, 7],
  )
  assert.deepEqual(await measurer.measure([]), [])
})

test('[MOD-50] given bytes that are no object, when they are measured among others, then null for them alone', async () => {
  await using measurer = openGeometryMeasurer()
  const broken = [
    { ...line, data: '' },
    { ...line, data: Buffer.alloc(200, 7).toString('base64') },
    { ...sphere, data: sphere.data.slice(0, 400) },
  ]
  const boxes = await measurer.measure([line, ...broken, line])
  assert.deepEqual(boxes[0], boxes.at(-1))
  assert.deepEqual(boxes.slice(1, -1), [null, null, null])
})

test('[MOD-51] given no answer before the deadline, when objects are measured, then null', async () => {
  await using measurer = openGeometryMeasurer(0)
  assert.deepEqual(await measurer.measure([line]), [null])
})
