import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findCanvasObject,
  findComponent,
  findComponentName,
  findParameterType,
  findScript,
  listCanvasObjects,
  listComponents,
  listParameterTypes,
} from './component-library.ts'
import { NAMED } from './components/named.data.ts'

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

test('[DOC-30] given the whole component library, when listed, then each entry has a unique GUID', () => {
  const entries = [...listComponents(), ...listParameterTypes(), ...listCanvasObjects()]
  const guids = [...entries.map(({ guid }) => guid), ...NAMED.map(([guid]) => guid)]
  for (const guid of guids) assert.match(guid, GUID)
  assert.deepEqual(
    guids.filter((guid, i) => guids.indexOf(guid) !== i),
    [],
  )
})

const VALUE_TYPES: Record<string, string> = { 'Data Path': 'path', Text: 'string', 'File Path': 'string' }

test('[DOC-30] given all ports, when read, then their types are known and defaults are of their type', () => {
  // These types stand at a few ports only, and their GUIDs are not known.
  const names = new Set(['Loft Options', 'Coordinate Mask', ...listParameterTypes().map(({ name }) => name)])
  for (const { name, inputs, outputs } of listComponents()) {
    for (const port of [...inputs, ...outputs]) {
      assert.ok(names.has(port.typeName), `${name}: ${port.typeName}`)
      for (const { type } of port.defaults) {
        assert.equal(type, VALUE_TYPES[port.typeName] ?? port.typeName.toLowerCase())
      }
    }
  }
})

test('[DOC-30] given GUIDs of well-known objects, when looked up, then their ports, defaults and sides are found', () => {
  const listItem = findComponent('59daf374-bc21-4a5e-8282-5504fb7ae9ae')
  assert.equal(listItem?.portStorage, 'variable')
  assert.deepEqual(listItem?.inputs, [
    { name: 'List', nickName: 'L', typeName: 'Data', access: 'list', isOptional: false, defaults: [] },
    {
      name: 'Index',
      nickName: 'i',
      typeName: 'Integer',
      access: 'item',
      isOptional: false,
      defaults: [{ type: 'integer', value: 0 }],
    },
    {
      name: 'Wrap',
      nickName: 'W',
      typeName: 'Boolean',
      access: 'item',
      isOptional: false,
      defaults: [{ type: 'boolean', value: true }],
    },
  ])
  assert.deepEqual(
    findComponent('a0d62394-a118-422d-abb3-6af115c75b25')?.inputs.map(({ name, nickName, isOptional }) => [
      name,
      nickName,
      isOptional,
    ]),
    [
      ['A', 'A', true],
      ['B', 'B', true],
    ],
  )
  assert.deepEqual(findComponent('b7798b74-037e-4f0c-8ac7-dc1043d093e0')?.inputs[1]?.defaults, [
    { type: 'number', value: Math.PI / 2 },
  ])
  assert.equal(findComponentName('e2039b07-d3f3-40f8-af88-d74fed238727'), 'Insert Items')
  assert.equal(findParameterType('d5967b9f-e8ee-436b-a8ad-29fdcecf32d5')?.name, 'Curve')
  assert.deepEqual(findCanvasObject('57da07bd-ecab-415d-9d86-af36d7073abc')?.parameter, {
    typeName: 'Number',
    hasInput: false,
    hasOutput: true,
  })
  assert.equal(findScript('410755b1-224a-4c1e-a407-bf32fb45ea7e')?.language, 'python2')
  assert.equal(findComponent('nothing'), undefined)
})
