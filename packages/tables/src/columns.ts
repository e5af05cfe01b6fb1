import type { DataValue } from '@meadow/contract'
import type { Run } from './source.ts'

/**
 * What the cells of a column are, if they are not null. `category`: a text of which a table has few different ones.
 * `time`: milliseconds since 1970, UTC.
 */
export type ColumnType = 'category' | 'text' | 'number' | 'integer' | 'time'

/** A cell of a row. */
export type Cell = string | number | null

/** A column of a table. */
export interface Column {
  type: ColumnType
  description: string
  /** A column that is in every table unless others are asked for. */
  isDefault: boolean
  /** A column without nulls. */
  isRequired?: true
  /** The cell of each row of a branch. */
  ofRun?: (run: Run) => Cell
  /** The cell of one value; `index` is its position in the branch. Not with `ofRun`. */
  ofValue?: (value: DataValue | null, index: number) => Cell
}

/** Every column, in the order of tables. */
export const COLUMNS = {
  document_id: extra('category', 'The id of the document.', {
    ofRun: ({ source }) => source.document?.id ?? null,
  }),
  document: extra('category', 'The name of the document.', {
    ofRun: ({ source }) => source.document?.name ?? null,
  }),
  solution_id: extra('category', 'The id of the solution: another one after every solve.', {
    ofRun: ({ source }) => source.solution.data.solutionId,
  }),
  solved_at: extra('time', 'When the document was solved.', {
    ofRun: ({ source }) => Date.parse(source.solution.solvedAt),
  }),
  node_id: common('category', 'The id of the node.', { isRequired: true, ofRun: ({ port }) => port.nodeId }),
  node: common('category', 'Its nickname on the canvas, or the name of its component where it has none.', {
    ofRun: ({ port }) => port.node,
  }),
  component: common('category', 'The name of its component, such as `Number Slider`.', {
    ofRun: ({ port }) => port.component,
  }),
  port_id: common('category', 'The id of the port.', { isRequired: true, ofRun: ({ port }) => port.portId }),
  port: common('category', 'The name of the port, such as `Points`.', { ofRun: ({ port }) => port.port }),
  path: common('category', 'The path of the branch, such as `{0;1}`.', {
    isRequired: true,
    ofRun: ({ path }) => path,
  }),
  index: common('integer', 'The position in the branch, from 0.', {
    isRequired: true,
    ofValue: (_, index) => index,
  }),
  type: common('category', 'The type of the value, as in the API; null for a null in the list.', {
    ofValue: (value) => value?.type ?? null,
  }),
  number: common('number', 'A number or integer; 1 or 0 for a boolean.', { ofValue: readNumber }),
  text: common('text', 'A string, colour, path or boolean; the description of other geometry.', {
    ofValue: readText,
  }),
  x: common('number', 'Of a point or vector; of the origin of a plane, circle, arc, rectangle or box.', {
    ofValue: (value) => readCoordinate(value, 0),
  }),
  y: common('number', 'As `x`.', { ofValue: (value) => readCoordinate(value, 1) }),
  z: common('number', 'As `x`.', { ofValue: (value) => readCoordinate(value, 2) }),
  json: common('text', 'The value as the API has it, where the other columns do not hold all of it.', {
    ofValue: readJson,
  }),
  min_x: extra(
    'number',
    'The smallest corner of the bounding box of a point, line, polyline or other geometry.',
    {
      ofValue: (value) => readBound(value, 0, 0),
    },
  ),
  min_y: extra('number', 'As `min_x`.', { ofValue: (value) => readBound(value, 0, 1) }),
  min_z: extra('number', 'As `min_x`.', { ofValue: (value) => readBound(value, 0, 2) }),
  max_x: extra('number', 'The largest corner.', { ofValue: (value) => readBound(value, 1, 0) }),
  max_y: extra('number', 'As `max_x`.', { ofValue: (value) => readBound(value, 1, 1) }),
  max_z: extra('number', 'As `max_x`.', { ofValue: (value) => readBound(value, 1, 2) }),
  reference_id: extra('text', 'The id of the object in a Rhino model that the value points to.', {
    ofValue: (value) => value?.referenceId ?? null,
  }),
  geometry: extra(
    'text',
    'The openNURBS object as JSON, for `rhino3dm.CommonObject.Decode`; only with includeGeometry.',
    {
      ofValue: (value) => (value?.geometry ? JSON.stringify(value.geometry) : null),
    },
  ),
} satisfies Record<string, Column>

export type ColumnName = keyof typeof COLUMNS

/** The columns of a table for which no others are asked. */
export const DEFAULT_COLUMNS: readonly ColumnName[] = listNames().filter((name) => COLUMNS[name].isDefault)

/**
 * The columns of a table, as they are asked for.
 * @throws a RangeError that names an unknown column, and all known ones.
 */
export function readColumns(names: readonly string[] = DEFAULT_COLUMNS): ColumnName[] {
  const unknown = names.find((name) => !Object.hasOwn(COLUMNS, name))
  if (unknown !== undefined)
    throw new RangeError(`There is no column "${unknown}". The columns are ${listNames().join(', ')}.`)
  if (names.length === 0) throw new RangeError('A table needs at least one column.')
  return [...new Set(names)] as ColumnName[]
}

function listNames(): ColumnName[] {
  return Object.keys(COLUMNS) as ColumnName[]
}

type Reader = Pick<Column, 'isRequired' | 'ofRun' | 'ofValue'>

function common(type: ColumnType, description: string, reader: Reader): Column {
  return { type, description, isDefault: true, ...reader }
}

function extra(type: ColumnType, description: string, reader: Reader): Column {
  return { type, description, isDefault: false, ...reader }
}

function readNumber(value: DataValue | null): number | null {
  if (value === null) return null
  if (value.type === 'number' || value.type === 'integer') return Number(value.value)
  return value.type === 'boolean' ? Number(value.value) : null
}

function readText(value: DataValue | null): string | null {
  switch (value?.type) {
    case 'string':
    case 'colour':
    case 'path':
      return value.value
    case 'boolean':
      return String(value.value)
    case 'curve':
    case 'surface':
    case 'brep':
    case 'mesh':
    case 'unknown':
      return value.value.description
    default:
      return null
  }
}

function readCoordinate(value: DataValue | null, axis: 0 | 1 | 2): number | null {
  switch (value?.type) {
    case 'point':
    case 'vector':
      return Number(value.value[axis])
    case 'plane':
      return Number(value.value.origin[axis])
    case 'circle':
    case 'arc':
    case 'rectangle':
    case 'box':
      return Number(value.value.plane.origin[axis])
    default:
      return null
  }
}

/** The types whose values are in `number`, `text` or `x`, `y` and `z` as a whole. */
const PLAIN_TYPES: ReadonlySet<string> = new Set([
  'boolean',
  'integer',
  'number',
  'string',
  'colour',
  'path',
  'point',
  'vector',
])

function readJson(value: DataValue | null): string | null {
  return value === null || PLAIN_TYPES.has(value.type) ? null : JSON.stringify(value.value)
}

function readBound(value: DataValue | null, corner: 0 | 1, axis: 0 | 1 | 2): number | null {
  switch (value?.type) {
    case 'point':
      return Number(value.value[axis])
    case 'line':
      return findBound([value.value.from, value.value.to], corner, axis)
    case 'polyline':
      return findBound(value.value, corner, axis)
    case 'curve':
    case 'surface':
    case 'brep':
    case 'mesh': {
      const bound = value.value.boundingBox?.[corner][axis]
      return bound === undefined ? null : Number(bound)
    }
    default:
      return null
  }
}

function findBound(points: readonly (readonly (number | string)[])[], corner: 0 | 1, axis: 0 | 1 | 2) {
  let bound: number | null = null
  for (const point of points) {
    const value = Number(point[axis])
    if (bound === null) bound = value
    else bound = corner === 0 ? Math.min(bound, value) : Math.max(bound, value)
  }
  return bound
}
