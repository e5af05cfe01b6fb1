import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EncodedGeometry } from '@meadow/contract'
import type { Extrusion } from 'rhino3dm'
import { encodeGeometry } from '../geometry/encode-geometry.ts'
import { xyz } from '../geometry/xyz.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { plateWithHole } from '../testing/geometries.ts'
import { decode, encode, rhino } from '../testing/rhino.ts'
import { OPTIONS, toValues } from '../testing/values.ts'
import { walkModel } from '../walker/walk-model.ts'
import { openModelLibrary } from './model-library.ts'

const point = (x: number) => encodeGeometry({ type: 'point', ...xyz(x, 0, 0) })!
const circle = rhino.ArcCurve.createFromCircle(new rhino.Circle([1, 2, 3] as never, 2))
const extrusion = encode(rhino.Extrusion.create(circle, 4, true))

/** A chunk near its end claims a length that blocks the library for half a minute. */
const endless = withNumber(extrusion, -37, 0x7fff_ffff)

/** An empty cloud that claims more points than fit into memory. */
const boundless = withNumber(encode(new rhino.PointCloud()), -24, 0x1000_0000)

/** A copy with four other bytes, counted from the end. */
function withNumber(object: EncodedGeometry, fromEnd: number, value: number): EncodedGeometry {
  const bytes = Buffer.from(object.data, 'base64')
  bytes.writeUInt32LE(value, bytes.length + fromEnd)
  return { ...object, data: bytes.toString('base64') }
}

test('[MOD-6] given an extrusion, when it is decoded, then a brep with its caps', async () => {
  await using library = openModelLibrary()
  const [brep, none, plain] = await library.decode([extrusion, encode(new rhino.PointCloud()), point(1)])
  assert.ok(brep?.type === 'brep')
  assert.equal(brep.faces.length, 3)
  assert.equal(decode<Extrusion>(encodeGeometry(brep)).isSolid, true)
  assert.equal(none, undefined)
  assert.deepEqual(plain, { type: 'point', ...xyz(1, 0, 0) })
})

test('[MOD-50] given objects that crash or block the library, when they are measured with others, then null for them alone', async () => {
  await using library = openModelLibrary(2000)
  const boxes = await library.measure([point(1), boundless, point(2), endless, boundless, extrusion])
  assert.deepEqual(
    boxes.map((box) => box?.[0][0]),
    [1, undefined, 2, undefined, undefined, -1],
  )
})

test('[MOD-50] given many objects, when they are measured, then their boxes in order', async () => {
  await using library = openModelLibrary()
  const boxes = await library.measure(Array.from({ length: 450 }, (_, i) => point(i)))
  assert.deepEqual(
    boxes.map((box) => box?.[1][0]),
    boxes.map((_, i) => i),
  )
})

test('[MOD-19] given objects that the solver only passed on, when they are written, then as they came, but not broken ones', async () => {
  await using library = openModelLibrary()
  const opaque = (geometry: EncodedGeometry) =>
    ({ type: 'opaque', wire: { type: 'unknown', value: { description: 'An object' }, geometry } }) as const
  const [whole, broken] = [opaque(extrusion), opaque(boundless)]
  const values = toValues([plateWithHole(), plateWithHole(), plateWithHole()])
  const { bytes, unsupported, objectCount } = await library.write(
    [values[0]!, { ...values[1]!, value: whole }, { ...values[2]!, value: broken }],
    OPTIONS,
  )
  assert.equal(objectCount, 2)
  assert.deepEqual(
    unsupported.map(({ index }) => index),
    [2],
  )
  const [, written] = walkModel(bytes)
  assert.deepEqual(encode(decode<Extrusion>(written!.encode())), extrusion)
})

test('[MOD-51] given no answer before the deadline, when a model is written, then a fault', async () => {
  await using library = openModelLibrary(0)
  await assert.rejects(library.write(toValues([plateWithHole()]), OPTIONS), ModelFault)
})

test('[MOD-52] given requests at once, when they are answered, then each has its own answer', async () => {
  await using library = openModelLibrary()
  const boxes = await Promise.all(Array.from({ length: 20 }, (_, i) => library.measure([point(i)])))
  assert.deepEqual(
    boxes.map(([box]) => box?.[0][0]),
    Array.from({ length: 20 }, (_, i) => i),
  )
})

test('[MOD-52] given a library that is closed, when it is asked, then it starts again', async () => {
  const library = openModelLibrary()
  await library.measure([point(1)])
  await library[Symbol.asyncDispose]()
  assert.equal((await library.measure([point(2)])).length, 1)
  await library[Symbol.asyncDispose]()
})
