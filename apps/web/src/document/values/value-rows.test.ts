import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DataValue } from '@meadow/contract'
import { writeCsv } from '@meadow/tables'
import { CSV_COLUMNS, createRows, listColumns, listCsvRows, orderRows, readFilter } from './value-rows.ts'

const number = (value: number | 'NaN'): DataValue => ({ type: 'number', value })
const text = (value: string): DataValue => ({ type: 'string', value })

const rowsOf = (branches: Record<string, (DataValue | null)[]>) => {
  const list = Object.entries(branches).map(([path, values]) => ({ path, values }))
  return createRows({ branches: list, loaded: list.reduce((sum, { values }) => sum + values.length, 0) })
}

const names = (rows: ReturnType<typeof rowsOf>) => listColumns(rows).map(({ name }) => name)

test('[WEB-224] given values of each kind, when they are rows, then numbers have all digits, points three columns, geometry kind and size, and a null is one', () => {
  const numbers = rowsOf({ '{0}': [number(0.1 + 0.2), null], '{1}': [], '{2}': [number('NaN')] })
  const columns = listColumns(numbers)
  assert.deepEqual(
    [0, 1, 2].map((row) => columns.map(({ text }) => text(row))),
    [
      ['{0}', '0', '0.30000000000000004'],
      ['{0}', '1', null],
      ['{2}', '0', 'NaN'],
    ],
  )
  assert.deepEqual(
    columns.map(({ name, isNumeric }) => [name, isNumeric]),
    [
      ['Path', false],
      ['Index', true],
      ['Value', true],
    ],
  )
  assert.deepEqual(names(rowsOf({ '{0}': [{ type: 'point', value: [1, 2, 3] }] })), [
    'Path',
    'Index',
    'X',
    'Y',
    'Z',
  ])
  const brep: DataValue = {
    type: 'brep',
    value: {
      description: 'Closed brep with 6 faces',
      boundingBox: [
        [0, 0, 0],
        [1, 2, 3.5],
      ],
    },
  }
  const shapes = rowsOf({ '{0}': [brep, text('')] })
  assert.deepEqual(names(shapes), ['Path', 'Index', 'Kind', 'Value', 'Size (x × y × z)'])
  assert.deepEqual(
    listColumns(shapes).map(({ text }) => [text(0), text(1)]),
    [
      ['{0}', '{0}'],
      ['0', '1'],
      ['brep', 'string'],
      ['Closed brep with 6 faces', ''],
      ['1 × 2 × 3.5', null],
    ],
  )
})

test('[WEB-225] given rows, when they are sorted, then numbers by size, texts as people do, nulls last', () => {
  const rows = rowsOf({ '{0}': [number(10), null, number(-2), number('NaN'), number(9)] })
  const sort = (isDescending: boolean) => [
    ...orderRows(rows, listColumns(rows), () => true, { column: 'Value', isDescending }),
  ]
  assert.deepEqual(sort(false), [2, 4, 0, 3, 1])
  assert.deepEqual(sort(true), [3, 0, 4, 2, 1])
  const texts = rowsOf({ '{0;10}': [text('a10'), text('a9')], '{0;9}': [text('A1')] })
  const by = (column: string) => [
    ...orderRows(texts, listColumns(texts), () => true, { column, isDescending: false }),
  ]
  assert.deepEqual(by('Value'), [2, 1, 0])
  assert.deepEqual(by('Path'), [2, 0, 1])
})

test('[WEB-225] given what is typed, when rows are filtered, then by text, comparison, range, path or null', () => {
  const rows = rowsOf({ '{0;1}': [number(5), number(6.5), null], '{0;12}': [text('Wall > 5'), number(-1)] })
  const filter = (typed: string) => {
    const keeps = readFilter(typed, rows)
    return [0, 1, 2, 3, 4].filter(keeps)
  }
  assert.deepEqual(filter(''), [0, 1, 2, 3, 4])
  assert.deepEqual(filter('> 5'), [1])
  assert.deepEqual(filter('>=5'), [0, 1])
  assert.deepEqual(filter('!= 5'), [1, 4])
  assert.deepEqual(filter('< 0'), [4])
  assert.deepEqual(filter('-1..5'), [0, 4])
  assert.deepEqual(filter('{0;1}'), [0, 1, 2])
  assert.deepEqual(filter('{0;1'), [0, 1, 2, 3, 4])
  assert.deepEqual(filter('{0;1*}'), [0, 1, 2, 3, 4])
  assert.deepEqual(filter('null'), [2])
  assert.deepEqual(filter('wall'), [3])
  assert.deepEqual(filter('6.5'), [1])
})

test('[WEB-226] given rows, when they are CSV, then by the rules of tables, with path and index as they were', () => {
  const rows = rowsOf({
    '{0}': [number(1), text('=1+1')],
    '{1}': [null, { type: 'point', value: [1, 2, 3] }],
  })
  const lines = [...writeCsv(CSV_COLUMNS, listCsvRows(rows, [3, 1, 2]))].join('').split('\r\n')
  assert.deepEqual(lines, [
    'path,index,type,number,text,x,y,z,json,min_x,min_y,min_z,max_x,max_y,max_z',
    '{1},1,point,,,1,2,3,,1,2,3,1,2,3',
    "{0},1,string,,'=1+1,,,,,,,,,,",
    '{1},0,,,,,,,,,,,,,',
    '',
  ])
})
