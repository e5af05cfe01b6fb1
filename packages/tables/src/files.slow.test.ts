import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { load, withoutCheck } from '../../../checks/load.ts'
import {
  openArrow,
  openCsv,
  openParquet,
  rowsOf,
  type TableWriter,
  toArrow,
  toCsv,
  toParquet,
  writeCsv,
} from './index.ts'
import { createSolution, createSource, DOCUMENT, EACH_TYPE } from './testing/example-source.ts'
import { queryFile } from './testing/query-file.ts'

const noDuckDb = withoutCheck('@duckdb/node-api')

const string = (value: string) => ({ type: 'string' as const, value })
const ALL = {
  columns: ['document', 'solved_at', 'node', 'path', 'index', 'type', 'number', 'text', 'x', 'json', 'min_x'],
}
const eachType = createSource(EACH_TYPE)

/** The rows of a source, with times as `Date`s. */
const expected = (source: typeof eachType) =>
  [...rowsOf(source, ALL)].map((row) => ({ ...row, solved_at: new Date(row.solved_at!) }))

test('[TAB-9] given any texts, when DuckDB reads their CSV, then they are what they were', {
  skip: noDuckDb,
}, async () => {
  const texts = fc.sample(fc.string({ unit: 'grapheme', maxLength: 20 }), 300)
  const special = [
    '',
    ' padded ',
    '"',
    '""',
    'a,b',
    'a;b',
    'a\tb',
    'line\nbreak',
    'a\r\nb',
    '\r',
    'ü 北区 🌿',
  ]
  // DuckDB, like C, ends a text at a zero.
  const source = createSource([...special, ...texts].map((text) => string(text.replaceAll('\0', ''))))
  for (const delimiter of [',', ';', '\t'] as const) {
    const csv = toCsv(source, { columns: ['index', 'text', 'number'], delimiter, escapeFormulas: false })
    const rows = await queryFile(
      'texts.csv',
      csv,
      `SELECT * FROM read_csv(FILE, delim='${delimiter}', quote='"', escape='"', header=true, all_varchar=true, allow_quoted_nulls=false)`,
    )
    assert.deepEqual(
      rows.map(({ text }) => text),
      [...rowsOf(source)].map(({ text }) => text),
    )
    assert.deepEqual(new Set(rows.map(({ number }) => number)), new Set([null]))
  }
})

test('[TAB-9] given a row, when it is CSV, then its line ends in CR LF and its cells are as in RFC 4180', () => {
  assert.equal(
    toCsv(createSource([string('a "b"'), string(''), null, { type: 'number', value: 'NaN' }]), {
      columns: ['index', 'number', 'text', 'solved_at'],
    }),
    [
      'index,number,text,solved_at',
      '0,,"a ""b""",2026-11-20T09:30:00.123Z',
      '1,,"",2026-11-20T09:30:00.123Z',
      '2,,,2026-11-20T09:30:00.123Z',
      '3,NaN,,2026-11-20T09:30:00.123Z',
      '',
    ].join('\r\n'),
  )
})

test('[TAB-10] given texts that a spreadsheet would calculate, when they are CSV, then it shows them instead', () => {
  const formulas = ['=1+1', '+cmd', '-cmd', '@SUM(A1)', '\t=1', '-1+1', '- note']
  const harmless = ['-5.3', '+4', '-1e-7', '.5', 'a=b', "'quoted", '2-1']
  const source = createSource([...formulas, ...harmless].map(string))
  const escaped = toCsv(source, { columns: ['text'], header: false }).split('\r\n')
  assert.deepEqual(escaped.slice(0, -1), [...formulas.map((text) => `'${text}`), ...harmless])
  const negative = createSource([{ type: 'number', value: -5.3 }])
  assert.equal(toCsv(negative, { columns: ['number'], header: false }), '-5.3\r\n')
  const kept = toCsv(source, { columns: ['text'], header: false, escapeFormulas: false })
  assert.equal(kept.split('\r\n')[0], '=1+1')
})

test('[TAB-14] given rows of no solution, when they are CSV, then they follow the same rules, in pieces', () => {
  const columns = [
    { name: '=day', type: 'text' },
    { name: 'credits', type: 'number' },
  ] as const
  const rows = [
    ['=1+1', 0.1],
    ['a,"b"', null],
    [null, -5],
    ['', 1e21],
  ] as const
  assert.deepEqual([...writeCsv(columns, rows)].join('').split('\r\n'), [
    "'=day,credits",
    "'=1+1,0.1",
    '"a,""b""",',
    ',-5',
    '"",1e+21',
    '',
  ])
  const tabs = { delimiter: '\t', header: false, escapeFormulas: false } as const
  assert.equal([...writeCsv(columns, [['=1', 2]], tabs)].join(''), '=1\t2\r\n')
  const many = [
    ...writeCsv(
      columns,
      Array.from({ length: 20_000 }, (_, i) => [`row ${i}`, i]),
    ),
  ]
  assert.ok(many.length > 1)
  assert.equal(many.join('').split('\r\n').length, 20_002)
})

test('[TAB-11] given options, when CSV is written, then delimiter, byte order mark and header are as asked for', () => {
  const source = createSource([string('a;b')])
  const columns = ['index', 'text']
  assert.equal(
    toCsv(source, { columns, delimiter: ';', byteOrderMark: true }),
    '\uFEFFindex;text\r\n0;"a;b"\r\n',
  )
  assert.equal(toCsv(source, { columns, header: false }), '0,a;b\r\n')
  assert.equal(toCsv(createSource([]), { columns }), 'index,text\r\n')
})

test('[TAB-12] given each type of value, when hyparquet reads its Parquet, then the rows are the same', async () => {
  const bytes = toParquet(eachType, ALL)
  assert.deepEqual(await parquetReadObjects({ file: bytes.buffer }), expected(eachType))
  const { schema } = parquetMetadata(bytes.buffer)
  const typeOf = (name: string) => schema.find((column) => column.name === name)?.type
  assert.deepEqual(['solved_at', 'index', 'number', 'text'].map(typeOf), [
    'INT64',
    'INT32',
    'DOUBLE',
    'BYTE_ARRAY',
  ])
  assert.deepEqual(await parquetReadObjects({ file: toParquet(createSource([])).buffer }), [])
})

test('[TAB-12] given each type of value, when DuckDB reads its Parquet, then rows and types are the same', {
  skip: noDuckDb,
}, async () => {
  const bytes = toParquet(eachType, ALL)
  assert.deepEqual(await queryFile('rows.parquet', bytes, 'SELECT * FROM FILE'), expected(eachType))
  const types = await queryFile('rows.parquet', bytes, 'DESCRIBE SELECT * FROM FILE')
  assert.deepEqual(
    Object.fromEntries(types.map(({ column_name, column_type }) => [column_name, column_type])),
    {
      ...Object.fromEntries(ALL.columns.map((name) => [name, 'VARCHAR'])),
      ...{
        solved_at: 'TIMESTAMP WITH TIME ZONE',
        index: 'INTEGER',
        number: 'DOUBLE',
        x: 'DOUBLE',
        min_x: 'DOUBLE',
      },
    },
  )
  const empty = await queryFile(
    'rows.parquet',
    toParquet(createSource([])),
    'SELECT count(*)::INTEGER n FROM FILE',
  )
  assert.deepEqual(empty, [{ n: 0 }])
})

test('[TAB-13] given each type of value, when apache-arrow reads it, then rows and types are the same', {
  skip: withoutCheck('apache-arrow'),
}, async () => {
  const { tableFromIPC } = await load('apache-arrow')
  for (const format of ['file', 'stream'] as const) {
    const table = tableFromIPC(toArrow(eachType, { ...ALL, format }))
    assert.deepEqual(readRows(table), expected(eachType))
    assert.deepEqual(
      Object.fromEntries(
        table.schema.fields.map(({ name, type }: { name: string; type: unknown }) => [name, String(type)]),
      ),
      {
        ...Object.fromEntries(ALL.columns.map((name) => [name, 'Dictionary<Int32, Utf8>'])),
        ...{ text: 'Utf8', json: 'Utf8' },
        ...{
          solved_at: 'Timestamp<MILLISECOND, UTC>',
          index: 'Int32',
          number: 'Float64',
          x: 'Float64',
          min_x: 'Float64',
        },
      },
    )
    assert.equal(tableFromIPC(toArrow(createSource([]), { format })).numRows, 0)
  }
})

/** The rows of a table of apache-arrow. */
function readRows(table: { toArray(): { toJSON(): { solved_at: number } }[] }) {
  return table.toArray().map((row) => {
    const { solved_at, ...cells } = row.toJSON()
    return { ...cells, solved_at: new Date(solved_at) }
  })
}

test('[TAB-7] given several documents, when they are written one after another, then their pieces are one table', async () => {
  const numbers = (count: number) =>
    Array.from({ length: count }, (_, value) => ({ type: 'integer' as const, value }))
  const second = {
    solution: createSolution({ n2: { p2: { '{0}': numbers(80_000), '{1}': numbers(30_000) } } }),
    document: DOCUMENT,
  }
  const sources = [createSource(numbers(3)), second, createSource(numbers(2))]
  const columns = ['node', 'path', 'index', 'number']
  const whole = {
    csv: toCsv(sources, { columns }),
    parquet: toParquet(sources, { columns }),
    arrow: toArrow(sources, { columns }),
  }

  const csv = writePieces(openCsv({ columns }), sources)
  assert.deepEqual(csv.counts, [0, 2, 0, 1])
  assert.equal(csv.file.toString('utf8'), whole.csv)
  const parquet = writePieces(openParquet({ columns }), sources)
  assert.deepEqual(parquet.counts, [0, 2, 0, 2])
  assert.deepEqual(parquet.file, Buffer.from(whole.parquet))
  const rowGroups = parquetMetadata(whole.parquet.buffer).row_groups.map(({ num_rows }) => Number(num_rows))
  assert.deepEqual(rowGroups, [50_000, 50_000, 10_005])
  assert.deepEqual(writePieces(openArrow({ columns }), sources).file, Buffer.from(whole.arrow))

  if (noDuckDb || withoutCheck('apache-arrow')) return
  const query =
    'SELECT node, path, count(*)::INTEGER n, sum(number)::INTEGER total FROM FILE GROUP BY ALL ORDER BY n'
  const groups = [
    { node: 'Height', path: '{0}', n: 5, total: 4 },
    { node: 'Panel', path: '{1}', n: 30_000, total: 449_985_000 },
    { node: 'Panel', path: '{0}', n: 80_000, total: 3_199_960_000 },
  ]
  const big = query.replaceAll('INTEGER', 'DOUBLE')
  assert.deepEqual(await queryFile('all.parquet', whole.parquet, big), groups)
  assert.deepEqual(await queryFile('all.csv', whole.csv, big), groups)
  const { tableFromIPC } = await load('apache-arrow')
  assert.equal(tableFromIPC(whole.arrow).numRows, 110_005)
})

/** The file, and how many pieces each step has given. */
function writePieces(writer: TableWriter, sources: (typeof eachType)[]) {
  const steps = [...sources.map((source) => [...writer.write(source)]), [...writer.end()]]
  return {
    counts: steps.map(({ length }) => length),
    file: Buffer.concat(steps.flat()),
  }
}
