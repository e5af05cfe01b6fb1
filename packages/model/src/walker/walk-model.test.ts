import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EncodedGeometry } from '@meadow/contract'
import type { File3dm, ObjectAttributes } from 'rhino3dm'
import { ModelFault } from '../model-fault.ts'
import { decode, encode, rhino } from '../testing/rhino.ts'
import { readSampleModels, skipWithoutSamples } from '../testing/samples.ts'
import { readArchiveVersion } from './read-archive-version.ts'
import { walkModel } from './walk-model.ts'

interface Seen {
  id: string
  layer: string
  name: string
  userStrings: string[][]
}

/** The same facts as the walker's, by the library. */
function* listByLibrary(bytes: Uint8Array): Generator<Seen & { geometry: EncodedGeometry }> {
  const file = rhino.File3dm.fromByteArray(bytes)
  const [objects, layers] = [file.objects(), file.layers()]
  const names = Array.from({ length: layers.count }, (_, i) => layers.get(i).name)
  for (let i = 0; i < objects.count; i++) {
    const object = objects.get(i)
    const attributes = object.attributes() as ObjectAttributes & { id: string; delete(): void }
    const geometry = object.geometry() as unknown as { encode(): EncodedGeometry; delete(): void }
    yield {
      id: attributes.id,
      layer: names[attributes.layerIndex] ?? '',
      name: attributes.name,
      userStrings: attributes.getUserStrings() as unknown as string[][],
      geometry: encode(geometry),
    }
    geometry.delete()
    attributes.delete()
  }
  ;(file as File3dm & { delete(): void }).delete()
}

function createFile(version = 7): Uint8Array {
  const file = new rhino.File3dm()
  const layer = new rhino.Layer()
  layer.name = 'Träger ☃ 😀'
  const attributes = new rhino.ObjectAttributes()
  attributes.layerIndex = file.layers().add(layer)
  attributes.name = 'Erster'
  attributes.setUserString('schlüssel', 'wert 😀')
  attributes.setUserString('zweiter', 'x')
  const circle = rhino.ArcCurve.createFromCircle(new rhino.Circle([0, 0, 0] as never, 2))
  circle.setUserString('of the geometry', 'not of the attributes')
  file.objects().add(circle, attributes)
  file.objects().addPoint([1, 2, 3] as never)
  const options = new rhino.File3dmWriteOptions()
  options.version = version
  return new Uint8Array(file.toByteArrayOptions(options))
}

test('[MOD-30] given a file that the library wrote, when it is walked, then its objects as in the library', () => {
  for (const version of [5, 6, 7, 8]) {
    const bytes = createFile(version)
    const walked = [...walkModel(bytes)]
    const expected = [...listByLibrary(bytes)]
    assert.equal(readArchiveVersion(bytes), version * 10)
    assert.deepEqual(
      walked.map(({ id, layer, name, userStrings }) => ({ id, layer, name, userStrings: [...userStrings] })),
      expected.map(({ id, layer, name, userStrings }) => ({ id, layer, name, userStrings })),
    )
    assert.deepEqual(
      walked.map((object) => encode(decode<{ encode(): unknown }>(object.encode()))),
      expected.map(({ geometry }) => geometry),
    )
    assert.equal(walked[0]?.encode().archive3dm, version * 10)
  }
})

test('[MOD-30] given real files, when they are walked, then their objects as in the library', {
  skip: skipWithoutSamples,
}, () => {
  let count = 0
  for (const { name, bytes } of readSampleModels()) {
    const walked = [...walkModel(bytes)]
    const expected = [...listByLibrary(bytes)]
    assert.deepEqual(
      walked.map(({ id, layer, name, userStrings }) => ({ id, layer, name, userStrings: [...userStrings] })),
      expected.map(({ id, layer, name, userStrings }) => ({ id, layer, name, userStrings })),
      name,
    )
    count += walked.length
  }
  assert.ok(count > 400, `only ${count} objects`)
})

test('[MOD-31] given the slices of real files, when the library decodes them, then the objects that it reads itself', {
  skip: skipWithoutSamples,
}, () => {
  for (const { name, bytes } of readSampleModels()) {
    const expected = listByLibrary(bytes)
    for (const object of walkModel(bytes)) {
      const slice = decode<{ encode(): unknown; delete(): void }>(object.encode())
      const { geometry } = expected.next().value as { geometry: EncodedGeometry }
      // The layout of texts is computed each time they are written.
      if (!(slice instanceof rhino.AnnotationBase))
        assert.deepEqual(encode(slice), geometry, `${name} ${object.id}`)
      slice.delete()
    }
  }
})

test('[MOD-32] given a file that is cut off anywhere, when it is walked, then a fault', () => {
  const bytes = createFile()
  for (let length = 0; length < bytes.length; length += 1) {
    assert.throws(() => [...walkModel(bytes.subarray(0, length))], ModelFault, `cut at ${length}`)
  }
})

test('[MOD-32] given a file that is not a .3dm file, or one of an older version, when it is walked, then a fault', () => {
  const old = createFile()
  old.set(Buffer.from('       4'), 24)
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(5000, 0x20),
    Buffer.from('PK\u0003\u0004 and so on'),
    old,
  ]) {
    assert.throws(() => [...walkModel(bytes)], ModelFault)
  }
})
