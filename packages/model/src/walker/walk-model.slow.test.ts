import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EncodedGeometry } from '@meadow/contract'
import type { Colour } from '@meadow/geometry/values/value'
import type { File3dm, ObjectAttributes } from 'rhino3dm'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { decode, encode, rhino } from '../testing/rhino.ts'
import { readSampleModels, skipWithoutSamples } from '../testing/samples.ts'
import type { ModelObject } from './model-object.ts'
import { readArchiveVersion } from './read-archive-version.ts'
import { walkModel } from './walk-model.ts'

interface Seen {
  id: string
  layer: string
  name: string
  colour: Colour | undefined
  materialIndex: number | undefined
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
      colour: readColour(attributes),
      materialIndex: readMaterial(attributes),
      userStrings: attributes.getUserStrings() as unknown as string[][],
      geometry: encode(geometry),
    }
    geometry.delete()
    attributes.delete()
  }
  ;(file as File3dm & { delete(): void }).delete()
}

function readColour({ colorSource, objectColor }: ObjectAttributes): Colour | undefined {
  const { r, g, b, a } = objectColor as { r: number; g: number; b: number; a: number }
  const isOwn = colorSource === rhino.ObjectColorSource.ColorFromObject
  return isOwn ? { type: 'colour', red: r, green: g, blue: b, alpha: a } : undefined
}

function readMaterial({ materialSource, materialIndex }: ObjectAttributes): number | undefined {
  const isOwn = materialSource === rhino.ObjectMaterialSource.MaterialFromObject
  return isOwn && materialIndex >= 0 ? materialIndex : undefined
}

function toSeen({ id, layer, name, colour, materialIndex, userStrings }: ModelObject): Seen {
  return { id, layer, name, colour, materialIndex, userStrings: [...userStrings] }
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
      walked.map(toSeen),
      expected.map(({ geometry: _, ...seen }) => seen),
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
      walked.map(toSeen),
      expected.map(({ geometry: _, ...seen }) => seen),
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

test('[MOD-80] given an object with all attributes that come before its colour and material, when it is walked, then it has these', () => {
  const appearance: Partial<ObjectAttributes> & { url: string; linetypeIndex: number } = {
    url: 'https://example.org',
    linetypeIndex: 2,
    plotColor: { r: 1, g: 2, b: 3, a: 255 },
    plotWeight: 2.5,
    objectDecoration: rhino.ObjectDecoration.BothArrowhead,
    wireDensity: 5,
    visible: false,
    mode: rhino.ObjectMode.Locked,
    plotColorSource: rhino.ObjectPlotColorSource.PlotColorFromObject,
    plotWeightSource: rhino.ObjectPlotWeightSource.PlotWeightFromObject,
    castsShadows: false,
    materialIndex: 1,
    objectColor: { r: 9, g: 8, b: 7, a: 255 },
  }
  const write = (attributes: Partial<ObjectAttributes>) => {
    const file = new rhino.File3dm()
    for (const _ of [0, 1]) file.materials().add(new rhino.Material())
    file.objects().add(new rhino.Point([1, 2, 3]), Object.assign(new rhino.ObjectAttributes(), attributes))
    const [object] = walkModel(file.toByteArray())
    return { colour: object!.colour, materialIndex: object!.materialIndex }
  }
  assert.deepEqual(write(appearance), { colour: undefined, materialIndex: undefined })
  const own = {
    ...appearance,
    colorSource: rhino.ObjectColorSource.ColorFromObject,
    materialSource: rhino.ObjectMaterialSource.MaterialFromObject,
  }
  const colour = { type: 'colour', red: 9, green: 8, blue: 7, alpha: 255 } as const
  assert.deepEqual(write(own), { colour, materialIndex: 1 })
})
