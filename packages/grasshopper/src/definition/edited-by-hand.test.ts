import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findComponent } from '@meadow/document'
import { readArchive } from '../archive/read-archive.ts'
import type { Archive, Chunk } from '../archive/tree/archive.ts'
import { setItem } from '../archive/tree/edit.ts'
import { findChunk, findItem, listChunks } from '../archive/tree/find.ts'
import { writeArchive } from '../archive/write-archive.ts'
import { buildArchive, buildId, buildItem, buildObject, buildPort } from '../testing/build-archive.ts'
import { toJson } from '../testing/read-objects.ts'
import { importDefinition } from '../testing/write-and-read.ts'
import { CLASS } from './model/class-ids.ts'
import { getDefinition, listObjects } from './model/definition-object.ts'
import { readDefinition } from './read-definition.ts'
import { writeDefinition } from './write-definition.ts'

const UNIT_Z = '9103c240-a6a9-4223-9b42-dbd19bf38e2b'
const LOFT = 'a7a41d0a-2188-4f7a-82cc-1a2c4e4ec850'

const slider = (id: number) => buildObject({ guid: CLASS.numberSlider, id, name: 'Number Slider' })
/** A component with its output alone: as left by someone who took the input for superfluous. */
const unit = (id: number) =>
  buildObject({ guid: UNIT_Z, id, name: 'Unit Z', container: [buildPort('param_output', 0, id + 1)] })
const listOf = ({ root }: Archive): Chunk => findChunk(findChunk(root, 'Definition')!, 'DefinitionObjects')!
const write = (archive: Archive, form: 'gh' | 'ghx' = 'gh') => new Uint8Array(writeArchive(archive, { form }))
const toXml = (archive: Archive, from: string, to: string): Uint8Array => {
  const text = new TextDecoder().decode(write(archive, 'ghx'))
  assert.ok(text.includes(from))
  return new TextEncoder().encode(text.replace(from, to))
}

test('[GHD-65] given a file that announces more or fewer objects than it has, when read, then it has them, with a note', () => {
  for (const [announced, form] of [
    [33, 'gh'],
    [1, 'ghx'],
  ] as const) {
    const archive = buildArchive([slider(1), slider(2)])
    setItem(listOf(archive), 'int32', 'ObjectCount', announced)
    const bytes = write(archive, form)
    const { content, notes } = readDefinition(bytes)
    assert.deepEqual(Object.keys(content.nodes), [buildId(1), buildId(2)])
    const where = 'Root/Definition/DefinitionObjects'
    assert.deepEqual(notes, [{ kind: 'miscounted', where, elements: 'Object', announced, found: 2 }])
    assert.deepEqual(writeDefinition({ name: 'A', ...content }, { original: bytes, form }).bytes, bytes)
  }
})

test('[GHD-65] given a .ghx with a wrong count, when read, exported and kept as text, then it is read, and its bytes come back', () => {
  const archive = buildArchive([slider(1), slider(2)])
  const bytes = toXml(archive, '<chunks count="2">', '<chunks count="3">')
  const { content, notes } = readDefinition(bytes)
  assert.deepEqual(content, readDefinition(write(archive)).content)
  assert.equal(notes.length, 1)
  assert.partialDeepStrictEqual(notes, [{ kind: 'miscounted', elements: 'chunks', announced: '3', found: 2 }])
  assert.match(JSON.stringify(notes), /Root\/Definition\/DefinitionObjects, line \d+/)
  const document = { name: 'A', ...content }
  assert.deepEqual(writeDefinition(document, { original: bytes, form: 'ghx' }).bytes, bytes)
  const edited = structuredClone(document)
  edited.nodes[buildId(1)]!.nickName = 'Height'
  const written = writeDefinition(edited, { original: bytes, form: 'ghx' })
  assert.equal(readArchive(written.bytes).miscounts, undefined)
  assert.deepEqual(written.warnings, [])
})

test('[GHD-65] given counts of wires, ports and values that are wrong, when read, then what is there counts, each with a note', () => {
  const port = buildPort('param_input', 0, 11, { senders: [1] })
  setItem(port, 'int32', 'SourceCount', 2)
  const box = buildObject({ guid: buildId(99), id: 10, container: [port] })
  const { content, notes } = readDefinition(write(buildArchive([slider(1), box])))
  assert.equal(content.nodes[buildId(10)]!.sources[buildId(11)]?.length, 1)
  assert.deepEqual(notes, [
    {
      ...{ kind: 'miscounted', elements: 'Source', announced: 2, found: 1 },
      where: 'Root/Definition/DefinitionObjects/Object #1/Container/param_input #0',
    },
  ])
})

test('[GHD-66] given a component without one of its ports, when read, then the port has the default of its kind, with a note', () => {
  const bytes = write(buildArchive([unit(1)]))
  const { content, notes } = readDefinition(bytes)
  const node = content.nodes[buildId(1)]!
  const [input] = Object.keys(node.inputs)
  const declared = findComponent(UNIT_Z)!.inputs[0]!
  assert.equal(node.ports[input!]?.name, declared.name)
  assert.deepEqual(node.values[input!]?.branches[0]?.values, declared.defaults)
  assert.deepEqual(Object.keys(node.outputs), [buildId(2)])
  assert.deepEqual(notes, [{ kind: 'port_left_out', nodeInstanceId: buildId(1), portInstanceId: input }])
  assert.deepEqual(readDefinition(bytes).content, content)
  assert.deepEqual(writeDefinition({ name: 'A', ...content }, { original: bytes }).bytes, bytes)
})

test('[GHD-66] given a component without some ports, when it is edited and written, then the file has them, with their defaults', () => {
  const original = write(buildArchive([slider(9), unit(1)]))
  const content = importDefinition(original)
  const node = content.nodes[buildId(1)]!
  const [input] = Object.keys(node.inputs)
  for (const edit of [
    () => {
      node.nickName = 'up'
    },
    () => {
      node.sources[input!] = [{ nodeInstanceId: buildId(9), portInstanceId: buildId(9) }]
    },
  ]) {
    edit()
    const { bytes, warnings } = writeDefinition({ name: 'A', ...content }, { original })
    assert.deepEqual(warnings, [])
    const written = readDefinition(bytes)
    assert.deepEqual(written.notes, [])
    assert.deepEqual(toJson(written.content), content)
    const [, object] = listObjects(getDefinition(written.original))
    const names = object!.container.chunks.map(({ name }) => name)
    assert.deepEqual(names, ['param_input', 'param_output'])
    const [port] = listChunks(object!.container, 'param_input')
    assert.equal(findItem(port!, 'InstanceGuid', 'guid'), input)
    assert.ok(findChunk(port!, 'PersistentData'))
  }
})

test('[GHD-66] given a component without the port of its hidden options, when it is edited, then the file has their default', () => {
  const ports = findComponent(LOFT)!
  const at = ports.inputs.findIndex(({ typeName }) => typeName === 'Loft Options')
  assert.ok(at > 0)
  const inputs = ports.inputs.flatMap((_, index) =>
    index === at ? [] : [buildPort('param_input', index, 20 + index)],
  )
  const loft = buildObject({
    ...{ guid: LOFT, id: 1, name: 'Loft' },
    container: [...inputs, buildPort('param_output', 0, 30), buildItem('bool', 'Hidden', true)],
  })
  const original = write(buildArchive([loft]))
  const content = importDefinition(original)
  content.nodes[buildId(1)]!.nickName = 'Skin'
  const { bytes, warnings } = writeDefinition({ name: 'A', ...content }, { original })
  assert.deepEqual(warnings, [])
  assert.deepEqual(importDefinition(bytes), content)
})

test('[GHD-66] given a document that was read before ports were added, when written over its file, then the file stays', () => {
  const original = write(buildArchive([unit(1)]))
  const content = importDefinition(original)
  const node = content.nodes[buildId(1)]!
  const [input] = Object.keys(node.inputs) as [string]
  delete node.inputs[input]
  delete node.ports[input]
  delete node.values[input]
  assert.deepEqual(writeDefinition({ name: 'A', ...content }, { original, reading: 2 }).bytes, original)
})
