import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataValue, UnknownValue } from '@meadow/contract'
import { decodeValue } from '@meadow/geometry/values/decode-value'
import { toShader } from '@meadow/geometry/values/shader'
import { colour, kindOf } from '@meadow/geometry/values/value'
import { encodeValue } from './encode-value.ts'

const PLANE = { origin: [1, 2, 3], xAxis: [0, 1, 0], yAxis: [-1, 0, 0] } satisfies Extract<
  DataValue,
  { type: 'plane' }
>['value']
const X = { start: 0, end: 2 }

/** A value of each type that has a short form. */
const VALUES: DataValue[] = [
  { type: 'boolean', value: true },
  { type: 'integer', value: -3 },
  { type: 'number', value: 2.5 },
  { type: 'number', value: 'NaN' },
  { type: 'number', value: '-Infinity' },
  { type: 'string', value: 'ä' },
  { type: 'colour', value: '#0a80ff40' },
  { type: 'domain', value: { start: 1, end: 'Infinity' } },
  { type: 'vector', value: [0, 0, 1] },
  { type: 'point', value: [1, 2, 3] },
  { type: 'plane', value: PLANE },
  { type: 'line', value: { from: [0, 0, 0], to: [1, 1, 1] } },
  {
    type: 'polyline',
    value: [
      [0, 0, 0],
      [1, 0, 0],
      [1, 1, 0],
    ],
  },
  { type: 'circle', value: { plane: PLANE, radius: 2 } },
  { type: 'arc', value: { plane: PLANE, radius: 2, startAngle: 0, endAngle: 1 } },
  { type: 'rectangle', value: { plane: PLANE, x: X, y: X } },
  { type: 'box', value: { plane: PLANE, x: X, y: X, z: X } },
  { type: 'path', value: '{0;1}' },
  { type: 'unknown', value: { description: 'Guid 1' } },
  { type: 'mesh', value: { description: 'Mesh in a Rhino model', boundingBox: null }, referenceId: 'x' },
]

test('[D22] given a value of each type, when it is read and written again, then it is the same', () => {
  for (const wire of VALUES) assert.deepEqual(encodeValue(decodeValue(wire)), wire)
  assert.equal(encodeValue(decodeValue(null)), null)
})

test('[C-17] given complex numbers and times, when they are written, then they are described', () => {
  for (const [value, description] of [
    [{ type: 'complex', real: 3, imaginary: -4 }, '3 - 4i'],
    [{ type: 'time', day: 19_782, ms: 3_723_000 }, '2024-02-29 01:02:03'],
    [{ type: 'time', day: null, ms: 3_723_000 }, '01:02:03'],
  ] as const) {
    assert.deepEqual(encodeValue(value), { type: 'unknown', value: { description } })
  }
})

test('given faces and materials in words, when they are read, then they are those of the text', () => {
  const describe = (description: string) => decodeValue({ type: 'unknown', value: { description } })
  assert.equal(describe('Coordinate mask 4'), 'XYZ')
  assert.equal(describe('Culture 127'), '')
  assert.deepEqual(describe('Mesh face 0, 1, 2, 3'), { type: 'meshFace', a: 0, b: 1, c: 2, d: 3 })
  assert.deepEqual(describe('Mesh face 0, 1, 2, -2147483648'), { type: 'meshFace', a: 0, b: 1, c: 2, d: 2 })
  assert.equal(kindOf(describe('Material #ff000080') ?? ''), 'shader')
  assert.equal(kindOf(describe('Something else') ?? ''), 'opaque')
})

test('[C-10] given a material as an import writes it, when it is read, then it has the properties of its file, and those of its colour where they are missing or wrong', () => {
  const read = (properties?: UnknownValue['properties']) =>
    decodeValue({
      type: 'unknown',
      value: { description: 'Material #ff000080', kind: 'material', ...(properties && { properties }) },
    })
  const plain = toShader(colour(255, 0, 0, 128))
  const whole = { specular: '#0a141eff', emission: '#010203ff', transparency: 0.9, shine: 0.25 }
  assert.deepEqual(read(whole), {
    ...plain,
    specular: colour(10, 20, 30),
    emission: colour(1, 2, 3),
    transparency: 0.9,
    shine: 25,
  })
  assert.deepEqual(read(), plain)
  assert.deepEqual(read({ specular: 'red', emission: 7, transparency: 'NaN', shine: 2 }), plain)
})

test('[C-10] given a material that was computed, when it is written and read again, then it is the same', () => {
  const material = {
    ...toShader(colour(255, 0, 0, 128)),
    specular: colour(1, 2, 3),
    emission: colour(4, 5, 6),
    transparency: 0.75,
    shine: 50,
  }
  const wire = encodeValue(material)
  assert.deepEqual(wire, {
    type: 'unknown',
    value: {
      description: 'Shader(255,0,0 (128))',
      kind: 'material',
      properties: {
        diffuse: '#ff000080',
        specular: '#010203ff',
        emission: '#040506ff',
        transparency: 0.75,
        shine: 0.5,
      },
    },
  })
  assert.deepEqual(decodeValue(wire), material)
  const words = (description: string) => decodeValue({ type: 'unknown', value: { description } })
  assert.deepEqual(words('Shader(255,0,0 (128))'), toShader(colour(255, 0, 0, 128)))
  assert.deepEqual(words('Shader(1,2,3)'), toShader(colour(1, 2, 3)))
})

test('[D22] given geometry without a short form, when it is written, then it has words and a box', () => {
  const mesh = encodeValue({
    type: 'mesh',
    vertices: [
      { x: 0, y: 0, z: 0 },
      { x: 1, y: 0, z: 0 },
      { x: 0, y: 2, z: 0 },
    ],
    faces: [{ type: 'meshFace', a: 0, b: 1, c: 2, d: 2 }],
  })
  assert.deepEqual(mesh, {
    type: 'mesh',
    value: {
      description: 'Mesh of 3 vertices and 1 faces, all triangles',
      boundingBox: [
        [0, 0, 0],
        [1, 2, 0],
      ],
    },
  })
})
