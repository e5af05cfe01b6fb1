import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ObjectAttributes } from 'rhino3dm'
import { ModelFault } from '../model-fault.ts'
import { decode, getBox, rhino, type TestObject } from '../testing/rhino.ts'
import { readSampleModels, skipWithoutSamples } from '../testing/samples.ts'
import { walkModel } from '../walker/walk-model.ts'
import { openModelLibrary } from '../worker/model-library.ts'
import { decodeObjects } from './decode-objects.ts'
import { readObjects } from './read-objects.ts'

type Attributes = ObjectAttributes & { id: string }

const createCircle = (radius: number) =>
  rhino.ArcCurve.createFromCircle(new rhino.Circle([0, 0, 0] as never, radius))

const withId = (id: string): Attributes => {
  const attributes = new rhino.ObjectAttributes() as Attributes
  attributes.id = id
  return attributes
}

const ID = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** One object of each kind that the library can make, as a file of a version. */
function createModel(version: number): Uint8Array {
  const file = new rhino.File3dm()
  const objects = file.objects() as unknown as Record<string, (...given: unknown[]) => string>
  objects.addPoint!([1, 2, 3])
  file.objects().add(createCircle(2) as never, withId(ID(1)))
  file.objects().add(rhino.Extrusion.create(createCircle(2), 3, true) as never, withId(ID(2)))
  const cloud = new rhino.PointCloud()
  cloud.add([1, 1, 1] as never)
  file.objects().add(cloud as never, withId(ID(3)))
  const options = new rhino.File3dmWriteOptions()
  options.version = version
  return new Uint8Array(file.toByteArrayOptions(options))
}

describe('objects of models', () => {
  test('[MOD-70] given models of each archive version from 2 on, when objects are read by id, then they are what the library reads', async () => {
    await using library = openModelLibrary()
    for (const version of [2, 3, 4, 5, 6, 7, 8]) {
      const bytes = createModel(version)
      const { objects } = readObjects(bytes, [ID(1), ID(2), ID(3), ID(9)])
      assert.deepEqual([...objects.keys()], [ID(1), ID(2), ID(3)], `version ${version}`)
      const decoded = await decodeObjects({ objects, definitions: new Map() }, objects.keys(), library)
      const types = [...decoded.values()].map(({ kind, value }) => [kind, value?.type])
      // Rhino 4 has no extrusions, and Rhino 2 no arcs.
      assert.deepEqual(types, [
        ['Curve', version === 2 ? 'nurbsCurve' : 'circle'],
        [version < 5 ? 'Brep' : 'Extrusion', 'brep'],
        ['Point cloud', undefined],
      ])
      assert.equal(decode<object>(decoded.get(ID(3))!.geometry).constructor, rhino.PointCloud)
    }
  })

  test('[MOD-71] given blocks of real files, when they are read, then each is the group of its objects, where the library has them', {
    skip: skipWithoutSamples,
  }, async () => {
    await using library = openModelLibrary()
    let blocks = 0
    for (const { name, bytes } of readSampleModels()) {
      const file = rhino.File3dm.fromByteArray(bytes)
      const byId = new Map<string, TestObject>()
      for (let i = 0; i < file.objects().count; i++) {
        const object = file.objects().get(i)
        byId.set((object.attributes() as Attributes).id, object.geometry() as unknown as TestObject)
      }
      const instances = [...byId].filter(([, geometry]) => geometry instanceof rhino.InstanceReference)
      const ids = instances.map(([id]) => id)
      const decoded = await decodeObjects(readObjects(bytes, ids), ids, library)
      for (const [id, geometry] of instances) {
        blocks++
        const { value, omitted = [] } = decoded.get(id)!
        assert.ok(value?.type === 'group', name)
        const { parentIdefId, xform } = geometry as unknown as { parentIdefId: string; xform: never }
        const definition = file.instanceDefinitions().findId(parentIdefId)
        const members = definition.getObjectIds() as unknown as string[]
        const boxes = members.flatMap((member) => {
          const placed = byId.get(member)!.duplicate() as unknown as TestObject & {
            transform(xform: never): boolean
          }
          assert.ok(placed.transform(xform))
          return placed instanceof rhino.InstanceReference ? [] : [getBox(placed)]
        })
        const left = omitted.reduce((sum, { count }) => sum + count, 0)
        assert.ok(value.members.length + left >= boxes.length, name)
        assert.deepEqual(left, omitted.length === 0 ? 0 : left)
      }
    }
    assert.ok(blocks >= 7, `${blocks} blocks`)
  })

  test('[MOD-72] given all objects of real files, when they are decoded, then none has another box than in the library', {
    skip: skipWithoutSamples,
  }, async () => {
    await using library = openModelLibrary()
    const kinds = new Map<string, number>()
    for (const { name, bytes } of readSampleModels()) {
      const ids = [...walkModel(bytes)].map(({ id }) => id)
      for (const [id, { kind, value, geometry }] of await decodeObjects(readObjects(bytes, ids), ids, library)) {
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
        const isPlain = !['Block', 'SubD', 'Text', 'Text dot', 'Hatch'].includes(kind)
        assert.equal(value !== undefined, isPlain || kind === 'Block', `${name} ${id} ${kind}`)
        assert.ok(geometry.data.length > 0)
      }
    }
    assert.ok((kinds.get('Extrusion') ?? 0) > 40 && (kinds.get('Mesh') ?? 0) > 100, JSON.stringify([...kinds]))
  })

  test('[MOD-73] given bytes that are no model, or a damaged one, when objects are read, then a fault', () => {
    assert.throws(() => readObjects(Buffer.from('nothing'), [ID(1)]), ModelFault)
    assert.throws(() => readObjects(createModel(7).subarray(0, 900), [ID(9)]), ModelFault)
  })
})
