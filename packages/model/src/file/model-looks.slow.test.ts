import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Group, UNITS } from '@meadow/contract'
import type { File3dm, Layer, Material, ObjectAttributes } from 'rhino3dm'
import { BENT, box, SADDLE } from '../testing/geometries.ts'
import { colour, GLASS, paint } from '../testing/materials.ts'
import { rhino } from '../testing/rhino.ts'
import { OPTIONS, toValues } from '../testing/values.ts'
import { walkModel } from '../walker/walk-model.ts'
import { openModelLibrary } from '../worker/model-library.ts'
import type { ModelOptions, ModelValue } from './model-input.ts'

const FACADE: Group = {
  id: 'facade',
  label: 'Facade',
  colour: '#ff8000c0',
  nodeInstanceIds: ['a'],
  groupIds: ['frame'],
}
const FRAME: Group = {
  id: 'frame',
  label: 'Frame',
  colour: '#0000ffff',
  nodeInstanceIds: ['b'],
  groupIds: [],
}

const [first, second, third] = toValues([BENT, SADDLE, box(1, 2, 3)], 'a')
const [fourth] = toValues([SADDLE], 'b')
const [fifth] = toValues([BENT], 'c')
const ORANGE = paint(colour(255, 128, 0, 128))
const VALUES: ModelValue[] = [
  { ...first!, material: ORANGE },
  { ...second!, material: GLASS },
  { ...third!, material: { ...ORANGE } },
  fourth!,
  fifth!,
]

/** In both archive versions; the newer one converted from the older, as exports are. */
async function writeBoth(values: ModelValue[], options: Partial<ModelOptions>): Promise<Uint8Array[]> {
  await using library = openModelLibrary()
  const { bytes, objectCount } = await library.write(values, { ...OPTIONS, ...options })
  const converted = await library.convert(Uint8Array.from(bytes), { archiveVersion: 8, objectCount })
  const written = await library.write(values, { ...OPTIONS, ...options, archiveVersion: 8 })
  return [bytes, converted, written.bytes]
}

interface Table<T> {
  count: number
  get(index: number): T
}
const listTable = <T>(table: Table<T>): T[] => Array.from({ length: table.count }, (_, i) => table.get(i))

const open = (bytes: Uint8Array): File3dm => rhino.File3dm.fromByteArray(bytes)

const toHex = (value: unknown): string => {
  const { r, g, b } = value as { r: number; g: number; b: number }
  return [r, g, b].map((channel) => channel.toString(16).padStart(2, '0')).join('')
}

test('[MOD-81, MOD-82] given groups and a node without preview, when a model is written, then the library reads the tree of layers with their colours, in both archive versions', async () => {
  const options = { groups: [FACADE, FRAME], hiddenNodeIds: new Set(['a', 'b']) }
  for (const bytes of await writeBoth(VALUES, options)) {
    const file = open(bytes)
    assert.deepEqual(
      listTable<Layer>(file.layers()).map(({ fullPath, color, visible }) => [
        fullPath,
        toHex(color),
        visible,
      ]),
      [
        ['Facade', 'ff8000', true],
        ['Facade::Name of a', 'ff8000', true],
        ['Facade::Frame', '0000ff', true],
        ['Facade::Frame::Name of b', '0000ff', false],
        ['Name of c', '000000', true],
      ],
    )
    assert.deepEqual(
      [...walkModel(bytes)].map(({ layer }) => layer),
      ['Name of a', 'Name of a', 'Name of a', 'Name of b', 'Name of c'],
    )
  }
})

test('[MOD-83] given values in materials, when a model is written, then the library reads each material once, and objects with their material and its colour, in both archive versions', async () => {
  for (const bytes of await writeBoth(VALUES, {})) {
    const file = open(bytes)
    const materials = listTable<Material>(file.materials())
    assert.deepEqual(
      materials.map(({ name, diffuseColor, specularColor, emissionColor, transparency, shine }) => ({
        name,
        colours: [diffuseColor, specularColor, emissionColor].map(toHex),
        transparency: Math.round(transparency * 1000) / 1000,
        shine,
      })),
      [
        {
          name: '#ff8000, 50% transparent',
          colours: ['ff8000', 'ffffff', '000000'],
          transparency: 0.498,
          shine: 0,
        },
        {
          name: '#14c8b4, 75% transparent',
          colours: ['14c8b4', 'f0faff', '010203'],
          transparency: 0.75,
          shine: 102,
        },
      ],
    )
    const attributes = Array.from({ length: file.objects().count }, (_, i) =>
      file.objects().get(i).attributes(),
    )
    assert.deepEqual(
      attributes.map(({ materialSource, materialIndex }: ObjectAttributes) =>
        materialSource === rhino.ObjectMaterialSource.MaterialFromObject ? materialIndex : undefined,
      ),
      [0, 1, 0, undefined, undefined],
    )
    assert.deepEqual(
      [...walkModel(bytes)].map(({ colour: own, materialIndex }) => [own, materialIndex]),
      [
        [ORANGE.diffuse, 0],
        [{ ...GLASS.diffuse, alpha: 64 }, 1],
        [ORANGE.diffuse, 0],
        [undefined, undefined],
        [undefined, undefined],
      ],
    )
  }
})

test('[MOD-14] given each unit of Rhino, when a model is written, then the library reads it', async () => {
  await using library = openModelLibrary()
  const read: string[] = []
  for (const units of UNITS) {
    const { bytes } = await library.write([], { ...OPTIONS, units })
    const { modelUnitSystem } = open(bytes).settings()
    const [name] = Object.entries(rhino.UnitSystem).find(([, system]) => system === modelUnitSystem)!
    read.push(name)
  }
  assert.deepEqual(
    read.map((name) => name.replace(/(?<!^)[A-Z]/g, ' $&').toLowerCase()),
    UNITS,
  )
  assert.equal(
    new Set(read).size,
    Object.keys(rhino.UnitSystem).length - ['values', 'argCount', 'CustomUnits', 'Unset'].length,
  )
})
