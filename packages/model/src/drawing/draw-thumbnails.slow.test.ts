import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GraphContent } from '@meadow/contract'
import type { Mesh } from '@meadow/geometry/values/mesh'
import type { Geometry } from '@meadow/geometry/values/value'
import { OPTIONS, toValues } from '../testing/values.ts'
import { openModelLibrary } from '../worker/model-library.ts'
import { drawModelThumbnail, drawValuesThumbnail } from './draw-thumbnails.ts'

const CONTENT: GraphContent = { nodes: {}, groups: [], configuration: { inputs: [], outputs: [] } }

const square = (x: number, y: number, size: number): Mesh => ({
  type: 'mesh',
  vertices: [
    { x, y, z: 0 },
    { x: x + size, y, z: 0 },
    { x: x + size, y: y + size, z: 0 },
    { x, y: y + size, z: 0 },
  ],
  faces: [{ type: 'meshFace', a: 0, b: 1, c: 2, d: 3 }],
})

describe('thumbnails', () => {
  test('[MOD-86] given values and a model file with them, when both are drawn, then the pictures are the same', async () => {
    await using library = openModelLibrary()
    const curve: Geometry = { type: 'line', from: { x: 0, y: 0, z: 0 }, to: { x: 10, y: 0, z: 5 } }
    const values = toValues([curve, square(0, 0, 10), square(50, 0, 10)])
    const { bytes } = await library.write(values, OPTIONS)
    const options = { content: CONTENT, library, budgetMs: 1e6 }
    const fromValues = await drawValuesThumbnail(values, options)
    assert.equal(fromValues?.kind, 'geometry')
    assert.deepEqual(await drawModelThumbnail(bytes, options), fromValues)
  })

  test('[MOD-86] given too little time or a very large mesh, then values have no picture, and a model file a partial one', async () => {
    await using library = openModelLibrary()
    const squares = Array.from({ length: 400 }, (_, i) => square(i % 20, Math.floor(i / 20), 1))
    const values = toValues(squares)
    const options = { content: CONTENT, library, budgetMs: 0 }
    assert.equal(await drawValuesThumbnail(values, options), undefined)
    const { bytes } = await library.write(values, OPTIONS)
    assert.equal((await drawModelThumbnail(bytes, options)).isPartial, true)
    const large = { ...square(0, 0, 1), faces: new Array(200_000).fill(squares[0]!.faces[0]!) }
    assert.equal(await drawValuesThumbnail(toValues([large]), { ...options, budgetMs: 1e6 }), undefined)
  })
})
