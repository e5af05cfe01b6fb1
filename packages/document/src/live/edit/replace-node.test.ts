import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent, Node } from '@meadow/contract'
import fc from 'fast-check'
import { listComponents, listParameterTypes } from '../../component-library/component-library.ts'
import { readLiveDocument } from '../projection/live-projector.ts'
import { readWhole } from '../testing/read-whole.ts'
import { createContent, createSlider, createTestContent, integer } from '../testing/test-content.ts'
import { createLiveDocument } from './create-live-document.ts'
import { createNode } from './create-node.ts'
import { LiveEditError } from './edit-error.ts'
import { addGroup } from './groups.ts'
import { matchPorts } from './match-ports.ts'
import { addNodes, renameNode, setEnabled } from './nodes.ts'
import { pinPort } from './pins.ts'
import { addPort, editPort } from './ports.ts'
import { listLosses, replaceNode } from './replace-node.ts'
import { createUndoManager } from './undo-manager.ts'
import { setValues } from './values.ts'
import { connect } from './wires.ts'

const ME = Symbol('me')
const ADDITION = 'a0d62394-a118-422d-abb3-6af115c75b25'
const KINDS = {
  multiplication: 'ce46b74e-00c9-43c4-805a-193b69ea4a11',
  move: 'e9eb1dcf-92f6-4d4d-84ae-96222d60f56b',
  rotate: 'b7798b74-037e-4f0c-8ac7-dc1043d093e0',
  scale: '4d2a06bd-4b0f-4c65-9ee0-4220e4c01703',
  number: '3e8ca6be-fda8-4aaf-b5c0-3c54c8bb7312',
  geometry: 'ac2bc2cb-70fb-4dd5-9c78-7e1ea97fe278',
  data: '8ec86459-bf01-4409-baee-174d0d2b13d0',
}

const at = { position: { x: 0, y: 0 } }
const portOf = (node: Node, name: string) => {
  const portInstanceId = Object.keys(node.ports).find((id) => node.ports[id]?.name === name)
  assert.ok(portInstanceId, name)
  return { nodeInstanceId: node.instanceId, portInstanceId }
}

test('[LD-50] given ports of one side, when they are matched, then by name, then by type, then by position, each once', () => {
  const port = (text: string) => {
    const [name = '', typeName = ''] = text.split(':')
    return { name, typeName }
  }
  const cases: [olds: string, news: string, found: (number | undefined)[]][] = [
    ['A:Number B:Number', 'B:Number A:Number', [1, 0]],
    ['Curve:Curve Count:Integer', 'Count:Integer Geometry:Curve', [1, 0]],
    ['Factor:Number', 'Angle:Integer', [0]],
    ['Factor:Number', 'Geometry:Geometry', [undefined]],
    ['Curve:Curve', 'Curve:Number Other:Curve', [1]],
    ['Line:Line Brep:Brep', 'Curve:Curve Mesh:Mesh', [0, 1]],
    ['Line:Line', 'Brep:Brep', [undefined]],
    ['X:Number Y:Number', 'Z:Number', [0, undefined]],
    ['- X:Number', 'Z:Number', [undefined, 0]],
    ['Point:Point', 'Anything:Data', [0]],
  ]
  for (const [olds, news, found] of cases) {
    const listed = olds.split(' ').map((text) => (text === '-' ? undefined : port(text)))
    assert.deepEqual(matchPorts(listed, news.split(' ').map(port)), found, `${olds} → ${news}`)
  }
})

test('[LD-50, LD-51] given a wired node, when it is replaced, then what fits stays and the rest is reported, and undo restores it', () => {
  const doc = createLiveDocument(createContent([createSlider('s1'), createSlider('s2')]))
  const [geometry, move, data] = [KINDS.geometry, KINDS.move, KINDS.data].map((guid) => createNode(guid, at))
  addNodes(doc, [geometry!, move!, data!])
  const own = (node: Node) => ({ nodeInstanceId: node.instanceId, portInstanceId: node.instanceId })
  connect(doc, { from: own(geometry!), to: portOf(move!, 'Geometry') })
  connect(doc, { from: own(geometry!), to: portOf(move!, 'Motion') })
  const output = portOf(move!, 'Transform')
  const results = Object.keys(move!.outputs).map((id) => ({
    nodeInstanceId: move!.instanceId,
    portInstanceId: id,
  }))
  for (const from of [...results, own(geometry!)]) connect(doc, { from, to: own(data!) })
  const groupId = addGroup(doc, { nodeInstanceIds: [move!.instanceId] })
  pinPort(doc, 'outputs', output)
  editPort(doc, portOf(move!, 'Geometry'), { flags: { graft: true } })
  renameNode(doc, move!.instanceId, 'Lift')
  setEnabled(doc, [move!.instanceId], false)
  const before = readWhole(doc)
  const undo = createUndoManager(doc, ME)
  const replaced = replaceNode(
    doc,
    move!.instanceId,
    { templateId: KINDS.rotate, position: { x: 7, y: 8 } },
    ME,
  )
  assert.deepEqual([replaced.lostWires, replaced.lostPorts], [1, ['Motion']])
  const { nodes, groups, configuration } = readWhole(doc)
  const rotate = nodes[replaced.nodeInstanceId]
  assert.ok(rotate)
  assert.equal(nodes[move!.instanceId], undefined)
  assert.deepEqual(
    [rotate.name, rotate.nickName, rotate.position, rotate.status.isEnabled],
    ['Rotate', 'Lift', { x: 7, y: 8 }, false],
  )
  const input = portOf(rotate, 'Geometry').portInstanceId
  assert.deepEqual({ ...rotate.sources }, { [input]: [own(geometry!)] })
  assert.deepEqual(rotate.ports[input]?.flags, ['graft'])
  // In the order that they had.
  assert.deepEqual(
    nodes[data!.instanceId]?.sources[data!.instanceId]?.map(({ portInstanceId }) => portInstanceId),
    [...Object.keys(rotate.outputs), geometry!.instanceId],
  )
  assert.deepEqual(groups.find(({ id }) => id === groupId)?.nodeInstanceIds, [rotate.instanceId])
  assert.deepEqual(configuration.outputs, [portOf(rotate, 'Transform')])
  undo.undo()
  assertSame(readWhole(doc), before)
  undo.redo()
  assert.ok(readWhole(doc).nodes[replaced.nodeInstanceId])
})

test('[LD-51] given typed-in values and repeated ports, when a node is replaced, then values of the same type and as many ports as needed stay, but no defaults', () => {
  const doc = createLiveDocument(createContent([createSlider('s1')]))
  const [addition, rotate] = [createNode(ADDITION, at), createNode(KINDS.rotate, at)]
  addNodes(doc, [addition!, rotate!])
  const port = { name: 'C', nickName: 'C', typeName: 'Data', access: 'item' as const, flags: [] }
  const added = addPort(doc, addition!.instanceId, { side: 'input', port })
  const slider = { nodeInstanceId: 's1', portInstanceId: 's1' }
  connect(doc, { from: slider, to: { nodeInstanceId: addition!.instanceId, portInstanceId: added } })
  setValues(doc, portOf(addition!, 'A'), integer(3))
  const product = replaceNode(doc, addition!.instanceId, { templateId: KINDS.multiplication })
  assert.deepEqual(product.lostPorts, [])
  const node = readWhole(doc).nodes[product.nodeInstanceId]!
  assert.deepEqual(
    Object.keys(node.inputs).map((id) => node.ports[id]?.name),
    ['A', 'B', 'C'],
  )
  assert.deepEqual({ ...node.values }, { [portOf(node, 'A').portInstanceId]: integer(3) })
  assert.deepEqual({ ...node.sources }, { [portOf(node, 'C').portInstanceId]: [slider] })
  // The angle of a rotation is a default, and no factor.
  const scaled = replaceNode(doc, rotate!.instanceId, { templateId: KINDS.scale })
  const scale = readWhole(doc).nodes[scaled.nodeInstanceId]!
  assert.deepEqual(Object.values(scale.values), Object.values(createNode(KINDS.scale, at).values))
  const number = replaceNode(doc, 's1', { templateId: KINDS.number })
  const { values, outputs } = readWhole(doc).nodes[number.nodeInstanceId]!
  assert.deepEqual(
    [values[number.nodeInstanceId], Object.keys(outputs)],
    [integer(1), [number.nodeInstanceId]],
  )
  assert.throws(() => replaceNode(doc, number.nodeInstanceId, { templateId: KINDS.number }), LiveEditError)
  assert.throws(() => replaceNode(doc, 'gone', { templateId: KINDS.number }), LiveEditError)
  assert.throws(() => replaceNode(doc, number.nodeInstanceId, { templateId: 'nothing' }), LiveEditError)
})

const CLASSES = [...listComponents(), ...listParameterTypes()].map(({ guid }) => guid)

test('[LD-50] given any wired graph, when nodes are replaced by any classes, then no wire ends nowhere, kept and lost wires are all of them, and undo restores the document', () => {
  const wire = fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9), fc.nat(9))
  const graph = fc.record({
    kinds: fc.array(fc.constantFrom(...CLASSES), { minLength: 2, maxLength: 6 }),
    wires: fc.array(wire, { maxLength: 14 }),
    replaced: fc.array(fc.tuple(fc.nat(9), fc.constantFrom(...CLASSES)), { minLength: 1, maxLength: 4 }),
  })
  fc.assert(
    fc.property(graph, ({ kinds, wires, replaced }) => {
      const doc = createLiveDocument(createTestContent())
      addNodes(
        doc,
        kinds.map((guid) => createNode(guid, at)),
      )
      const pick = <T>(items: readonly T[], index: number) => items[index % Math.max(1, items.length)]
      for (const [from, output, to, input] of wires) {
        const nodes = Object.values(readLiveDocument(doc).nodes)
        const [sender, receiver] = [pick(nodes, from)!, pick(nodes, to)!]
        const [source, target] = [
          pick(Object.keys(sender.outputs), output),
          pick(Object.keys(receiver.inputs), input),
        ]
        if (source === undefined || target === undefined) continue
        connect(doc, {
          from: { nodeInstanceId: sender.instanceId, portInstanceId: source },
          to: { nodeInstanceId: receiver.instanceId, portInstanceId: target },
        })
      }
      const undo = createUndoManager(doc, ME)
      for (const [index, templateId] of replaced) {
        const before = readLiveDocument(doc)
        const old = pick(Object.values(before.nodes), index)!
        if (old.templateId === templateId) continue
        const expected = listLosses(before, old.instanceId, [templateId]).get(templateId)
        const { nodeInstanceId, ...lost } = replaceNode(doc, old.instanceId, { templateId }, ME)
        assert.deepEqual(lost, expected)
        const after = readWhole(doc)
        assert.equal(after.nodes[old.instanceId], undefined)
        assert.equal(after.nodes[nodeInstanceId]?.templateId, templateId)
        assert.equal(countWires(after), countWires(before) - lost.lostWires)
        undo.undo()
        assertSame(readLiveDocument(doc), before)
        undo.redo()
        assertSame(readLiveDocument(doc), after)
      }
    }),
    { numRuns: 25 },
  )
})

/** Wires whose ends exist: others are not read. */
const countWires = ({ nodes }: GraphContent) =>
  Object.values(nodes).reduce((sum, { sources }) => sum + Object.values(sources).flat().length, 0)

/** But for the order of nodes, of groups' members and of pins. */
function assertSame(read: GraphContent, expected: GraphContent): void {
  const sorted = ({ nodes, groups, configuration: { inputs, outputs } }: GraphContent) => ({
    nodes: { ...nodes },
    groups: groups.map((group) => ({ ...group, nodeInstanceIds: group.nodeInstanceIds.toSorted() })),
    pins: [inputs, outputs].map((pins) => pins.map(({ portInstanceId }) => portInstanceId).sort()),
  })
  assert.deepEqual(sorted(read), sorted(expected))
}
