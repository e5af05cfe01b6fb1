import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { File3dm, ObjectAttributes } from 'rhino3dm'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { BENT, box, net, plateWithHole, SADDLE } from '../testing/geometries.ts'
import { encode, rhino } from '../testing/rhino.ts'
import { OPTIONS, toValues } from '../testing/values.ts'
import { readArchiveVersion } from '../walker/read-archive-version.ts'
import { walkModel } from '../walker/walk-model.ts'
import { openModelLibrary } from '../worker/model-library.ts'
import { readSavedAt } from './stamp-model.ts'

const RED = { type: 'colour', red: 250, green: 10, blue: 20, alpha: 255 } as const

async function writeModel() {
  await using library = openModelLibrary()
  const [first, ...others] = [
    ...toValues([BENT, SADDLE, box(1, 2, 3)], 'a'),
    ...toValues([plateWithHole(), net(12)], 'b'),
  ]
  const values = [{ ...first!, colour: RED }, ...others]
  const { bytes, objectCount } = await library.write(values, { ...OPTIONS, units: 'feet' })
  return { bytes: Uint8Array.from(bytes), objectCount }
}

/** All that a person in Rhino would see of it, by the library. */
function describe(bytes: Uint8Array) {
  const file = rhino.File3dm.fromByteArray(bytes) as File3dm & { created: Date; delete(): void }
  const [objects, layers] = [file.objects(), file.layers()]
  const described = {
    application: file.applicationName,
    created: file.created,
    units: file.settings().modelUnitSystem,
    layers: Array.from({ length: layers.count }, (_, i) => {
      const { name, id, visible } = layers.get(i) as { name: string; id?: string; visible: boolean }
      return { name, id, visible }
    }),
    objects: Array.from({ length: objects.count }, (_, i) => {
      const object = objects.get(i)
      const attributes = object.attributes() as ObjectAttributes & { id: string }
      const { name, layerIndex, colorSource, objectColor, id } = attributes
      const userStrings = attributes.getUserStrings()
      const { data } = encode(object.geometry() as unknown as { encode(): unknown })
      return { id, name, layerIndex, colorSource, objectColor, userStrings, data }
    }),
  }
  file.delete()
  return described
}

test('[MOD-20] given a model, when it is converted to archive 80, then objects, layers, colours, units and dates are the same, and the header has 80', async () => {
  const { bytes, objectCount } = await writeModel()
  const [before, walkedBefore] = [describe(bytes), [...walkModel(Uint8Array.from(bytes))]]
  await using library = openModelLibrary()
  const converted = await library.convert(Uint8Array.from(bytes), { archiveVersion: 8, objectCount })
  assert.equal(readArchiveVersion(converted), 80)
  assert.deepEqual(describe(converted), before)
  assert.deepEqual(readSavedAt(converted), readSavedAt(bytes))
  const walked = [...walkModel(converted)]
  assert.deepEqual(
    walked.map(({ id, layer, name, userStrings, encode: toJson }) => ({
      id,
      layer,
      name,
      userStrings,
      data: toJson().data,
    })),
    walkedBefore.map(({ id, layer, name, userStrings, encode: toJson }) => ({
      id,
      layer,
      name,
      userStrings,
      data: toJson().data,
    })),
  )
  assert.equal(before.objects[0]!.colorSource, rhino.ObjectColorSource.ColorFromObject)
})

test('[MOD-13, MOD-20] given a model, when two libraries convert it, then the same bytes', async () => {
  const { bytes, objectCount } = await writeModel()
  const target = { archiveVersion: 8, objectCount } as const
  await using library = openModelLibrary()
  const converted = await library.convert(Uint8Array.from(bytes), target)
  await using another = openModelLibrary()
  assert.ok(Buffer.from(await another.convert(Uint8Array.from(bytes), target)).equals(converted))
})

test('[MOD-20] given a file that is not one of our models, or has another number of objects, when it is converted, then a fault', async () => {
  const { bytes, objectCount } = await writeModel()
  await using library = openModelLibrary()
  const convert = (model: Uint8Array<ArrayBuffer>, count = objectCount) =>
    library.convert(model, { archiveVersion: 8, objectCount: count })
  const bent = Uint8Array.from(bytes)
  bent.fill(7, bytes.length >> 1)
  await assert.rejects(convert(new Uint8Array(5000)), ModelFault)
  await assert.rejects(convert(bytes.slice(0, bytes.length >> 1)), ModelFault)
  await assert.rejects(convert(bent), ModelFault)
  await assert.rejects(convert(Uint8Array.from(bytes), objectCount + 1), ModelFault)
  assert.ok((await convert(bytes)).length > 0)
})
