import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import type { Item } from '../../../archive/tree/archive.ts'
import {
  buildChunk,
  buildDefinition,
  buildId,
  buildItem,
  buildObject,
  buildPersistentData,
  buildSources,
} from '../../../testing/build-archive.ts'
import { buildPackedGeometry, buildRhinoObject } from '../../../testing/build-rhino-object.ts'
import { readDefinition } from '../../read-definition.ts'
import { createGeometryUnpacker } from './geometry-unpacker.ts'
import { findRhinoObject } from './read-rhino-object.ts'

const GEOMETRY = 'ac2bc2cb-70fb-4dd5-9c78-7e1ea97fe278'
const BREP = '919e146f-30ae-4aae-be34-4d72f555e7da'
const NO_ID = '00000000-0000-0000-0000-000000000000'
const DATA = Uint8Array.of(1, 2, 250)

function read(guid: string, ...values: Parameters<typeof buildPersistentData>[0][string]) {
  const container = [...buildSources(), buildPersistentData({ '{0}': values })]
  const { content, notes } = readDefinition(buildDefinition([buildObject({ guid, id: 1, container })]))
  return { values: content.nodes[buildId(1)]?.values[buildId(1)]?.branches[0]?.values, notes }
}

const packed = (bytes: Uint8Array, refId = NO_ID): Item[] => [
  buildItem('bytearray', 'ON_Data', bytes),
  buildItem('guid', 'RefID', refId),
]

test('[GHD-10] given internalised geometry, when read, then it is the openNURBS object and its type', () => {
  const geometry = { version: 10000, archive3dm: 60, opennurbs: 2345, data: 'AQL6' }
  const cases: [string, unknown][] = [
    ['NurbsCurve', { type: 'curve', value: { description: 'Nurbs curve', boundingBox: null }, geometry }],
    ['RevSurface', { type: 'surface', value: { description: 'Rev surface', boundingBox: null }, geometry }],
    ['Brep', { type: 'brep', value: { description: 'Brep', boundingBox: null }, geometry }],
    ['Extrusion', { type: 'brep', value: { description: 'Extrusion', boundingBox: null }, geometry }],
    ['Mesh', { type: 'mesh', value: { description: 'Mesh', boundingBox: null }, geometry }],
    ['SubD', { type: 'unknown', value: { description: 'SubD' }, geometry }],
  ]
  for (const [name, value] of cases) {
    const { values, notes } = read(GEOMETRY, packed(buildPackedGeometry(`Rhino.Geometry.${name}`, DATA)))
    assert.deepEqual(values, [value])
    assert.deepEqual(notes, [])
  }
})

test('[GHD-10] given the zero bytes after geometry, as in some files, when read, then they are ignored', () => {
  const padded = Buffer.concat([buildPackedGeometry('Rhino.Geometry.Mesh', DATA), Buffer.alloc(7)])
  assert.equal(read(GEOMETRY, packed(padded)).values?.[0]?.type, 'mesh')
})

test('[GHD-10] given references to a Rhino model, when read, then they have the id and the type', () => {
  const reference = (...more: Item[]) => [buildItem('guid', 'RefID', buildId(7)), ...more]
  const referenceId = buildId(7)
  const brep = {
    type: 'brep',
    value: { description: 'Brep in a Rhino model', boundingBox: null },
    referenceId,
  }
  const curve = {
    type: 'curve',
    value: { description: 'Curve in a Rhino model', boundingBox: null },
    referenceId,
  }
  assert.deepEqual(read(BREP, reference()).values, [brep])
  assert.deepEqual(read(GEOMETRY, reference(buildItem('int32', 'EdgeIndex', -1))).values, [curve])
  const named = buildItem('string', 'TypeName', 'Grasshopper.Kernel.Types.GH_Brep')
  assert.deepEqual(read(GEOMETRY, reference(named)).values, [brep])
  const point = [buildChunk('ReferenceData', reference())]
  assert.deepEqual(read('fbac3e32-f100-4292-8692-77240a42fd1a', point).values, [
    { type: 'unknown', value: { description: 'Point in a Rhino model' }, referenceId },
  ])
  assert.deepEqual(read(BREP, [buildItem('guid', 'RefID', NO_ID)]).values, [null])
})

test('[GHD-11] given bytes that are not geometry, when read, then the value reports it and there is a note with its location', () => {
  const { values, notes } = read(
    BREP,
    packed(Uint8Array.of(9, 9, 9)),
    packed(deflateRawSync(Buffer.from('text'))),
  )
  const unknown = { type: 'unknown', value: { description: 'Geometry that could not be read' } }
  assert.deepEqual(values, [unknown, unknown])
  const note = { kind: 'unreadable_geometry', nodeInstanceId: buildId(1), portInstanceId: buildId(1) }
  assert.deepEqual(notes, [note, note])
})

test('[GHD-11] given geometry beyond the limit, when unpacked, then it and what follows is omitted', () => {
  const small = buildPackedGeometry('Rhino.Geometry.Mesh', DATA)
  const bomb = deflateRawSync(Buffer.alloc(5_000_000))
  const unpack = createGeometryUnpacker(1_000_000)
  assert.equal(typeof unpack(small), 'object')
  assert.equal(unpack(bomb), 'left_out')
  assert.equal(unpack(small), 'left_out')
})

test('[GHD-11] given truncated bombs, when unpacked, then they use up the limit too', () => {
  const broken = Buffer.concat([
    deflateRawSync(Buffer.alloc(900_000)).subarray(0, -5),
    Buffer.alloc(20, 0xff),
  ])
  const unpack = createGeometryUnpacker(1_000_000)
  assert.deepEqual([unpack(broken), unpack(broken)], ['unreadable', 'left_out'])
})

test('[GHD-11] given any damage to a record, when read, then it is an object or none, never an error', () => {
  const record = buildRhinoObject('Rhino.Geometry.Mesh', DATA)
  const at = fc.nat({ max: record.length - 1 })
  fc.assert(
    fc.property(fc.array(fc.tuple(at, fc.nat({ max: 255 })), { maxLength: 4 }), at, (changes, length) => {
      const damaged = Uint8Array.from(record)
      for (const [index, byte] of changes) damaged[index] = byte
      findRhinoObject(damaged)
      assert.equal(findRhinoObject(damaged.subarray(0, Math.min(length, record.length - 2))), undefined)
    }),
  )
})
