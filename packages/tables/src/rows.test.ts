import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Document, type Solution, treesOf } from '@meadow/client'
import { COLUMNS, DEFAULT_COLUMNS, type Row, rowsOf, type TableSource, toCsv } from './index.ts'
import { createSolution, createSource, DOCUMENT, EACH_TYPE, SOLVED_AT } from './testing/example-source.ts'

const number = (value: number) => ({ type: 'number' as const, value })

test('[TAB-1] given nodes, ports and branches, when they are rows, then each value is one, in their order', () => {
  const solution = createSolution({
    n2: { p2: { '{0;0}': [number(1), null], '{0;1}': [], '{0;2}': [number(2)] } },
    n1: { n1: { '{0}': [number(3)] } },
  })
  const rows = [
    ...rowsOf({ solution }, { columns: ['node_id', 'port_id', 'path', 'index', 'type', 'number'] }),
  ]
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      ['n2', 'p2', '{0;0}', 0, 'number', 1],
      ['n2', 'p2', '{0;0}', 1, null, null],
      ['n2', 'p2', '{0;2}', 0, 'number', 2],
      ['n1', 'n1', '{0}', 0, 'number', 3],
    ],
  )
})

test('[TAB-2] given ids that every object has as members, when they are rows, then these are no names', () => {
  const port = { constructor: { '{0}': [number(1)] } }
  const solution = createSolution({ constructor: port })
  const data = { ...solution.data, ...JSON.parse('{"__proto__":{"toString":{"branches":[]}}}') }
  const rows = rowsOf(
    { solution: { ...solution, data }, document: DOCUMENT },
    { columns: ['node', 'component', 'port'] },
  )
  assert.deepEqual([...rows], [{ node: null, component: null, port: null }])
})

test('[TAB-2] given a document, when its solution is rows, then they have the names of the canvas', () => {
  const solution = createSolution({
    n1: { n1: { '{0}': [number(1)] } },
    n2: { p2: { '{0}': [number(2)] } },
    gone: { p3: { '{0}': [number(3)] } },
  })
  const named = ['node', 'component', 'port', 'port_name']
  const columns = ['document_id', 'document', 'solution_id', 'solved_at', ...named]
  const time = Date.parse(SOLVED_AT)
  assert.deepEqual(
    [...rowsOf({ solution, document: DOCUMENT }, { columns })].map((row) => Object.values(row)),
    [
      ['doc_1', 'Tower, "north"', 'sol_1', time, 'Height', 'Number Slider', 'Height', ''],
      ['doc_1', 'Tower, "north"', 'sol_1', time, 'Panel', 'Panel', 'O', 'Output'],
      ['doc_1', 'Tower, "north"', 'sol_1', time, null, null, null, null],
    ],
  )
  const [nameless] = rowsOf({ solution }, { columns })
  assert.deepEqual(Object.values(nameless!), [null, null, 'sol_1', time, null, null, null, null])
  const trees = treesOf(solution as unknown as Solution, DOCUMENT as unknown as Document)
  assert.deepEqual(
    trees.map(({ node = null, component = null, port = null, portName = null }) => [
      ...[node, component, port, portName],
    ]),
    [...rowsOf({ solution, document: DOCUMENT }, { columns: named })].map((row) => Object.values(row)),
    'as the SDK names them',
  )
})

test('[TAB-3] given a value of each type, when it is a row, then it can be rebuilt from its columns', () => {
  const rows = [...rowsOf(createSource(EACH_TYPE))]
  assert.deepEqual(rows.map(rebuild), EACH_TYPE.map(toNumbers))
})

/** The value of a row, by the rules of README.md. */
function rebuild({ type, number, text, x, y, z, json }: Row) {
  if (type === null) return null
  if (json !== null) return { type, value: JSON.parse(String(json)) }
  if (type === 'boolean') return { type, value: number === 1 }
  if (type === 'point' || type === 'vector') return { type, value: [x, y, z] }
  return { type, value: number ?? text }
}

/** A value with its numbers as numbers. */
function toNumbers(value: (typeof EACH_TYPE)[number]): unknown {
  if (value?.type === 'number') return { ...value, value: Number(value.value) }
  return value?.type === 'vector' || value?.type === 'point'
    ? { ...value, value: value.value.map(Number) }
    : value
}

test('[TAB-4] given geometry, when its bounds are asked for, then they are the smallest and largest corner', () => {
  const columns = ['type', 'min_x', 'min_y', 'min_z', 'max_x', 'max_y', 'max_z']
  const bounds = [...rowsOf(createSource(EACH_TYPE), { columns })].map((row) => Object.values(row))
  const known = bounds.filter(([, ...corners]) => corners.some((corner) => corner !== null))
  assert.deepEqual(known, [
    ['point', 1.5, -2, 3, 1.5, -2, 3],
    ['line', 0, -1, 0, 1, 5, 2],
    ['polyline', 0, -3, 0, 4, 1, 9],
    ['curve', -1, -2, -3, 1, 2, 3],
    ['brep', -1, -2, -3, 1, 2, 3],
    ['mesh', -1, -2, -3, 1, 2, 3],
  ])
})

test('[TAB-5] given names of columns, when a table is made, then it has these in their order', () => {
  const source = createSource([number(1)])
  assert.deepEqual(Object.keys([...rowsOf(source)][0]!), DEFAULT_COLUMNS)
  assert.equal(toCsv(source, { columns: ['number', 'node', 'number'] }), 'number,node\r\n1,Height\r\n')
  const all = Object.keys(COLUMNS).join(', ')
  assert.throws(() => [...rowsOf(source, { columns: ['number', 'size'] })], {
    name: 'RangeError',
    message: `There is no column "size". The columns are ${all}.`,
  })
  assert.throws(() => toCsv(source, { columns: [] }), { message: 'A table needs at least one column.' })
})

test('[TAB-6] given a choice of ports, when a table is made, then the others have no rows', () => {
  const solution = createSolution({
    n1: { n1: { '{0}': [number(1)] } },
    n2: { p2: { '{0}': [number(2)] }, p3: { '{0}': [number(3)] } },
  })
  const source = { solution, document: DOCUMENT }
  const chosen = rowsOf(source, { where: ({ node, portId }) => node === 'Panel' && portId !== 'p3' })
  assert.deepEqual(
    [...chosen].map((row) => row.number),
    [2],
  )
})

test('[TAB-8] given an error of the API instead of a solution, when a table is made, then it says what to pass', () => {
  const sentence = { error: 'This document has not been solved yet.' }
  assert.throws(() => toCsv({ solution: sentence } as unknown as TableSource), {
    name: 'TypeError',
    message: /That is not a solution.*GET \/documents\/\{documentId\}\/solution/,
  })
})
