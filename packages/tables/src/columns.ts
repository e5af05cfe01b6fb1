import type { DataValue, Plane, Xyz } from '@meadow/client'
import type { Run } from './source.ts'

/**
 * The type of the cells of a column that are not null. A `category` is a text of which a table has few different ones,
 * and a `time` is in milliseconds since 1970, UTC.
 */
export type ColumnType = 'category' | 'text' | 'number' | 'integer' | 'time'

/** A cell of a row. */
export type Cell = string | number | null

/** A column of a table. Its cells are read in one of three ways. */
export interface Column {
  type: ColumnType
  description: string
  /** Whether the column is in every table that is not limited to other columns. */
  isDefault: boolean
  /** Whether the column has no nulls. */
  isRequired?: true
  /** Returns the cell that all rows of a branch share. */
  ofRun?: (run: Run) => Cell
  /** The functions that return the cell of a value, by its type. Values of other types have a null. */
  ofType?: Readers
  /** Returns the cell of any item of a branch; `index` is its position there. */
  ofItem?: (item: DataValue | null, index: number) => Cell
}

/** The type of a value, such as `number`. */
export type ValueType = DataValue['type']

type Value<Type extends ValueType> = Extract<DataValue, { type: Type }>['value']

type Readers = { [Type in ValueType]?: (value: Value<Type>) => Cell }

const asIs = (text: string) => text
const describe = ({ description }: { description: string }) => description

const TEXTS: Readers = {
  boolean: String,
  string: asIs,
  colour: asIs,
  path: asIs,
  curve: describe,
  surface: describe,
  brep: describe,
  mesh: describe,
  unknown: describe,
}

/** The values that `number`, `text` and coordinates cannot hold completely. */
const OBJECTS: Readers = {
  domain: JSON.stringify,
  plane: JSON.stringify,
  line: JSON.stringify,
  polyline: JSON.stringify,
  circle: JSON.stringify,
  arc: JSON.stringify,
  rectangle: JSON.stringify,
  box: JSON.stringify,
  curve: JSON.stringify,
  surface: JSON.stringify,
  brep: JSON.stringify,
  mesh: JSON.stringify,
  unknown: JSON.stringify,
}

type Axis = 0 | 1 | 2

function coordinates(axis: Axis): Readers {
  const ofPoint = (point: Xyz) => Number(point[axis])
  const ofPlane = ({ origin }: Plane) => Number(origin[axis])
  const ofShape = ({ plane }: { plane: Plane }) => ofPlane(plane)
  return {
    point: ofPoint,
    vector: ofPoint,
    plane: ofPlane,
    circle: ofShape,
    arc: ofShape,
    rectangle: ofShape,
    box: ofShape,
  }
}

/** Returns the smallest or largest coordinate of a value that has a bounding box. */
function bounds(corner: 'min' | 'max', axis: Axis): Readers {
  const ofPoints = (points: readonly Xyz[]) =>
    points.reduce<number | null>((bound, point) => {
      const coordinate = Number(point[axis])
      return bound === null ? coordinate : Math[corner](bound, coordinate)
    }, null)
  const ofSummary = ({ boundingBox }: Value<'brep'>) => boundingBox && ofPoints(boundingBox)
  return {
    point: (point) => ofPoints([point]),
    line: ({ from, to }) => ofPoints([from, to]),
    polyline: ofPoints,
    curve: ofSummary,
    surface: ofSummary,
    brep: ofSummary,
    mesh: ofSummary,
  }
}

/** All columns, in the order in which tables have them. */
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
  port: common('category', 'Its nickname on the canvas, such as `P`, or its name where it has none.', {
    ofRun: ({ port }) => port.port,
  }),
  port_name: common('category', 'The name of the port, such as `Points`.', {
    ofRun: ({ port }) => port.portName,
  }),
  path: common('category', 'The path of the branch, such as `{0;1}`.', {
    isRequired: true,
    ofRun: ({ path }) => path,
  }),
  index: common('integer', 'The position in the branch, from 0.', {
    isRequired: true,
    ofItem: (_, index) => index,
  }),
  type: common('category', 'The type of the value, as in the API; null for a null in the list.', {
    ofItem: (item) => item?.type ?? null,
  }),
  number: common('number', 'A number or integer; 1 or 0 for a boolean.', {
    ofType: { number: Number, integer: Number, boolean: Number },
  }),
  text: common('text', 'A string, colour, path or boolean; the description of other geometry.', {
    ofType: TEXTS,
  }),
  x: common('number', 'Of a point or vector; of the origin of a plane, circle, arc, rectangle or box.', {
    ofType: coordinates(0),
  }),
  y: common('number', 'As `x`.', { ofType: coordinates(1) }),
  z: common('number', 'As `x`.', { ofType: coordinates(2) }),
  json: common('text', 'The value as the API has it, where the other columns do not hold all of it.', {
    ofType: OBJECTS,
  }),
  min_x: extra(
    'number',
    'The smallest corner of the bounding box of a point, line, polyline or other geometry.',
    {
      ofType: bounds('min', 0),
    },
  ),
  min_y: extra('number', 'As `min_x`.', { ofType: bounds('min', 1) }),
  min_z: extra('number', 'As `min_x`.', { ofType: bounds('min', 2) }),
  max_x: extra('number', 'The largest corner.', { ofType: bounds('max', 0) }),
  max_y: extra('number', 'As `max_x`.', { ofType: bounds('max', 1) }),
  max_z: extra('number', 'As `max_x`.', { ofType: bounds('max', 2) }),
  reference_id: extra('text', 'The id of the object in a Rhino model that the value points to.', {
    ofItem: (item) => item?.referenceId ?? null,
  }),
  geometry: extra(
    'text',
    'The openNURBS object as JSON, for `rhino3dm.CommonObject.Decode`; only with includeGeometry.',
    {
      ofItem: (item) => (item?.geometry ? JSON.stringify(item.geometry) : null),
    },
  ),
} satisfies Record<string, Column>

export type ColumnName = keyof typeof COLUMNS

/** The columns of a table for which no columns are chosen. */
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

type Reader = Pick<Column, 'isRequired' | 'ofRun' | 'ofType' | 'ofItem'>

function common(type: ColumnType, description: string, reader: Reader): Column {
  return { type, description, isDefault: true, ...reader }
}

function extra(type: ColumnType, description: string, reader: Reader): Column {
  return { type, description, isDefault: false, ...reader }
}
