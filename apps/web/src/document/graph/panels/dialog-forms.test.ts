import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addNodes, createNode, createUndoManager, readLiveDocument } from '@meadow/document/live'
import fc from 'fast-check'
import { Doc } from 'yjs'
import {
  formatItems,
  readItems,
  readSlider,
  type SliderForm,
  saveSlider,
  validateSlider,
} from './dialog-forms.ts'

const SLIDER = '57da07bd-ecab-415d-9d86-af36d7073abc'
const ORIGIN = Symbol('me')

const forms: fc.Arbitrary<SliderForm> = fc.record({
  name: fc.string(),
  minimum: fc.integer({ min: -20, max: 20 }),
  maximum: fc.integer({ min: -20, max: 20 }),
  value: fc.double({ min: -50, max: 50, noNaN: true }),
  decimals: fc.integer({ min: 0, max: 6 }),
  interval: fc.constantFrom('real', 'integer', 'odd', 'even'),
})

test('given any range and steps, when a slider is saved, then its value is valid, and one undo reverts it', () => {
  fc.assert(
    fc.property(forms, (form) => {
      fc.pre(validateSlider(form) === undefined)
      const doc = new Doc()
      const node = createNode(SLIDER, { position: { x: 0, y: 0 } })
      addNodes(doc, [node])
      const before = JSON.stringify(readLiveDocument(doc))
      const undo = createUndoManager(doc, ORIGIN)
      saveSlider(doc, node, form, ORIGIN)
      const saved = readLiveDocument(doc).nodes[node.instanceId]!
      const value = Number(saved.values[node.instanceId]!.branches[0]!.values[0]!.value)
      assert.ok(value >= form.minimum && value <= form.maximum)
      if (form.interval === 'integer') assert.ok(Number.isInteger(value))
      if (form.interval === 'even') assert.equal(Math.abs(value % 2), 0)
      if (form.interval === 'odd') assert.equal(Math.abs(value % 2), 1)
      undo.undo()
      assert.equal(JSON.stringify(readLiveDocument(doc)), before)
    }),
  )
})

test('given a range without a valid value, when a slider is validated, then there is an error message', () => {
  const form = { name: '', minimum: 0, maximum: 1, value: 0, decimals: 0, interval: 'real' as const }
  assert.equal(validateSlider(form), undefined)
  assert.match(validateSlider({ ...form, maximum: 0 })!, /highest/)
  assert.match(validateSlider({ ...form, value: Number.NaN })!, /numbers/)
  assert.match(validateSlider({ ...form, minimum: 0.2, maximum: 0.8, interval: 'integer' })!, /no such/)
})

test('[WEB-377] given numbers as people type and paste them, when a slider is read, then none becomes another number', () => {
  const read = (value: string) =>
    readSlider({ name: '', minimum: '-1e-5', value, maximum: '1,5', decimals: 0, interval: 'real' })
  const { minimum, maximum } = read('0')
  assert.deepEqual([minimum, maximum], [-0.00001, 1.5])
  const typed = [
    '1e-5',
    '1.5e3',
    '\u22125',
    ' .5 ',
    '1,000.5',
    '1 000',
    '5mm',
    '1/2',
    '1e400',
    'Infinity',
    ' ',
  ]
  const numbers = [0.00001, 1500, -5, 0.5, ...Array(7).fill(Number.NaN)]
  assert.deepEqual(
    typed.map((value) => read(value).value),
    numbers,
  )
})

test('given items of a value list, when they are formatted and read, then they are the same', () => {
  const items = [
    { name: 'One', expression: '1', isSelected: false },
    { name: 'Equal', expression: '"a = b"', isSelected: true },
  ]
  assert.deepEqual(readItems(formatItems(items), items), items)
})

test('given typed text, when items are read, then empty lines are skipped and a lone word is name and expression', () => {
  assert.deepEqual(readItems(' a=1 \r\n\n b \n= 3', []), [
    { name: 'a', expression: '1', isSelected: false },
    { name: 'b', expression: 'b', isSelected: false },
    { name: '3', expression: '3', isSelected: false },
  ])
})
