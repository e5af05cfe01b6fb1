import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EncodedGeometry } from '@meadow/contract'
import type { Drawing } from '@meadow/drawing'
import type { Xyz } from '@meadow/geometry/values/points'
import { writeCurve } from '../geometry/write-curve.ts'
import { xyz } from '../geometry/xyz.ts'
import { CLASS } from '../opennurbs/class-ids.ts'
import { encodeWith } from '../opennurbs/encoded-geometry.ts'
import { writeObject } from '../opennurbs/object-chunk.ts'
import { writePlane } from '../opennurbs/primitives.ts'
import { BENT, WORLD } from '../testing/geometries.ts'
import { decode, encode, getBox, rhino } from '../testing/rhino.ts'
import { readSampleModels, skipWithoutSamples } from '../testing/samples.ts'
import { OPTIONS, toValues } from '../testing/values.ts'
import { walkModel } from '../walker/walk-model.ts'
import { openModelLibrary } from '../worker/model-library.ts'
import { drawObject } from './draw-objects.ts'

/** A hatch over a loop, in a plane that stands upright. */
const HATCH = encodeWith((writer) =>
  writeObject(writer, CLASS.hatch, () => {
    writer.byte(0x11)
    writePlane(writer, { ...WORLD, origin: xyz(5, 6, 7), yAxis: xyz(0, 0, 1), zAxis: xyz(0, -1, 0) })
    writer.float64(1, 0)
    writer.int32(0)
    writer.int32(1)
    writer.byte(0x11)
    writer.int32(0)
    writeCurve(writer, BENT, 2)
  }),
)

function createCloud(): EncodedGeometry {
  const cloud = new rhino.PointCloud()
  for (const at of [1, 2, 4]) cloud.addPointColor([at, 10 * at, -at] as never, { r: at, g: 0, b: 0 } as never)
  return encode(cloud)
}

// The types lack the parameters.
const TextDot = rhino.TextDot as unknown as new (text: string, at: number[]) => { encode(): unknown }
const DOT = encode(new TextDot('Mark', [1, 2, 3]))

function findBox({ positions, curves, points }: Drawing): number[] {
  const corners = [...curves.flat(), ...points].map(({ x, y, z }: Xyz) => [x, y, z])
  for (let i = 0; i < positions.length; i += 3) corners.push(positions.slice(i, i + 3))
  const bounds = (pick: (...numbers: number[]) => number) =>
    [0, 1, 2].map((k) => pick(...corners.map((c) => c[k]!)))
  return [...bounds(Math.min), ...bounds(Math.max)]
}

const isNear = (a: readonly number[], b: readonly number[], slack: number) =>
  a.every((part, k) => Math.abs(part - b[k]!) <= slack)

/** The first object of a class in a real file. */
function findSample(file: string): EncodedGeometry {
  const sample = [...readSampleModels()].find(({ name }) => name === file)!
  for (const object of walkModel(sample.bytes)) return object.encode()
  throw new Error(`${file} has no objects.`)
}

test('[MOD-73] given a hatch, a point cloud and a text dot, when they are drawn, then their loops and points, where the library has them', async () => {
  await using library = openModelLibrary()
  const cases = [
    [HATCH, 'hatch', 1, 0],
    [createCloud(), 'pointCloud', 0, 3],
    [DOT, 'text', 0, 1],
  ] as const
  for (const [encoded, type, curves, points] of cases) {
    const drawn = await drawObject(encoded, library)
    assert.equal(drawn?.type, type)
    assert.deepEqual([drawn.drawing.curves.length, drawn.drawing.points.length], [curves, points])
    const box = getBox(decode(encoded))
    assert.ok(isNear(findBox(drawn.drawing), box, 1e-6), `${type} ${box} ${findBox(drawn.drawing)}`)
  }
})

test('[MOD-73] given damaged objects, and a SubD without faces, when they are drawn, then undefined', async () => {
  await using library = openModelLibrary()
  const cut = { ...HATCH, data: HATCH.data.slice(0, 300) }
  for (const encoded of [cut, encode(new rhino.SubD()), encode(new rhino.PointCloud())])
    assert.equal(await drawObject(encoded, library), undefined)
})

test('[MOD-74] given the SubD of a real file, when it is drawn, then a closed smooth body inside its control net, nearly as large', {
  skip: skipWithoutSamples,
}, async () => {
  await using library = openModelLibrary()
  const encoded = findSample('input.3dm')
  const { type, drawing } = (await drawObject(encoded, library))!
  assert.deepEqual([type, drawing.isClosed, drawing.meshEdges.length], ['subD', true, 0])
  assert.ok(drawing.triangles.length > 100_000)
  const net = getBox(decode(encoded))
  const box = findBox(drawing)
  assert.ok(box.every((bound, k) => (k < 3 ? bound >= net[k]! : bound <= net[k]!)))
  assert.ok(isNear(box, net, 10))
  // It has no creases, but ends of struts that are nearly sharp.
  assert.ok(drawing.edges.length < 500, `${drawing.edges.length} edges`)
  // Faces point to where their normals point.
  let backwards = 0
  const at = (list: readonly number[], vertex: number) => list.slice(3 * vertex, 3 * vertex + 3)
  for (let i = 0; i < drawing.triangles.length; i += 3) {
    const [a, b, c] = drawing.triangles
      .slice(i, i + 3)
      .map((vertex) => at(drawing.positions, vertex)) as number[][]
    const [u, v] = [b, c].map((corner) => corner!.map((part, k) => part - a![k]!)) as [number[], number[]]
    const across = [0, 1, 2].map((k) => u[(k + 1) % 3]! * v[(k + 2) % 3]! - u[(k + 2) % 3]! * v[(k + 1) % 3]!)
    const normal = at(drawing.normals, drawing.triangles[i]!)
    if (across.reduce((sum, part, k) => sum + part * normal[k]!, 0) < 0) backwards++
  }
  assert.ok(backwards < drawing.triangles.length / 3 / 1000, `${backwards} triangles`)
})

test('[MOD-74] given a text of a real file, when it is drawn, then a frame of its height in its plane', {
  skip: skipWithoutSamples,
}, async () => {
  await using library = openModelLibrary()
  const { type, drawing } = (await drawObject(findSample('textEntities_r8.3dm'), library))!
  assert.equal(type, 'text')
  const [frame] = drawing.curves
  assert.deepEqual([frame!.length, frame!.at(-1)], [5, frame![0]])
  const [left, bottom, , right, top] = findBox(drawing)
  assert.deepEqual([left, bottom, top], [0, -10, 0])
  // "Hello World!"
  assert.ok(right! > 40 && right! < 120)
})

test('[MOD-75] given objects that the solver has no type for, when a model is written with them, then the library reads the same objects from it', {
  skip: skipWithoutSamples,
}, async () => {
  await using library = openModelLibrary()
  const all = [HATCH, createCloud(), DOT, findSample('input.3dm'), findSample('textEntities_r8.3dm')]
  const [place] = toValues([WORLD])
  const values = all.map((geometry, index) => {
    const wire = { type: 'unknown', value: { description: 'Object' }, geometry } as const
    return { ...place!, index, value: { type: 'opaque', wire } as const }
  })
  const { bytes, objectCount, unsupported } = await library.write(values, OPTIONS)
  assert.deepEqual([objectCount, unsupported], [all.length, []])
  const objects = rhino.File3dm.fromByteArray(bytes).objects()
  for (const [i, geometry] of all.entries()) {
    const [written, original] = [objects.get(i).geometry(), decode<object>(geometry)]
    assert.equal(written.constructor, original.constructor)
    assert.equal(encode(written as never).data, encode(original as never).data, `object ${i}`)
  }
})
