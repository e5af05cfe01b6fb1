import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Point } from '@meadow/geometry/values/points'
import type { Colour, Geometry } from '@meadow/geometry/values/value'
import type { File3dm } from 'rhino3dm'
import { decodeGeometry } from '../geometry/decode-geometry.ts'
import { xyz } from '../geometry/xyz.ts'
import { BENT, box, net, plateWithHole, SADDLE, WORLD } from '../testing/geometries.ts'
import { rhino } from '../testing/rhino.ts'
import { OPTIONS, toValues } from '../testing/values.ts'
import { readArchiveVersion } from '../walker/read-archive-version.ts'
import { walkModel } from '../walker/walk-model.ts'
import { openModelLibrary } from '../worker/model-library.ts'
import type { ModelOptions, ModelValue } from './model-input.ts'
import { createMemberId, createPlatformId } from './value-location.ts'

const POINT: Point = { type: 'point', ...xyz(1, 2, 3) }

async function write(values: ModelValue[], options: Partial<ModelOptions> = {}) {
  await using library = openModelLibrary()
  return library.write(values, { ...OPTIONS, ...options })
}

function open(bytes: Uint8Array): File3dm {
  return rhino.File3dm.fromByteArray(bytes)
}

test('[MOD-10] given values of two nodes of one name, when they are written, then a layer for each', async () => {
  const values = [...toValues([POINT, BENT], 'a'), ...toValues([POINT], 'b')].map((value) => ({
    ...value,
    nodeName: 'Result',
  }))
  const { bytes } = await write(values)
  assert.deepEqual(
    [...walkModel(bytes)].map(({ layer }) => layer),
    ['Result', 'Result', 'Result 2'],
  )
  assert.equal(open(bytes).layers().count, 2)
})

test('[MOD-11] given a value, when it is written, then its object identifies it', async () => {
  const { bytes } = await write(toValues([POINT]))
  const [object] = walkModel(bytes)
  assert.equal(object?.name, 'Result {0;1}[0]')
  assert.deepEqual(Object.fromEntries(object?.userStrings ?? []), {
    'meadow.document': 'document',
    'meadow.solution': 'solution',
    'meadow.platformId': object?.id,
    'meadow.node': 'node',
    'meadow.nodeName': 'Name of node',
    'meadow.port': 'node-port',
    'meadow.portName': 'Result',
    'meadow.path': '{0;1}',
    'meadow.index': '0',
  })
})

test('[MOD-12] given values, when they are written, then the library reads the ids that decision 26 gives them', async () => {
  const values = toValues([POINT, BENT, SADDLE])
  const { bytes } = await write(values)
  const objects = open(bytes).objects()
  const ids = values.map((_, i) => (objects.get(i).attributes() as unknown as { id: string }).id)
  assert.deepEqual(
    ids,
    values.map((value) => createPlatformId('document', value)),
  )
})

test('[MOD-13] given the same values in another process and at another time, when they are written, then the same bytes', async () => {
  const values = toValues([POINT, BENT, SADDLE, box(1, 2, 3), plateWithHole(), net(20)])
  const [first, second] = [await write(values), await write(values)]
  assert.ok(Buffer.from(first.bytes).equals(second.bytes))
  assert.equal(first.sha256, createHash('sha256').update(first.bytes).digest('hex'))
  // The digest of the current format: a change invalidates the digests of all stored models.
  assert.equal(first.sha256, 'f45516976f1665f35df24bed18d5430290068877f091aa7f3f0190d7b90dfc0d')
})

test('[MOD-13] given a date, when a model is written, then the file has it, to the second', async () => {
  const file = open((await write(toValues([POINT]))).bytes)
  const { created, lastEdited } = file as unknown as { created: Date; lastEdited: Date }
  assert.deepEqual(
    [created, lastEdited].map((date) => date.toISOString()),
    ['2026-11-20T10:20:30.000Z', '2026-11-20T10:20:30.000Z'],
  )
})

test('[MOD-14] given a version and units, when a model is written, then the header and the settings have them', async () => {
  for (const archiveVersion of [7, 8] as const) {
    const { bytes } = await write(toValues([POINT]), { archiveVersion, units: 'millimeters' })
    assert.equal(readArchiveVersion(bytes), archiveVersion * 10)
    assert.equal(open(bytes).archiveVersion, archiveVersion * 10)
    assert.equal(open(bytes).settings().modelUnitSystem, rhino.UnitSystem.Millimeters)
  }
})

test('[MOD-15] given a colour, when a value is written, then its object has it; others have that of their layer', async () => {
  const [red, plain] = toValues([POINT, BENT])
  const { bytes } = await write([
    { ...red!, colour: { type: 'colour', red: 250, green: 10, blue: 20, alpha: 255 } },
    plain!,
  ])
  const objects = open(bytes).objects()
  const [first, second] = [objects.get(0).attributes(), objects.get(1).attributes()]
  assert.deepEqual(first.objectColor, { r: 250, g: 10, b: 20, a: 255 })
  assert.equal(first.colorSource, rhino.ObjectColorSource.ColorFromObject)
  assert.equal(second.colorSource, rhino.ObjectColorSource.ColorFromLayer)
})

test('[MOD-15, MOD-30] given colours, black and transparent ones too, when a file is walked, then each object has its own', async () => {
  const colours: (Colour | undefined)[] = [
    { type: 'colour', red: 250, green: 10, blue: 20, alpha: 255 },
    { type: 'colour', red: 0, green: 0, blue: 0, alpha: 255 },
    { type: 'colour', red: 1, green: 2, blue: 3, alpha: 128 },
    undefined,
  ]
  const values = toValues(colours.map(() => POINT)).map((value, i) => ({
    ...value,
    ...(colours[i] && { colour: colours[i] }),
  }))
  const { bytes } = await write(values)
  assert.deepEqual(
    [...walkModel(bytes)].map(({ colour }) => colour),
    colours,
  )
})

test('[MOD-16] given a group, when it is written, then its members are objects with their point in it', async () => {
  const group: Geometry = { type: 'group', members: [POINT, { type: 'group', members: [BENT, SADDLE] }] }
  const values = toValues([group])
  const { bytes, objectCount } = await write(values)
  const whole = createPlatformId('document', values[0]!)
  assert.equal(objectCount, 3)
  assert.deepEqual(
    [...walkModel(bytes)].map(({ id, userStrings }) => [id, userStrings.get('meadow.member')]),
    ['0', '1.0', '1.1'].map((member) => [createMemberId(whole, member), member]),
  )
})

test('[MOD-17] given values without an object, when they are written, then the others are, and those are reported', async () => {
  const { bytes, objectCount, unsupported } = await write(
    toValues([POINT, WORLD, BENT, { type: 'point', ...xyz(Number.NaN, 0, 0) }]),
  )
  assert.equal(objectCount, 2)
  assert.equal([...walkModel(bytes)].length, 2)
  assert.deepEqual(
    unsupported.map(({ path, index }) => `${path}[${index}]`),
    ['{0;1}[1]', '{0;1}[3]'],
  )
})

test('[MOD-17] given a mesh with a face that openNURBS calls invalid, when it is written, then it is written and reported', async () => {
  const mesh = net(3)
  const faces = [...mesh.faces, { type: 'meshFace', a: 1, b: 1, c: 2, d: 2 } as const]
  const { bytes, objectCount, invalid } = await write(toValues([{ ...mesh, faces }, POINT]))
  assert.equal(objectCount, 2)
  assert.equal(invalid.length, 1)
  assert.equal(invalid[0]!.index, 0)
  const [first] = walkModel(bytes)
  assert.deepEqual(decodeGeometry(first!.encode()), { ...mesh, faces })
})

test('[MOD-18] given no values, when a model is written, then a file without objects that the library opens', async () => {
  const { bytes, objectCount } = await write([])
  assert.equal(objectCount, 0)
  assert.equal(open(bytes).objects().count, 0)
  assert.deepEqual([...walkModel(bytes)], [])
})
