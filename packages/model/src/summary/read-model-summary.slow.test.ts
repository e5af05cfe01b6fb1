import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync, inflateSync } from 'node:zlib'
import { MAX_FACTS_BYTES } from '@meadow/contract/web'
import { writePng } from '@meadow/drawing/thumbnails'
import type { File3dm, ObjectAttributes } from 'rhino3dm'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { TYPE } from '../opennurbs/type-codes.ts'
import { rhino } from '../testing/rhino.ts'
import { readSampleModels, skipWithoutSamples } from '../testing/samples.ts'
import { readModelSummary } from './read-model-summary.ts'

type Deletable<T> = T & { delete(): void }

/** With layers in layers, a block of two objects, placed twice, and a hidden object. */
function createFile(version: number): Uint8Array<ArrayBuffer> {
  const file = new rhino.File3dm() as Deletable<File3dm>
  file.applicationName = 'Rhinoceros 8'
  file.startSectionComments = 'Rhinoceros 8  (8.17.25029.06002, 2025-01-29) - Commercial'
  file.settings().modelUnitSystem = rhino.UnitSystem.Centimeters
  file.settings().modelAbsoluteTolerance = 0.005
  file.settings().modelAngleToleranceDegrees = 2
  const building = addLayer(file, 'Gebäude')
  const walls = addLayer(file, 'Wände', { r: 10, g: 200, b: 255, a: 255 }, building.id)
  const hidden = addLayer(file, 'Versteckt')
  file.layers().get(hidden.index).visible = false
  file.layers().get(hidden.index).locked = true
  for (const name of ['Oak', 'Oak', '']) {
    const material = new rhino.Material()
    material.name = name
    file.materials().add(material)
  }
  const on = (index: number) => {
    const attributes = new rhino.ObjectAttributes()
    attributes.layerIndex = index
    attributes.name = 'named, with a colour'
    attributes.objectColor = { r: 1, g: 2, b: 3, a: 255 }
    return attributes
  }
  const line = () => new rhino.LineCurve([0, 0, 0] as never, [1, 2, 3] as never)
  file.objects().add(line(), on(walls.index))
  file.objects().add(line(), on(walls.index))
  file.objects().add(new rhino.Point([1, 2, 3] as never) as never, on(building.index))
  file.objects().addTextDot('dot', [0, 0, 0] as never, on(hidden.index))
  file
    .instanceDefinitions()
    .add(
      'Fenster',
      '',
      '',
      '',
      [0, 0, 0] as never,
      [line(), line()] as never,
      [on(building.index), on(building.index)] as never,
    )
  const options = new rhino.File3dmWriteOptions()
  options.version = version
  const bytes = new Uint8Array(file.toByteArrayOptions(options))
  file.delete()
  return bytes
}

function addLayer(file: File3dm, name: string, color = { r: 0, g: 0, b: 0, a: 255 }, parent?: string) {
  const layer = new rhino.Layer()
  layer.name = name
  layer.color = color
  if (parent) layer.parentLayerId = parent
  const index = file.layers().add(layer)
  return { index, id: file.layers().get(index).id }
}

/** Who created and changed a file, and when, by the library. */
function readHistory(bytes: Uint8Array) {
  const file = rhino.File3dm.fromByteArray(bytes) as Deletable<File3dm>
  const { created, createdBy, lastEdited, lastEditedBy, revision } = file
  file.delete()
  const toTime = (date: Date) => (date.getTime() > 0 ? date.toISOString() : null)
  return {
    createdAt: toTime(created as unknown as Date),
    createdBy: createdBy || null,
    editedAt: toTime(lastEdited),
    editedBy: lastEditedBy || null,
    revision,
  }
}

/** The ids of all objects, by the library. */
function listIds(bytes: Uint8Array): string[] {
  const file = rhino.File3dm.fromByteArray(bytes) as Deletable<File3dm>
  const objects = file.objects()
  const ids = Array.from({ length: objects.count }, (_, i) => {
    const attributes = objects.get(i).attributes() as Deletable<ObjectAttributes> & { id: string }
    const { id } = attributes
    attributes.delete()
    return id
  })
  file.delete()
  return ids
}

test('[MOD-60] given files of several versions that the library wrote, when they are read, then what it put into them', () => {
  for (const version of [5, 6, 7, 8]) {
    const bytes = createFile(version)
    const { facts, objectIds, thumbnail } = readModelSummary(bytes)
    const { createdAt, createdBy, editedAt, editedBy, revision, applicationVersion, units, layers, ...rest } =
      facts
    assert.deepEqual(rest, {
      kind: 'model',
      archiveVersion: version,
      application: 'Rhinoceros 8',
      notes: '',
      layerCount: 3,
      objects: [
        { type: 'curve', count: 2 },
        { type: 'point', count: 1 },
        { type: 'text_dot', count: 1 },
      ],
      objectCount: 4,
      blocks: [{ name: 'Fenster', objects: 2, linkedFile: null }],
      blockCount: 1,
      materials: ['Oak'],
      materialCount: 1,
      unread: [],
    })
    assert.equal(units?.name, 'centimeters')
    assert.equal(units.metersPerUnit, 0.01)
    assert.equal(units.absoluteTolerance, 0.005)
    assert.ok(Math.abs(units.angleToleranceDegrees - 2) < 1e-9)
    assert.deepEqual({ createdAt, createdBy, editedAt, editedBy, revision }, readHistory(bytes))
    assert.equal(applicationVersion, '8.17.25029.06002')
    assert.deepEqual(layers, [
      { path: 'Gebäude', depth: 0, colour: '#000000', visible: true, locked: false, objects: 1 },
      { path: 'Gebäude::Wände', depth: 1, colour: '#0ac8ff', visible: true, locked: false, objects: 2 },
      { path: 'Versteckt', depth: 0, colour: '#000000', visible: false, locked: true, objects: 1 },
    ])
    assert.deepEqual(objectIds.toSorted(), listIds(bytes).toSorted())
    assert.equal(thumbnail, undefined)
  }
})

test('[MOD-60] given real models, when they are read, then the ids of their objects as in the library, and nothing unread', {
  skip: skipWithoutSamples,
}, () => {
  let objects = 0
  for (const { name, bytes } of readSampleModels()) {
    const { facts, objectIds } = readModelSummary(bytes)
    assert.deepEqual(facts.unread, [], name)
    assert.deepEqual(objectIds, listIds(bytes), name)
    assert.ok(facts.units, name)
    const { createdAt, createdBy, editedAt, editedBy, revision } = facts
    assert.deepEqual({ createdAt, createdBy, editedAt, editedBy, revision }, readHistory(bytes), name)
    objects += facts.objectCount
  }
  assert.ok(objects > 300, `only ${objects} objects`)
})

test('[MOD-61] given real models, when they are read, then Rhino’s preview is a picture of at most 640 pixels', {
  skip: skipWithoutSamples,
}, () => {
  let pictures = 0
  for (const { name, bytes } of readSampleModels()) {
    const { thumbnail } = readModelSummary(bytes)
    if (!thumbnail) continue
    const { width, height, colours } = readPng(thumbnail)
    assert.ok(width > 50 && width <= 640 && height > 50 && height <= 640, name)
    assert.ok(colours.size > 1, `${name} is of one colour`)
    pictures++
  }
  assert.ok(pictures > 10, `only ${pictures} pictures`)
})

/** A chunk of archives from version 5 on, with an empty checksum. */
function createChunk(typeCode: number, body: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt32LE(typeCode)
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body, Buffer.alloc(4)])
}

/** A preview as Rhino stores it: rows of blue, green and red, the lowest first, each of a multiple of four bytes. */
function createPreview(width: number, height: number, bits: number, isDeflated: boolean): Buffer {
  const header = Buffer.alloc(40)
  for (const [i, value] of [40, width, height].entries()) header.writeInt32LE(value, 4 * i)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(bits, 14)
  const bytesPerRow = Math.ceil((width * bits) / 32) * 4
  const pixels = Buffer.alloc(bytesPerRow * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) pixels.set([30 * y, x % 256, 200], y * bytesPerRow + (x * bits) / 8)
  if (!isDeflated) return createChunk(TYPE.previewImage, Buffer.concat([header, pixels]))
  const sizes = Buffer.alloc(9)
  sizes.writeUInt32LE(pixels.length)
  sizes[8] = 1
  const packed = createChunk(TYPE.anonymous, deflateSync(pixels))
  return createChunk(TYPE.compressedPreviewImage, Buffer.concat([header, sizes, packed]))
}

/** Puts a chunk at the start of the properties of a file. */
function addProperty(bytes: Uint8Array, chunk: Buffer): Buffer {
  const file = Buffer.from(bytes)
  const type = Buffer.alloc(4)
  type.writeUInt32LE(TYPE.propertiesTable)
  const table = file.indexOf(type, 32)
  file.writeUInt32LE(file.readUInt32LE(table + 4) + chunk.length, table + 4)
  return Buffer.concat([file.subarray(0, table + 12), chunk, file.subarray(table + 12)])
}

test('[MOD-61] given previews with and without compression, of 24 and 32 bits, when they are read, then a picture the right way up, scaled down by a whole number', () => {
  const file = createFile(7)
  for (const bits of [24, 32])
    for (const isDeflated of [true, false]) {
      const { facts, thumbnail } = readModelSummary(addProperty(file, createPreview(3, 2, bits, isDeflated)))
      assert.deepEqual(facts.unread, [])
      const { width, height, colours } = readPng(thumbnail!)
      assert.deepEqual({ width, height }, { width: 3, height: 2 })
      assert.deepEqual([...colours], ['c8001e', 'c8011e', 'c8021e', 'c80000', 'c80100', 'c80200'])
    }
  const { thumbnail } = readModelSummary(addProperty(file, createPreview(1300, 4, 24, true)))
  const { width, height } = readPng(thumbnail!)
  assert.deepEqual({ width, height }, { width: 434, height: 2 })
  const damaged = createPreview(3, 2, 24, true)
  damaged.writeInt32LE(100_000, 16)
  const { facts, ...rest } = readModelSummary(addProperty(file, damaged))
  assert.deepEqual([facts.unread, rest.thumbnail], [['thumbnail'], undefined])
  assert.equal(facts.objectCount, 4)
})

/** Of a PNG file as written here: each row is stored as what differs from the one above. */
function readPng(bytes: Uint8Array): { width: number; height: number; colours: Set<string> } {
  const file = Buffer.from(bytes)
  assert.equal(file.toString('latin1', 1, 4), 'PNG')
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  const data = file.indexOf('IDAT')
  const rows = inflateSync(file.subarray(data + 4, data + 4 + file.readUInt32BE(data - 4)))
  assert.equal(rows.length, height * (1 + 3 * width))
  const colours = new Set<string>()
  const row = Buffer.alloc(3 * width)
  for (let y = 0; y < height; y++) {
    for (let i = 0; i < row.length; i++) row[i] = row[i]! + rows[y * (1 + row.length) + 1 + i]!
    for (let x = 0; x < width; x++) colours.add(row.toString('hex', 3 * x, 3 * x + 3))
  }
  return { width, height, colours }
}

test('[MOD-61] given pixels, when a picture is written, then it has their colours', () => {
  const colour = (x: number, y: number) => [100 * x, 50 * y, 7]
  const bytes = Uint8Array.from([0, 1].flatMap((y) => [0, 1, 2].flatMap((x) => colour(x, y))))
  const png = writePng({ width: 3, height: 2, channels: 3, bytes })
  const { width, height, colours } = readPng(png)
  assert.deepEqual({ width, height }, { width: 3, height: 2 })
  assert.deepEqual([...colours], ['000007', '640007', 'c80007', '003207', '643207', 'c83207'])
})

test('[MOD-62] given a file that is cut off anywhere, when it is read, then a fault that says so', () => {
  const bytes = createFile(7)
  for (let length = 32; length < bytes.length; length += 61)
    assert.throws(() => readModelSummary(bytes.subarray(0, length)), {
      name: 'ModelFault',
      message: /^it is damaged, or was not written to its end/,
    })
})

test('[MOD-62] given another file, or a version that is not supported, when it is read, then a fault that says so', () => {
  const reasons: [string, RegExp][] = [
    ['       1', /Rhino 1/],
    ['     100', /archive version 100/],
    ['       7', /archive version 7/],
    ['      x7', /not a \.3dm file/],
  ]
  for (const [version, message] of reasons) {
    const bytes = createFile(7)
    bytes.set(Buffer.from(version), 24)
    assert.throws(() => readModelSummary(bytes), { name: 'ModelFault', message })
  }
  for (const bytes of [new Uint8Array(0), Buffer.alloc(500, 0x20), Buffer.from('PK\u0003\u0004 and so on')])
    assert.throws(() => readModelSummary(bytes), { message: 'it is not a .3dm file' })
})

test('[MOD-63] given a layer that cannot be read, when the file is read, then the rest is, and the layers are named', () => {
  const bytes = Buffer.from(createFile(7))
  const record = Buffer.alloc(4)
  record.writeUInt32LE(TYPE.layerRecord)
  // The type of the chunk in the record.
  bytes.writeUInt32LE(TYPE.anonymous, bytes.indexOf(record) + 12)
  const { facts } = readModelSummary(bytes)
  assert.deepEqual(facts.unread, ['layers'])
  assert.equal(facts.objectCount, 4)
  assert.ok(facts.layers.length === 1 || facts.layers.length === 2)
})

test('[MOD-64] given thousands of layers with long names, when the file is read, then the facts are small and say how many there are', () => {
  const file = new rhino.File3dm() as Deletable<File3dm>
  for (let i = 0; i < 1500; i++) addLayer(file, `${i} ${'長'.repeat(300)}`)
  const { facts } = readModelSummary(new Uint8Array(file.toByteArray()))
  file.delete()
  assert.equal(facts.layerCount, 1500)
  assert.ok(facts.layers.length > 50 && facts.layers.length < 500, `${facts.layers.length} layers`)
  assert.ok(Buffer.byteLength(JSON.stringify(facts)) <= MAX_FACTS_BYTES)
  assert.ok(facts.layers.every(({ path }) => path.length <= 200))
})

test('[MOD-62] given a fault of a file, when it is thrown, then it is a ModelFault', () => {
  assert.throws(() => readModelSummary(new Uint8Array(40)), ModelFault)
})
