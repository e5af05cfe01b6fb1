import { createDataTree, type DataTree, type DataValue, encodeNumber } from '@meadow/document'
import fc from 'fast-check'

/** Values that ports of each type hold, as they are read from a file. */

// JSON has one zero.
const real = fc
  .oneof(
    fc.double().map((it) => it + 0),
    fc.integer({ min: -1000, max: 1000 }),
  )
  .map(encodeNumber)
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
const text = fc.string({ unit: fc.constantFrom('a', 'Ü', '🦗', ' ', '\n', '"', '&', '<', '0') })
const xyz = fc.tuple(real, real, real)
const domain = fc.record({ start: real, end: real }, { noNullPrototype: true })
const plane = fc.record({ origin: xyz, xAxis: xyz, yAxis: xyz }, { noNullPrototype: true })
const hex = fc.integer({ min: 0, max: 0xffffffff }).map((it) => `#${it.toString(16).padStart(8, '0')}`)
const id = fc.uuid()

/** openNURBS classes by their id, with their type in a document. */
const CLASSES = {
  curve: { id: 'e6d4d74e47e9d311bfe50010830122f0', description: 'Polyline curve' },
  brep: { id: '43c26ff02aa308469dd8a7d2c4ce2a36'.padStart(0), description: 'Brep' },
  mesh: { id: 'e4d4d74e47e9d311bfe50010830122f0', description: 'Mesh' },
} as const

/** Bytes that start as an object of the class does, and carry anything. */
function geometric(type: keyof typeof CLASSES): fc.Arbitrary<DataValue> {
  const { id: classId, description } = CLASSES[type]
  const start = `fa7f0200${'00'.repeat(8)}fbff0200${'14'.padEnd(16, '0')}${classId}`
  return fc.record({ bytes: fc.uint8Array({ maxLength: 60 }), archive3dm: fc.constantFrom(50, 60, 70) }).map(
    ({ bytes, archive3dm }): DataValue => ({
      type,
      value: { description, boundingBox: null },
      geometry: {
        version: 10000,
        archive3dm,
        opennurbs: 2_351_123,
        data: Buffer.concat([Buffer.from(start, 'hex'), bytes]).toString('base64'),
      },
    }),
  )
}

/** An object in a Rhino model; the port defines its type. */
function referenced(type: 'curve' | 'brep' | 'mesh', kind: string): fc.Arbitrary<DataValue> {
  return id.map((referenceId) => ({
    type,
    value: { description: `${kind} in a Rhino model`, boundingBox: null },
    referenceId,
  }))
}

const of = <T extends DataValue['type']>(type: T, value: fc.Arbitrary<unknown>): fc.Arbitrary<DataValue> =>
  value.map((it) => ({ type, value: it }) as DataValue)

const number = of('number', real)
const curve = geometric('curve')

export const VALUES: Readonly<Record<string, fc.Arbitrary<DataValue>>> = {
  Boolean: of('boolean', fc.boolean()),
  Integer: of('integer', int32),
  Number: number,
  Text: of('string', text),
  'File Path': of('string', text),
  Colour: of('colour', hex),
  Domain: of('domain', domain),
  Vector: of('vector', xyz),
  Plane: of('plane', plane),
  Point: fc.oneof(
    of('point', xyz),
    id.map(
      (referenceId): DataValue => ({
        type: 'unknown',
        value: { description: 'Point in a Rhino model' },
        referenceId,
      }),
    ),
  ),
  Line: of('line', fc.record({ from: xyz, to: xyz }, { noNullPrototype: true })),
  Circle: of('circle', fc.record({ plane, radius: real }, { noNullPrototype: true })),
  Rectangle: of('rectangle', fc.record({ plane, x: domain, y: domain }, { noNullPrototype: true })),
  Box: of('box', fc.record({ plane, x: domain, y: domain, z: domain }, { noNullPrototype: true })),
  'Data Path': of(
    'path',
    fc.array(fc.nat(9), { minLength: 1, maxLength: 3 }).map((it) => `{${it.join(';')}}`),
  ),
  Curve: fc.oneof(curve, referenced('curve', 'Curve')),
  Brep: fc.oneof(geometric('brep'), referenced('brep', 'Brep')),
  Mesh: fc.oneof(geometric('mesh'), referenced('mesh', 'Mesh')),
  Data: fc.oneof(
    number,
    of('string', text),
    of('boolean', fc.boolean()),
    of('plane', plane),
    curve,
    of('point', xyz),
  ),
  Geometry: fc.oneof(
    curve,
    geometric('mesh'),
    of('box', fc.record({ plane, x: domain, y: domain, z: domain }, { noNullPrototype: true })),
  ),
}

/** A tree that a port of this type holds, nulls and branches without values among it. */
export function arbitraryTree(typeName: string): fc.Arbitrary<DataTree> {
  const value = VALUES[typeName] ?? fc.constant(null)
  const values = fc.array(
    fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }),
    { maxLength: 4 },
  )
  const path = fc.array(fc.nat(3), { minLength: 1, maxLength: 3 })
  return fc.array(fc.record({ path, values }), { maxLength: 3 }).map(createDataTree)
}
