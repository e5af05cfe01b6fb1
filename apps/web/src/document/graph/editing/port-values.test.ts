import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataValue } from '@meadow/contract'
import { createDataTree } from '@meadow/document'
import { createNode } from '@meadow/document/live'
import { formatValues, mayTypeValues, readValues } from './port-values.ts'

const tree = (...values: DataValue[]) => createDataTree([{ path: [0], values }])

test('[WEB-39] given values of each type, when they are written and read, then they are the same', () => {
  const cases: [typeName: string, text: string, values: DataValue[]][] = [
    ['Number', '2.5\n-1e-7', [2.5, -1e-7].map((value) => ({ type: 'number', value }))],
    ['Integer', '3', [{ type: 'integer', value: 3 }]],
    ['Boolean', 'true\nfalse', [true, false].map((value) => ({ type: 'boolean', value }))],
    ['Text', ' a b', [{ type: 'string', value: ' a b' }]],
    ['Point', '1, 0, -2', [{ type: 'point', value: [1, 0, -2] }]],
    ['Vector', '0.5, 0, 1', [{ type: 'vector', value: [0.5, 0, 1] }]],
    ['Domain', '0 to 10', [{ type: 'domain', value: { start: 0, end: 10 } }]],
    ['Colour', '#ff800080', [{ type: 'colour', value: '#ff800080' }]],
    ['Data', '4', [{ type: 'number', value: 4 }]],
  ]
  for (const [typeName, text, values] of cases) {
    assert.deepEqual(readValues(typeName, text), { tree: tree(...values) })
    assert.equal(formatValues(tree(...values)), text)
  }
  assert.deepEqual(readValues('Point', '{1, 2}'), { tree: tree({ type: 'point', value: [1, 2, 0] }) })
  assert.deepEqual(readValues('Colour', '#FF8000'), { tree: tree({ type: 'colour', value: '#ff8000ff' }) })
  assert.deepEqual(readValues('Number', ' \n'), { tree: undefined })
})

test('[WEB-39] given a text that is not of the type, when it is read, then the message has the line', () => {
  for (const [typeName, text] of Object.entries({
    Number: '1\nabc',
    Integer: '1\n2.5',
    Point: '1',
    Domain: '0 to',
    Colour: 'red',
  })) {
    const line = text.split('\n').at(-1)
    assert.match((readValues(typeName, text) as { error: string }).error, new RegExp(`“${line}”`))
  }
})

test('[WEB-39] given an input, when it has a wire or values of another type, then its values cannot be typed', () => {
  const series = createNode('e64c5fb1-845c-4ab1-8911-5f338516ba67', { position: { x: 0, y: 0 } })
  const [start = ''] = Object.keys(series.inputs)
  assert.equal(mayTypeValues(series, start), true)
  assert.equal(mayTypeValues(series, Object.keys(series.outputs)[0]!), false)
  const wire = { nodeInstanceId: 'a', portInstanceId: 'b' }
  assert.equal(mayTypeValues({ ...series, sources: { [start]: [wire] } }, start), false)
  const plane = { origin: [0, 0, 0], xAxis: [1, 0, 0], yAxis: [0, 1, 0] } as never
  assert.equal(
    mayTypeValues({ ...series, values: { [start]: tree({ type: 'plane', value: plane }) } }, start),
    false,
  )
})
