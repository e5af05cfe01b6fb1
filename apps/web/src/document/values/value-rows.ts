import type { DataValue } from '@meadow/contract'
import { type Cell, COLUMNS, type Column, type ColumnName, type CsvColumn } from '@meadow/tables'
import { formatValue } from './format-value.ts'
import type { PortValues } from './port-values.ts'

/** The values of a port as rows, which have the numbers from 0 on, in the order of branches. */
export interface ValueRows {
  readonly count: number
  pathOf(row: number): string
  indexOf(row: number): number
  valueOf(row: number): DataValue | null
}

export function createRows({ branches, loaded }: Pick<PortValues, 'branches' | 'loaded'>): ValueRows {
  const branchOf = new Uint32Array(loaded)
  const indexOf = new Uint32Array(loaded)
  let row = 0
  for (const [number, { values }] of branches.entries()) {
    for (let index = 0; index < values.length; index++, row++) {
      branchOf[row] = number
      indexOf[row] = index
    }
  }
  return {
    count: loaded,
    pathOf: (row) => branches[branchOf[row]!]!.path,
    indexOf: (row) => indexOf[row]!,
    valueOf: (row) => branches[branchOf[row]!]!.values[indexOf[row]!] ?? null,
  }
}

/** A column of the table. Its texts are what is shown and copied. */
export interface ValueColumn {
  name: string
  isNumeric: boolean
  /** The key by which the column is sorted; null comes last. */
  sortKey: (row: number) => number | string | null
  /** The text of a cell; null if it has none. */
  text: (row: number) => string | null
}

/** Geometry that the 3D view shows. */
const GEOMETRY = new Set<DataValue['type']>([
  ...(['point', 'line', 'polyline', 'circle', 'arc', 'rectangle', 'box'] as const),
  ...(['curve', 'surface', 'brep', 'mesh'] as const),
])

export const isGeometry = (value: DataValue | null): boolean => value !== null && GEOMETRY.has(value.type)

/** Returns the number of a value, as `packages/tables` has it; null for a value that is not a number. */
const numberOf = (value: DataValue | null): number | null =>
  value?.type === 'number' || value?.type === 'integer' ? Number(value.value) : null

/** A value in full: numbers with every digit that the API gives. */
function writeValue(value: DataValue | null): string {
  if (value?.type === 'number' || value?.type === 'integer') return String(value.value)
  return formatValue(value)
}

/** The columns that these values need: points have x, y and z, geometry its kind and size. */
export function listColumns(rows: ValueRows): ValueColumn[] {
  const types = new Set<DataValue['type'] | undefined>()
  for (let row = 0; row < rows.count; row++) types.add(rows.valueOf(row)?.type)
  types.delete(undefined)
  const areXyz = types.size > 0 && types.isSubsetOf(new Set(['point', 'vector']))
  const hasKinds = types.size > 1 || [...types].some((type) => type !== undefined && !PLAIN.has(type))
  const hasSizes = [...types].some((type) => type !== undefined && SIZED.has(type))
  return [
    { name: 'Path', isNumeric: false, sortKey: rows.pathOf, text: rows.pathOf },
    { name: 'Index', isNumeric: true, sortKey: rows.indexOf, text: (row) => String(rows.indexOf(row)) },
    ...(hasKinds ? [toColumn('Kind', rows, (value) => value?.type ?? null)] : []),
    ...(areXyz
      ? ([0, 1, 2] as const).map((axis) => xyzColumn(axis, rows))
      : [
          {
            name: 'Value',
            isNumeric: types.size > 0 && types.isSubsetOf(new Set(['number', 'integer'])),
            sortKey: (row: number) => {
              const value = rows.valueOf(row)
              return value && (numberOf(value) ?? writeValue(value))
            },
            text: (row: number) => {
              const value = rows.valueOf(row)
              return value && writeValue(value)
            },
          },
        ]),
    ...(hasSizes ? [sizeColumn(rows)] : []),
  ]
}

/** Types whose text says what they are. */
const PLAIN = new Set<DataValue['type']>([
  'number',
  'integer',
  'string',
  'boolean',
  'point',
  'vector',
  'path',
  'colour',
])
const SIZED = new Set<DataValue['type']>(['line', 'polyline', 'curve', 'surface', 'brep', 'mesh'])

function toColumn(
  name: string,
  rows: ValueRows,
  read: (value: DataValue | null) => string | null,
): ValueColumn {
  const text = (row: number) => read(rows.valueOf(row))
  return { name, isNumeric: false, sortKey: text, text }
}

function xyzColumn(axis: 0 | 1 | 2, rows: ValueRows): ValueColumn {
  const read = (row: number) => {
    const value = rows.valueOf(row)
    return value?.type === 'point' || value?.type === 'vector' ? value.value[axis] : null
  }
  return {
    name: 'XYZ'[axis]!,
    isNumeric: true,
    sortKey: (row) => {
      const coordinate = read(row)
      return coordinate === null ? null : Number(coordinate)
    },
    text: (row) => {
      const coordinate = read(row)
      return coordinate === null ? null : String(coordinate)
    },
  }
}

const BOUNDS = ['min_x', 'min_y', 'min_z', 'max_x', 'max_y', 'max_z'] as const

/** The size of a bounding box, by its diagonal. */
function sizeColumn(rows: ValueRows): ValueColumn {
  const measure = (row: number): number[] | null => {
    const value = rows.valueOf(row)
    const bounds = BOUNDS.map((name) => readCell(name, value, 0))
    if (bounds.some((bound) => typeof bound !== 'number')) return null
    return [0, 1, 2].map((axis) => Number(bounds[axis + 3]) - Number(bounds[axis]))
  }
  return {
    name: 'Size (x × y × z)',
    isNumeric: true,
    sortKey: (row) => {
      const size = measure(row)
      return size && Math.hypot(...size)
    },
    text: (row) => {
      const size = measure(row)
      return size?.map((length) => Number(length.toPrecision(7))).join(' × ') ?? null
    },
  }
}

/** The cell of a value in a column of `packages/tables`. */
function readCell(name: ColumnName, value: DataValue | null, index: number): Cell {
  const { ofItem, ofType }: Column = COLUMNS[name]
  if (ofItem) return ofItem(value, index)
  const read = value && (ofType?.[value.type] as ((content: DataValue['value']) => Cell) | undefined)
  return read ? read(value.value) : null
}

const CSV_NAMES: readonly ColumnName[] = [
  ...(['path', 'index', 'type', 'number', 'text', 'x', 'y', 'z', 'json', ...BOUNDS] as const),
]

/** The columns of a CSV file of values: those of `packages/tables`, without those of the node. */
export const CSV_COLUMNS: readonly CsvColumn[] = CSV_NAMES.map((name) => ({ name, type: COLUMNS[name].type }))

export function* listCsvRows(rows: ValueRows, order: Iterable<number>): Generator<Cell[]> {
  for (const row of order) {
    const [value, index] = [rows.valueOf(row), rows.indexOf(row)]
    yield CSV_NAMES.map((name) => (name === 'path' ? rows.pathOf(row) : readCell(name, value, index)))
  }
}

export interface Sort {
  column: string
  isDescending: boolean
}

/** The rows that a filter keeps, in their order. Nulls come last in either direction, and equal rows keep theirs. */
export function orderRows(
  rows: ValueRows,
  columns: readonly ValueColumn[],
  filter: (row: number) => boolean,
  sort: Sort | undefined,
): Uint32Array {
  const kept = new Uint32Array(rows.count)
  let count = 0
  for (let row = 0; row < rows.count; row++) if (filter(row)) kept[count++] = row
  const order = kept.slice(0, count)
  const column = sort && columns.find(({ name }) => name === sort.column)
  if (!column) return order
  const keys = new Array<number | string | null>(rows.count)
  for (const row of order) keys[row] = column.sortKey(row)
  const sign = sort.isDescending ? -1 : 1
  return order.sort((a, b) => {
    const one = keys[a] ?? null
    const other = keys[b] ?? null
    if (one === null || other === null) return Number(one === null) - Number(other === null) || a - b
    return sign * compare(one, other) || a - b
  })
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b)
  if (typeof a === 'string' || typeof b === 'string') return typeof a === 'number' ? -1 : 1
  // NaN is larger than every number.
  return a < b ? -1 : a > b ? 1 : Number(Number.isNaN(a)) - Number(Number.isNaN(b))
}

const COMPARISON = /^(>=|<=|!=|=|>|<)\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i
const RANGE = /^([+-]?[\d.]+(?:e[+-]?\d+)?)\s*\.\.\s*([+-]?[\d.]+(?:e[+-]?\d+)?)$/i

/**
 * Reads what was typed: a comparison (`> 5`, `!= 0`), a range (`1..5`), a path (`{0;1}`, or `{0;*}` for what begins so),
 * `null`, or a text that a value contains in whatever case.
 */
export function readFilter(typed: string, rows: ValueRows): (row: number) => boolean {
  const text = typed.trim()
  if (text === '') return () => true
  if (text === 'null') return (row) => rows.valueOf(row) === null
  const [, sign, limit] = COMPARISON.exec(text) ?? []
  if (sign) {
    const compares = COMPARISONS[sign]!
    return (row) => {
      const number = numberOf(rows.valueOf(row))
      return number !== null && compares(number, Number(limit))
    }
  }
  const [, from, to] = RANGE.exec(text) ?? []
  if (from !== undefined)
    return (row) => {
      const number = numberOf(rows.valueOf(row))
      return number !== null && number >= Number(from) && number <= Number(to)
    }
  if (/^\{[\d;*]*\}?$/.test(text)) {
    const start = text.replace(/[*}]+$/, '')
    return text.endsWith('}') && !text.includes('*')
      ? (row) => rows.pathOf(row) === text
      : (row) => rows.pathOf(row).startsWith(start)
  }
  const folded = text.toLowerCase()
  return (row) => {
    const value = rows.valueOf(row)
    return value !== null && (writeValue(value).toLowerCase().includes(folded) || value.type.includes(folded))
  }
}

const COMPARISONS: Record<string, (number: number, limit: number) => boolean> = {
  '>': (number, limit) => number > limit,
  '>=': (number, limit) => number >= limit,
  '<': (number, limit) => number < limit,
  '<=': (number, limit) => number <= limit,
  '=': (number, limit) => number === limit,
  '!=': (number, limit) => number !== limit,
}
