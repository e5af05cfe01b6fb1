import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GraphContent, Node } from '@meadow/contract'
import { type InputValue, type PlayerInput, readPlayerInputs } from '@meadow/document'
import { createNode } from '@meadow/document/live'
import fc from 'fast-check'
import { listPlayerPorts } from '../document/graph/editing/player-ports.ts'
import { KINDS } from '../testing/kinds.ts'
import { formatState, readState } from './address-state.ts'
import { applyInputs, fitValue } from './player-inputs.ts'

const place = { position: { x: 0, y: 0 } }
const slider = (nickName: string, state: object): Node => {
  const node = createNode(KINDS.slider, { ...place, nickName })
  return { ...node, state: { ...node.state, kind: 'slider', minimum: 0, maximum: 10, ...state } }
}
const NODES = [
  slider('Storey height', { decimals: 1, interval: 'real' }),
  slider('Floors', { decimals: 0, interval: 'integer', maximum: 80 }),
  slider('Floors', { decimals: 0, interval: 'even', maximum: 80 }),
  createNode(KINDS.toggle, { ...place, nickName: 'Roof?' }),
  createNode(KINDS.valueList, { ...place, nickName: 'Système & façade' }),
  createNode(KINDS.panel, { ...place, nickName: 'Notes' }),
]
const CONTENT: GraphContent = {
  nodes: Object.fromEntries(NODES.map((node) => [node.instanceId, node])),
  groups: [],
  configuration: {
    inputs: NODES.map(({ instanceId }) => ({ nodeInstanceId: instanceId, portInstanceId: instanceId })),
    outputs: [],
  },
}
const INPUTS = readPlayerInputs(CONTENT, listPlayerPorts(CONTENT).inputs)
const [height, floors, , roof, system, remarks] = INPUTS as PlayerInput[]

const valuesOf = ({ field }: PlayerInput): fc.Arbitrary<InputValue> =>
  field.kind === 'toggle'
    ? fc.boolean()
    : field.kind === 'choice'
      ? fc.nat(3).map((index) => [index])
      : field.kind === 'text'
        ? fc.string({ unit: 'grapheme', maxLength: 50 })
        : fc.double({ noNaN: true, noDefaultInfinity: true })

test('[WEB-162] given any values, when they are written into an address and read again, then they are the same, and the document has exactly these', () =>
  fc.assert(
    fc.property(fc.tuple(...INPUTS.map(valuesOf)), (given) => {
      const values = new Map(INPUTS.map((input, index) => [input, fitValue(input.field, given[index]!)!]))
      const query = formatState(INPUTS, values)
      const read = readState(INPUTS, query)
      assert.deepEqual(read.notes, [])
      for (const input of INPUTS)
        assert.deepEqual(read.values.get(input) ?? input.value, values.get(input), `${input.label}: ${query}`)
      const changed = readPlayerInputs(
        applyInputs(CONTENT, INPUTS, read.values),
        CONTENT.configuration.inputs,
      )
      assert.deepEqual(
        changed.map(({ value }) => value),
        INPUTS.map((input) => values.get(input)),
      )
    }),
  ))

test('[WEB-162] given an address, then names are short and readable, only what differs is in it, and it outlives a new name', () => {
  const query = formatState(
    INPUTS,
    new Map<PlayerInput, InputValue>([
      [height!, 3.5],
      [roof!, roof!.value],
    ]),
  )
  const id = height!.port.nodeInstanceId.replaceAll('-', '').slice(0, 4)
  assert.equal(query, `Storey-height.${id}=3.5`)
  assert.equal(readState(INPUTS, `Renamed.${id}=3.5`).values.get(height!), 3.5)
  assert.equal(readState(INPUTS, 'storey-HEIGHT=3.5').values.get(height!), 3.5)
})

test('[WEB-163] given wrong names and values, then they are left out or put right, and each is said', () => {
  const { values, notes } = readState(
    INPUTS,
    `Nothing=1&Floors=3&Storey-height=99&Roof=perhaps&Notes=${'x'.repeat(3000)}&Système-façade=Nine`,
  )
  assert.deepEqual([values.get(height!), values.get(roof!), values.get(floors!)], [10, undefined, undefined])
  assert.equal(String(values.get(remarks!)).length, 2000)
  assert.equal(values.has(system!), false)
  assert.deepEqual(notes.map((note) => note.slice(0, 12)).sort(), [
    '“Floors” is ',
    '“Notes” was ',
    '“Nothing” is',
    '“Roof?” cann',
    '“Storey heig',
    '“Système & f',
  ])
})
