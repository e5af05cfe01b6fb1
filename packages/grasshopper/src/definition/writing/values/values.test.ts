import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { createDataTree, type DataValue, findParameterType, type Node } from '@meadow/document'
import fc from 'fast-check'
import type { Chunk } from '../../../archive/tree/archive.ts'
import { findChunk, findItem, listChunks } from '../../../archive/tree/find.ts'
import { arbitraryTree, VALUES } from '../../../testing/arbitrary-values.ts'
import {
  buildChunk,
  buildDefinition,
  buildId,
  buildItem,
  buildObject,
  buildPersistentData,
  buildSources,
} from '../../../testing/build-archive.ts'
import { buildNode } from '../../../testing/build-node.ts'
import {
  assertComesBack,
  buildContent,
  importDefinition,
  writeAndRead,
} from '../../../testing/write-and-read.ts'
import { readDefinition } from '../../read-definition.ts'
import { findRhinoObject } from '../../reading/values/read-rhino-object.ts'
import { findTypeId } from '../port-chunks.ts'
import type { WriteWarningKind } from '../written-definition.ts'

const ID = buildId(1)

/** A parameter of a type that holds these values. */
function parameter(typeName: string, values: readonly (DataValue | null)[]): Node {
  const node = buildNode(findTypeId(typeName) ?? '', 1)
  node.values = { [ID]: createDataTree([{ path: [0], values }]) }
  return node
}

const getItem = (bytes: Uint8Array): Chunk => {
  const container = findChunk(readDefinition(bytes).objects.get(ID) as Chunk, 'Container') as Chunk
  const branch = findChunk(findChunk(container, 'PersistentData') as Chunk, 'Branch', 0) as Chunk
  return findChunk(branch, 'Item', 0) as Chunk
}

/** The value that a literal of a port is read back as, and its warnings. */
function tryValue(typeName: string, value: DataValue): [DataValue | null | undefined, WriteWarningKind[]] {
  const { content, warnings } = writeAndRead(buildContent([parameter(typeName, [value])]))
  return [content.nodes[ID]?.values[ID]?.branches[0]?.values[0], warnings.map(({ kind }) => kind)]
}

test('[GHD-42] given trees of every type of value, when written and read, then they are the same', () => {
  for (const typeName of Object.keys(VALUES)) {
    fc.assert(
      fc.property(arbitraryTree(typeName), (tree) => {
        const node = buildNode(findTypeId(typeName) ?? '', 1)
        if (tree.branches.some(({ values }) => values.length > 0)) node.values = { [ID]: tree }
        assertComesBack(buildContent([node]))
      }),
      { numRuns: 40 },
    )
  }
})

test('[GHD-42] given a value in a port for any kind, when written, then its class is named with it', () => {
  const { bytes } = writeAndRead(buildContent([parameter('Data', [{ type: 'colour', value: '#11223344' }])]))
  const item = getItem(bytes)
  assert.equal(findItem(item, 'TypeName', 'string'), 'Grasshopper.Kernel.Types.GH_Colour')
  assert.equal(findItem(item, 'color', 'drawing_color'), 0x44112233)
})

test('[GHD-42] given a null and an empty branch, when written, then they are there as Grasshopper has them', () => {
  const node = parameter('Number', [])
  node.values = {
    [ID]: {
      branches: [
        { path: '{0}', values: [] },
        { path: '{2;1}', values: [null, { type: 'number', value: 1 }] },
      ],
    },
  }
  const { bytes } = writeAndRead(buildContent([node]))
  const container = findChunk(readDefinition(bytes).objects.get(ID) as Chunk, 'Container') as Chunk
  const branches = listChunks(findChunk(container, 'PersistentData') as Chunk, 'Branch')
  assert.deepEqual(
    branches.map((branch) => [
      findItem(branch, 'Path', 'string'),
      findItem(branch, 'Count', 'int32'),
      listChunks(branch, 'Item').map(({ items }) => items.length),
    ]),
    [
      ['{0}', 0, []],
      ['{2;1}', 2, [0, 1]],
    ],
  )
})

describe('values of another type than the port’s', () => {
  const point: DataValue = { type: 'point', value: [1, 2, 3] }
  const cases: [string, DataValue, DataValue | null, WriteWarningKind[]][] = [
    ['Number', { type: 'integer', value: 3 }, { type: 'number', value: 3 }, []],
    ['Integer', { type: 'number', value: 3 }, { type: 'integer', value: 3 }, []],
    ['Integer', { type: 'number', value: 2.6 }, { type: 'integer', value: 3 }, ['value_converted']],
    ['Number', { type: 'string', value: ' 2.5 ' }, { type: 'number', value: 2.5 }, ['value_converted']],
    ['Number', { type: 'boolean', value: true }, { type: 'number', value: 1 }, ['value_converted']],
    ['Text', { type: 'number', value: 2.5 }, { type: 'string', value: '2.5' }, ['value_converted']],
    ['Boolean', { type: 'integer', value: 0 }, { type: 'boolean', value: false }, ['value_converted']],
    ['Vector', point, { type: 'vector', value: [1, 2, 3] }, ['value_converted']],
    ['Number', { type: 'string', value: 'much' }, null, ['value_left_out']],
    ['Integer', { type: 'integer', value: 2 ** 31 }, null, ['value_left_out']],
    ['Number', point, null, ['value_left_out']],
    ['Geometry', { type: 'number', value: 1 }, null, ['value_left_out']],
    ['Curve', { type: 'line', value: { from: [0, 0, 0], to: [1, 0, 0] } }, null, ['value_left_out']],
    ['Data', { type: 'unknown', value: { description: 'A fish' } }, null, ['value_left_out']],
  ]
  for (const [typeName, value, back, kinds] of cases) {
    test(`[GHD-42] given ${value.type} ${JSON.stringify(value.value)} in ${typeName}, when written, then it is ${back?.type ?? 'null'}`, () => {
      // A branch of only nulls is read as such.
      assert.deepEqual(tryValue(typeName, value), [back, kinds])
    })
  }
})

describe('geometry', () => {
  const classId = 'dbd4d74e47e9d311bfe50010830122f0' // ON_LineCurve
  const data = (id: string, wide: boolean) => {
    const length = wide ? '00'.repeat(8) : '00'.repeat(4)
    const start = `fa7f0200${length}fbff0200${wide ? '14'.padEnd(16, '0') : '14000000'}${id}`
    return Buffer.from(`${start}aabbcc`, 'hex').toString('base64')
  }
  const geometry = (id: string, wide = true) => ({
    version: 10000,
    archive3dm: wide ? 60 : 4,
    opennurbs: 5,
    data: data(id, wide),
  })
  const value = (type: 'curve' | 'brep' | 'surface' | 'mesh', id: string, wide?: boolean): DataValue => ({
    type,
    value: { description: 'Any', boundingBox: null },
    geometry: geometry(id, wide),
  })
  const unpack = (bytes: Uint8Array) => {
    const packed = findItem(getItem(bytes), 'ON_Data', 'bytearray')
    return findRhinoObject(inflateRawSync(packed ?? new Uint8Array()))
  }

  test('[GHD-42] given a curve, when written, then its record names the class of its bytes and holds them', () => {
    for (const wide of [true, false]) {
      const { bytes, warnings } = writeAndRead(
        buildContent([parameter('Curve', [value('curve', classId, wide)])]),
      )
      assert.deepEqual(warnings, [])
      assert.deepEqual(unpack(bytes), {
        className: 'Rhino.Geometry.LineCurve',
        geometry: geometry(classId, wide),
      })
      assert.equal(findItem(getItem(bytes), 'EdgeIndex', 'int32'), -1)
    }
  })

  test('[GHD-42] given geometry of an unknown class, when written, then it has the usual one of its type', () => {
    const { bytes } = writeAndRead(buildContent([parameter('Mesh', [value('mesh', 'ff'.repeat(16))])]))
    assert.equal(unpack(bytes)?.className, 'Rhino.Geometry.Mesh')
  })

  test('[GHD-42] given an extrusion in a Brep, and one in Data, when written, then there is a warning for the first', () => {
    const extrusion = value('brep', '7531f536b872474dbf1fb4e6fc24f4b9')
    const [first, second] = ['Brep', 'Data'].map((type) =>
      writeAndRead(buildContent([parameter(type, [extrusion])])),
    )
    assert.deepEqual(
      first?.warnings.map(({ kind }) => kind),
      ['value_uncertain'],
    )
    assert.deepEqual(second?.warnings, [])
    assert.equal(
      findItem(getItem(second?.bytes as Uint8Array), 'TypeName', 'string'),
      'Grasshopper.Kernel.Types.GH_Extrusion',
    )
  })

  test('[GHD-42] given a polyline that carries its geometry, when written into a Curve, then it is a curve', () => {
    const polyline: DataValue = {
      type: 'polyline',
      value: [[0, 0, 0]],
      geometry: geometry('e6d4d74e47e9d311bfe50010830122f0'),
    }
    const [back, kinds] = tryValue('Curve', polyline)
    assert.deepEqual([back?.type, back?.geometry, kinds], ['curve', polyline.geometry, ['value_converted']])
  })
})

describe('existing values', () => {
  const shader = [buildItem('drawing_color', 'diffuse', 0xff112233), buildItem('double', 'shine', 0.25)]
  const number = (it: number) => [buildItem('double', 'number', it), buildItem('string', 'Secret', `${it}`)]
  const build = (data: Chunk) =>
    buildDefinition([
      buildObject({
        guid: '288cfe66-f3dc-4c9a-bb96-ef81f47fe724',
        id: 1,
        container: [...buildSources(), data],
      }),
      buildObject({ guid: '288cfe66-f3dc-4c9a-bb96-ef81f47fe724', id: 2, container: buildSources() }),
    ])

  test('[GHD-42] given an opaque value, when it is moved and copied, then its chunk is too', () => {
    const original = build(buildPersistentData({ '{0}': [shader] }))
    const content = importDefinition(original)
    const [material] = content.nodes[ID]?.values[ID]?.branches[0]?.values ?? []
    assert.equal(material?.type, 'unknown')
    content.nodes[ID]!.values = { [ID]: createDataTree([{ path: [3], values: [null, material ?? null] }]) }
    content.nodes[buildId(2)]!.values = {
      [buildId(2)]: createDataTree([{ path: [0], values: [material ?? null] }]),
    }
    assertComesBack(content, { original })
    const { bytes } = writeAndRead(content, { original })
    const shines = [1, 2].map((id) =>
      JSON.stringify(readDefinition(bytes).objects.get(buildId(id))).match(/"shine"[^}]*0\.25/),
    )
    assert.ok(shines.every(Boolean))
  })

  test('[GHD-42] given one value changed among others, when written, then the others keep their chunks', () => {
    const original = build(buildPersistentData({ '{0}': [number(1), number(2)] }))
    const content = importDefinition(original)
    const values = content.nodes[ID]?.values[ID]?.branches[0]?.values
    assert.equal(values?.length, 2)
    values?.splice(1, 1, null)
    const { bytes } = writeAndRead(content, { original })
    const text = JSON.stringify(readDefinition(bytes).objects.get(ID))
    assert.ok(text.includes('"Secret"') && !text.includes('"2"'))
  })

  test('[GHD-42] given removed values, when written, then the port has none', () => {
    const original = build(buildPersistentData({ '{0}': [shader] }))
    const content = importDefinition(original)
    content.nodes[ID]!.values = {}
    const { bytes } = writeAndRead(content, { original })
    const container = findChunk(readDefinition(bytes).objects.get(ID) as Chunk, 'Container') as Chunk
    assert.equal(findChunk(container, 'PersistentData'), undefined)
  })

  test('[GHD-42] given a file of 2011, when values change, then they are in its list', () => {
    const guid = findParameterType('3e8ca6be-fda8-4aaf-b5c0-3c54c8bb7312')?.guid ?? ''
    const old = [
      buildItem('int32', 'PersistentCount', 1),
      buildChunk('Data', [buildItem('double', 'number', 1)], 0),
    ]
    const original = buildDefinition([buildObject({ guid, id: 1, container: [...buildSources(), ...old] })])
    const content = importDefinition(original)
    content.nodes[ID]!.values = {
      [ID]: createDataTree([
        {
          path: [0],
          values: [
            { type: 'number', value: 7 },
            { type: 'number', value: 8 },
          ],
        },
      ]),
    }
    assertComesBack(content, { original })
    const container = findChunk(
      readDefinition(writeAndRead(content, { original }).bytes).objects.get(ID) as Chunk,
      'Container',
    ) as Chunk
    assert.equal(findItem(container, 'PersistentCount', 'int32'), 2)
    assert.equal(listChunks(container, 'Data').length, 2)
  })
})
