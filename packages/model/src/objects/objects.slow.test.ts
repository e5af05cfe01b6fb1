import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COARSE, drawGeometry } from '@meadow/drawing'
import type { Geometry } from '@meadow/geometry/values/value'
import { encodeGeometry } from '../geometry/encode-geometry.ts'
import { CLASS } from '../opennurbs/class-ids.ts'
import { ModelFault } from '../opennurbs/model-fault.ts'
import { decode, encode, getBox, rhino, type TestObject } from '../testing/rhino.ts'
import { readSampleModels, skipWithoutSamples } from '../testing/samples.ts'
import type { ModelObject } from '../walker/model-object.ts'
import { openModelLibrary } from '../worker/model-library.ts'
import { decodeObjects } from './decode-objects.ts'
import { readObjects } from './read-objects.ts'

const createCircle = (radius: number) =>
  rhino.ArcCurve.createFromCircle(new rhino.Circle([0, 0, 0] as never, radius))

/** Some objects that the library can make, with their ids, as a file of a version. */
function createModel(version: number): { bytes: Uint8Array; ids: string[] } {
  const file = new rhino.File3dm()
  const cloud = new rhino.PointCloud()
  cloud.add([1, 1, 1] as never)
  const extrusion = rhino.Extrusion.create(createCircle(2), 3, true)
  const add = (geometry: unknown) => file.objects().add(geometry as never, null as never) as unknown as string
  const ids = [createCircle(2), extrusion, cloud].map(add)
  const options = new rhino.File3dmWriteOptions()
  options.version = version
  return { bytes: new Uint8Array(file.toByteArrayOptions(options)), ids }
}

const NOWHERE = '00000000-0000-4000-8000-000000000000'

/** The classes that the solver has no type for. */
const UNDECODED = new Set(['Point cloud', 'SubD', 'Text', 'Text dot', 'Hatch'])

/** The box of each object by the library, by id. */
function listBoxes(bytes: Uint8Array): Map<string, number[]> {
  const file = rhino.File3dm.fromByteArray(bytes)
  const byId = new Map<string, TestObject>()
  for (let i = 0; i < file.objects().count; i++) {
    const object = file.objects().get(i)
    const { id } = object.attributes() as unknown as { id: string }
    byId.set(id, object.geometry() as unknown as TestObject)
  }
  const measure = (geometry: TestObject): number[] => {
    if (geometry instanceof rhino.AnnotationBase) return []
    // The box of an extrusion is tighter than that of its brep.
    if (geometry instanceof rhino.Extrusion) return getBox(geometry.toBrep(false))
    if (!(geometry instanceof rhino.InstanceReference)) return getBox(geometry)
    const { parentIdefId, xform } = geometry as unknown as { parentIdefId: string; xform: never }
    const members = file.instanceDefinitions().findId(parentIdefId).getObjectIds() as unknown as string[]
    return unite(
      members.map((id) => {
        const placed = byId.get(id)!.duplicate() as unknown as TestObject & { transform(by: never): boolean }
        placed.transform(xform)
        return measure(placed)
      }),
    )
  }
  return new Map([...byId].map(([id, geometry]) => [id, measure(geometry)]))
}

const unite = (boxes: readonly number[][]): number[] =>
  [0, 1, 2, 3, 4, 5].map((k) => (k < 3 ? Math.min : Math.max)(...boxes.map((box) => box[k]!)))

const listMembers = (value: Geometry): Geometry[] =>
  value.type === 'group' ? value.members.flatMap(listMembers) : [value]

/** Whether the first box is inside the second, enlarged by a part of its size. */
function isWithin(inner: readonly number[], outer: readonly number[], part: number): boolean {
  const slack = part * Math.max(...outer.map(Math.abs))
  return inner.every((bound, k) => (k < 3 ? bound >= outer[k]! - slack : bound <= outer[k]! + slack))
}

/** That of the library, which includes the points that control a surface. */
const findLooseBox = (value: Geometry): number[] => getBox(decode(encodeGeometry(value)))

function findTightBox(value: Geometry): number[] {
  const { positions, curves, points } = drawGeometry(value, COARSE)!
  const corners = [...curves.flat(), ...points].map(({ x, y, z }) => [x, y, z])
  for (let i = 0; i < positions.length; i += 3) corners.push([...positions.slice(i, i + 3)])
  return unite(corners.map((corner) => [...corner, ...corner]))
}

describe('objects of models', () => {
  test('[MOD-70] given models of each archive version from 3 on, when objects are read by id, then they are what the library reads', async () => {
    await using library = openModelLibrary()
    for (const version of [3, 4, 5, 6, 7, 8]) {
      const { bytes, ids } = createModel(version)
      const found = readObjects(bytes, [NOWHERE, ...ids])
      assert.deepEqual([...found.objects.keys()], ids, `version ${version}`)
      const decoded = await decodeObjects(found, ids, library)
      const types = [...decoded.values()].map(({ kind, value }) => [kind, value?.type])
      // Rhino 4 has no extrusions.
      assert.deepEqual(types, [
        ['Curve', 'circle'],
        [version < 5 ? 'Brep' : 'Extrusion', 'brep'],
        ['Point cloud', undefined],
      ])
      assert.equal(decode<object>(decoded.get(ids[2]!)!.geometry).constructor, rhino.PointCloud)
    }
  })

  test('[MOD-71] given all objects of real files, when they are decoded, then they have the boxes that the library computes, blocks those of what is inside them', {
    skip: skipWithoutSamples,
  }, async () => {
    await using library = openModelLibrary()
    const counts = new Map<string, number>()
    const seen = new Set<string>()
    for (const { name, bytes } of readSampleModels()) {
      const expected = listBoxes(bytes)
      const ids = [...expected.keys()]
      for (const [id, { kind, value, geometry, omitted = [] }] of await decodeObjects(
        readObjects(bytes, ids),
        ids,
        library,
      )) {
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
        if (!value) assert.ok(UNDECODED.has(kind) || name === 'Rhino_Logo_Mesh7.3dm', `${name} ${id} ${kind}`)
        if (!value || omitted.length > 0 || seen.has(geometry.data)) continue
        seen.add(geometry.data)
        const box = expected.get(id)!
        const members = listMembers(value)
        const message = `${name} ${kind} ${id}`
        assert.ok(isWithin(unite(members.map(findTightBox)), box, 0.01), message)
        assert.ok(isWithin(box, unite(members.map(findLooseBox)), 1e-6), message)
      }
    }
    assert.ok(counts.get('Block')! >= 7 && counts.get('Extrusion')! > 40, JSON.stringify([...counts]))
  })

  test('[MOD-72] given bytes that are no model, or a damaged one, when objects are read, then a fault', () => {
    assert.throws(() => readObjects(Buffer.from('nothing'), [NOWHERE]), ModelFault)
    assert.throws(() => readObjects(createModel(7).bytes.subarray(0, 900), [NOWHERE]), ModelFault)
  })

  test('[MOD-72] given a block that contains itself, and blocks that unfold to too many objects, when they are decoded, then a fault', async () => {
    await using library = openModelLibrary()
    const idOf = (level: number) => `00000000-0000-4000-8000-0000000000${level + 10}`
    // The types lack the parameters.
    const Instance = rhino.InstanceReference as unknown as new (id: string, transform: unknown) => object
    const createInstance = (level: number): ModelObject => {
      const instance = new Instance(idOf(level), rhino.Transform.identity())
      const encoded = encode(instance as unknown as { encode(): unknown })
      return { id: idOf(level), classId: CLASS.instanceReference, encode: () => encoded } as ModelObject
    }
    const itself = createInstance(0)
    const objects = new Map([[itself.id, itself]])
    const definitions = new Map([[idOf(0), [itself.id]]])
    await assert.rejects(decodeObjects({ objects, definitions }, [itself.id], library), ModelFault)

    const levels = Array.from({ length: 20 }, (_, level) => createInstance(level))
    const nested = new Map(
      levels.map(({ id }, level) => [id, level < 19 ? [idOf(level + 1), idOf(level + 1)] : []]),
    )
    const all = new Map(levels.map((object) => [object.id, object]))
    await assert.rejects(
      decodeObjects({ objects: all, definitions: nested }, [idOf(0)], library),
      /more than 100000 objects/,
    )
  })
})
