import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { DataValue } from '@meadow/contract'
import { COLUMNS, DEFAULT_COLUMNS, rowsOf, type TableDocument, toCsv } from '@meadow/tables'
import { whyNoPython } from './testing/python.ts'

const plane = { origin: [1, 2, 3], xAxis: [1, 0, 0], yAxis: [0, 1, 0] }
const domain = { start: 0, end: 'Infinity' }
const summary = { description: 'Closed, é', boundingBox: [[0, 0, 0] as const, [1, 1, 1] as const] }

/** A value of every type, and the numbers that JSON lacks. */
const VALUES = [
  null,
  { type: 'boolean', value: true },
  { type: 'integer', value: -3 },
  { type: 'number', value: 0.1 },
  { type: 'number', value: 'NaN' },
  { type: 'number', value: '-Infinity' },
  { type: 'string', value: '' },
  { type: 'string', value: 'NaN' },
  { type: 'colour', value: '#ff000080' },
  { type: 'domain', value: domain },
  { type: 'vector', value: [0, 'NaN', 1] },
  { type: 'plane', value: plane },
  { type: 'point', value: [1.5, 0, -2] },
  { type: 'line', value: { from: [0, 0, 0], to: [1, 0, 0] } },
  {
    type: 'polyline',
    value: [
      [0, 0, 0],
      [1, 0, 0],
    ],
  },
  { type: 'circle', value: { plane, radius: 2 } },
  { type: 'arc', value: { plane, radius: 2, startAngle: 0, endAngle: 1 } },
  { type: 'rectangle', value: { plane, x: domain, y: domain } },
  { type: 'box', value: { plane, x: domain, y: domain, z: domain } },
  { type: 'curve', value: summary },
  { type: 'surface', value: summary },
  { type: 'brep', value: { ...summary, boundingBox: null } },
  { type: 'mesh', value: summary },
  { type: 'path', value: '{0;1}' },
  { type: 'unknown', value: { description: 'Wall', kind: 'revit', properties: { height: 3 } } },
] as (DataValue | null)[]

const tree = {
  branches: [
    { path: '{0;0}', values: VALUES },
    { path: '{0;1}', values: [] },
  ],
}
const solution = {
  data: { solutionId: 'sol', named: { p: tree, q: tree }, unknown: { p: tree } },
  solvedAt: '2026-11-20T09:30:00.000Z',
}
const document: TableDocument = {
  id: 'doc',
  name: 'Tower',
  nodes: {
    named: {
      name: 'Series',
      nickName: '',
      ports: { p: { name: 'Series', nickName: 'S' }, q: { name: '', nickName: 'T' } },
    },
  },
}

const PROGRAM = `
import json, math, sys
sys.stdin.reconfigure(encoding="utf-8")
sys.path.insert(0, sys.argv[1])
from meadow import COLUMNS, rows_of, to_csv

def plain(cell):
    if isinstance(cell, float) and not math.isfinite(cell):
        return {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}[str(cell)]
    return cell

given = json.load(sys.stdin)
rows = [[plain(cell) for cell in row.values()] for row in rows_of(given["solution"], given["document"])]
csv = to_csv(given["solution"], given["document"])
json.dump({"columns": list(COLUMNS.items()), "rows": rows, "csv": csv}, sys.stdout)
`

const SOURCES = fileURLToPath(new URL('src', import.meta.url))
const skip = whyNoPython()

/** Numbers around which texts of numbers change their form, and random ones of any size. */
function listNumbers(): number[] {
  const edges = [
    42,
    0.5,
    1e21,
    1e20,
    123456789012345680000,
    1e-6,
    1e-7,
    1.5e-7,
    0.00001,
    1e16,
    1e17,
    5e-324,
    2 ** 53,
  ]
  const bits = new DataView(new ArrayBuffer(8))
  const random = Array.from({ length: 500 }, (_, index) => {
    bits.setUint32(0, Math.imul(index + 1, 2654435761))
    bits.setUint32(4, Math.imul(index + 1, 40503))
    return bits.getFloat64(0)
  })
  const all = [...edges, Number.MAX_VALUE, ...random.filter(Number.isFinite)]
  return [
    ...all,
    ...all.map((number) => -number),
    ...all.map((number) => Math.fround(number) / 3).filter(Number.isFinite),
  ]
}

const TEXTS = [
  '=1+1',
  '+5',
  '-1e3',
  '-a',
  '@x',
  ' x',
  'x ',
  '\ufeffx',
  '\u0085',
  '\u001c',
  'a"b',
  'a,b',
  'a\nb',
  '\t',
  'é😀',
]

test('[PY-15] given numbers and texts of every form, when Python writes them as CSV, then the text is that of the command', {
  skip,
}, () => {
  const values = [
    ...VALUES,
    ...listNumbers().map((value) => ({ type: 'number', value })),
    ...listNumbers().map((value) => ({ type: 'domain', value: { start: value, end: -value } })),
    ...TEXTS.map((value) => ({ type: 'string', value })),
    ...TEXTS.map((text) => ({
      type: 'curve',
      value: { description: `${text}\u2028\u0007\\`, boundingBox: null },
    })),
  ] as DataValue[]
  const given = { data: { solutionId: 'sol', named: { p: { branches: [{ path: '{0}', values }] } } } }
  const { status, stdout, stderr } = spawnSync('python3', ['-c', PROGRAM, SOURCES], {
    input: JSON.stringify({ solution: given, document }),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  assert.equal(status, 0, stderr)
  const lines: string[] = (JSON.parse(stdout) as { csv: string }).csv.split('\r\n')
  const expected = toCsv({ solution: { ...given, solvedAt: solution.solvedAt }, document }).split('\r\n')
  assert.ok(expected.length > 2000)
  assert.deepEqual(lines, expected)
})

test('[PY-15] given a value of every type, when its row is read in Python and in TypeScript, then both are the same', {
  skip,
}, () => {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', PROGRAM, SOURCES], {
    input: JSON.stringify({ solution, document }),
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  const { columns, rows } = JSON.parse(stdout) as { columns: [string, string][]; rows: unknown[][] }
  assert.deepEqual(
    columns.map(([name]) => name),
    DEFAULT_COLUMNS,
  )
  for (const [name, description] of columns)
    assert.equal(description.replaceAll('None', 'null'), COLUMNS[name as keyof typeof COLUMNS].description)
  const expected = [...rowsOf({ solution, document })].map((row) =>
    Object.values(row).map((cell) =>
      typeof cell === 'number' && !Number.isFinite(cell) ? String(cell) : cell,
    ),
  )
  assert.equal(rows.length, 3 * VALUES.length)
  assert.deepEqual(rows, expected)
})
