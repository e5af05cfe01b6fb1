import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Node } from '@meadow/document'
import { assertRejected } from '../archive/testing/assert-rejected.ts'
import { buildId } from '../testing/build-archive.ts'
import { NUMBER_CLASS } from '../testing/build-cluster.ts'
import { buildNode } from '../testing/build-node.ts'
import { buildOriginal } from '../testing/build-original.ts'
import { buildContent, importDefinition, writeAndRead } from '../testing/write-and-read.ts'
import { writeDefinition } from './write-definition.ts'

const wire = (id: string) => ({ nodeInstanceId: id, portInstanceId: id })

/** A number parameter under any id. */
function parameter(id: string): Node {
  return JSON.parse(JSON.stringify(buildNode(NUMBER_CLASS, 1)).replaceAll(buildId(1), id))
}

test('[GHD-37] given what a file cannot represent, when written, then there is a warning for each, and no other', () => {
  const { bytes } = buildOriginal()
  const content = importDefinition(bytes)
  Object.assign(content.nodes[buildId(30)]?.state ?? {}, { isProtected: true })
  const { warnings } = writeAndRead(content, { original: bytes })
  assert.deepEqual(warnings, [
    {
      kind: 'fact_left_out',
      nodeInstanceId: buildId(30),
      message: 'The file cannot say all of the state of Rib.',
    },
  ])
})

test('[GHD-47] given ids that are not GUIDs, when written, then they are replaced everywhere, with a warning', () => {
  const big = 'ABCDEF00-0000-4000-8000-000000000001'
  const [first, second, third] = [parameter('slider 1'), parameter('7'), parameter(big)]
  second.sources = { 7: [wire('slider 1'), wire(big)] }
  const timer = {
    ...parameter('t'),
    ports: {},
    inputs: {},
    outputs: {},
    templateId: '5a2b0735-ba98-4b7d-a7d3-c1dfc04475ad',
  }
  timer.state = { kind: 'timer', intervalMs: 5, targetIds: ['slider 1'] }
  const groups = [
    { id: 'g', label: '', colour: '#00000000', nodeInstanceIds: ['slider 1', big], groupIds: [] },
  ]
  const content = buildContent([first, second, third, timer], {
    groups,
    configuration: { inputs: [wire('7')], outputs: [] },
  })
  const read = writeAndRead(content)
  assert.deepEqual(
    read.warnings.map(({ kind }) => kind),
    Array(5).fill('id_replaced'),
  )
  const ids = Object.keys(read.content.nodes)
  const small = big.toLowerCase()
  assert.ok(ids.includes(small))
  const fed = Object.values(read.content.nodes).find(({ sources }) => Object.keys(sources).length > 0)
  const [sender] = fed?.sources[fed.instanceId] ?? []
  assert.deepEqual(read.content.groups[0]?.nodeInstanceIds, [sender?.nodeInstanceId, small])
  assert.deepEqual(read.content.configuration.inputs, [wire(fed?.instanceId ?? '')])
  const [target] = Object.values(read.content.nodes).flatMap(
    ({ state }) => (state?.kind === 'timer' ? state.targetIds : []) as string[],
  )
  assert.equal(target, sender?.nodeInstanceId)
  assert.deepEqual(writeAndRead(content).bytes, read.bytes)
})

test('[GHD-47] given a cycle, when written, then the wires that close it are omitted, with a warning', () => {
  const [a, b, c] = [1, 2, 3].map((id) => parameter(buildId(id))) as [Node, Node, Node]
  a.sources = { [buildId(1)]: [wire(buildId(3))] }
  b.sources = { [buildId(2)]: [wire(buildId(1))] }
  c.sources = { [buildId(3)]: [wire(buildId(2))] }
  const { content, warnings } = writeAndRead(buildContent([a, b, c]))
  const wires = Object.values(content.nodes).flatMap(({ sources }) => Object.values(sources).flat())
  assert.equal(wires.length, 2)
  assert.deepEqual(
    warnings.map(({ kind }) => kind),
    ['cyclic_wire_left_out'],
  )
})

test('[GHD-47] given a graph that is not valid, when written, then it is written as repaired, with warnings', () => {
  const node = parameter(buildId(1))
  node.sources = { [buildId(1)]: [wire(buildId(9))] }
  const { content, warnings } = writeAndRead(buildContent([node]))
  assert.deepEqual(content.nodes[buildId(1)]?.sources, {})
  assert.deepEqual(
    warnings.map(({ kind, nodeInstanceId }) => [kind, nodeInstanceId]),
    [['repaired', buildId(1)]],
  )
})

test('[GHD-47] given a node that claims to be a group, when written, then it is omitted', () => {
  const node = { ...parameter(buildId(1)), templateId: 'c552a431-af5b-46a9-a8a4-0fcbc27ef596' }
  const { content, warnings } = writeAndRead(buildContent([node]))
  assert.deepEqual(
    [content.nodes, content.groups, warnings.map(({ kind }) => kind)],
    [{}, [], ['unknown_component_left_out']],
  )
})

test('[GHD-48] given an original that cannot be read, when written, then the error is that of reading', () => {
  const document = { name: 'Any', ...buildContent([]) }
  assertRejected('not_an_archive', /^/, () =>
    writeDefinition(document, { original: new TextEncoder().encode('<html></html>') }),
  )
})

test('[GHD-48] given a text that XML cannot hold, when written as .ghx, then it is malformed with its location', () => {
  const node = { ...parameter(buildId(1)), nickName: 'a\u0001b' }
  const document = { name: 'Any', ...buildContent([node]) }
  assertRejected('malformed', /Object #0\/Container\/NickName/, () =>
    writeDefinition(document, { form: 'ghx' }),
  )
  assert.equal(writeAndRead(buildContent([node])).content.nodes[buildId(1)]?.nickName, 'a\u0001b')
})

test('[GHD-48] given lone surrogates, when written, then the texts are well-formed', () => {
  const node = { ...parameter(buildId(1)), nickName: 'a\ud800' }
  const { content, warnings } = writeAndRead(buildContent([node]))
  assert.equal(content.nodes[buildId(1)]?.nickName, 'a\ufffd')
  assert.deepEqual(
    warnings.map(({ kind }) => kind),
    ['fact_left_out', 'fact_left_out'],
  )
})
