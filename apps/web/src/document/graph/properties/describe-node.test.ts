import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createNode } from '@meadow/client/live'
import type { DataValue, Node } from '@meadow/contract'
import { KINDS } from '../../../testing/kinds.ts'
import { describeNode, describeValue } from './describe-node.ts'

const addition = createNode(KINDS.addition, { position: { x: 0, y: 0 } })
const [first, second] = Object.keys(addition.inputs) as [string, string]

/** The node with values at its first input. */
const fill = (branches: { path: string; values: (DataValue | null)[] }[]): Node => ({
  ...addition,
  values: { [first]: { branches } },
})

test('[WEB-94] given ports with flags, options and a wire display, when a node is described, then each is in words', () => {
  const node: Node = {
    ...addition,
    ports: {
      ...addition.ports,
      [first]: {
        ...addition.ports[first]!,
        flags: ['graft'],
        options: ['hidden', 'locked'],
        wireDisplay: 'faint',
      },
      [second]: { ...addition.ports[second]!, expression: 'x * 2', wireDisplay: 'hidden' },
    },
    sources: { [second]: [{ nodeInstanceId: 'a', portInstanceId: 'b' }] },
  }
  const { inputs, outputs } = describeNode(node)
  assert.deepEqual(inputs[0]!.marks, ['Graft', 'Preview off', 'Disabled', 'Faint wires'])
  assert.deepEqual(inputs[1]!.marks, ['Hidden wires', 'x → x * 2'])
  assert.equal(inputs[1]!.wires, 1)
  assert.equal(outputs.length, 1)
})

test('[WEB-94] given values in several branches, when a node is described, then each has its place, and of very many the first are listed', () => {
  const number = (value: number): DataValue => ({ type: 'number', value })
  const { inputs } = describeNode(
    fill([
      { path: '{0}', values: [number(1), null] },
      { path: '{1}', values: [number(3)] },
    ]),
  )
  assert.deepEqual(
    inputs[0]!.values.map(({ position, text }) => [position, text]),
    [
      ['{0}[0]', '1'],
      ['{0}[1]', 'null'],
      ['{1}[0]', '3'],
    ],
  )
  const [only] = describeNode(fill([{ path: '{0}', values: [number(1)] }])).inputs
  assert.equal(only!.values[0]!.position, undefined)
  const [many] = describeNode(
    fill([{ path: '{0}', values: Array.from({ length: 130 }, (_, i) => number(i)) }]),
  ).inputs
  assert.deepEqual([many!.values.length, many!.more], [100, 30])
})

test('[WEB-94] given references to Rhino objects and Revit elements, when they are described, then their ids can be copied', () => {
  const referenceId = '6b1a2f6e-7c1b-4a53-9d55-0a4f6a6f7a11'
  const curve: DataValue = {
    type: 'curve',
    value: { description: 'Referenced Curve', boundingBox: null },
    referenceId,
    referencePart: { type: 'edge', index: 3 },
  }
  assert.deepEqual(describeValue(curve), {
    text: 'Referenced Curve (edge 3)',
    colour: undefined,
    ids: [{ label: 'Rhino object', id: referenceId }],
    details: [],
  })
  const wall: DataValue = {
    type: 'unknown',
    value: {
      description: 'Revit wall',
      kind: 'revit',
      className: 'RhinoInside.Revit.GH.Types.Wall',
      properties: { documentId: referenceId, uniqueId: 'u-1', elementId: 4711, name: 'Basic Wall' },
    },
  }
  assert.deepEqual(describeValue(wall), {
    text: 'Revit wall',
    colour: undefined,
    ids: [
      { label: 'Revit document', id: referenceId },
      { label: 'Revit unique id', id: 'u-1' },
      { label: 'Revit element', id: '4711' },
    ],
    details: [
      { name: 'Class', text: 'RhinoInside.Revit.GH.Types.Wall', colour: undefined },
      { name: 'name', text: 'Basic Wall', colour: undefined },
    ],
  })
})

test('[WEB-94] given a material, when it is described, then it has a swatch of its diffuse colour, and all of its colours', () => {
  const { colour, details } = describeValue({
    type: 'unknown',
    value: {
      description: 'Material',
      kind: 'material',
      properties: { diffuse: '#ff8000ff', emission: '#000000ff', transparency: 0.5 },
    },
  })
  assert.equal(colour, '#ff8000ff')
  assert.deepEqual(details, [
    { name: 'diffuse', text: '#ff8000ff', colour: '#ff8000ff' },
    { name: 'emission', text: '#000000ff', colour: '#000000ff' },
    { name: 'transparency', text: '0.5', colour: undefined },
  ])
})
