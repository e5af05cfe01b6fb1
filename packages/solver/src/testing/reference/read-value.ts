import type { DataValue } from '@meadow/contract'
import { findPath } from '@meadow/document'
import { arc, circle, line, polyline } from '@meadow/geometry/values/curves'
import { decodeValue } from '@meadow/geometry/values/decode-value'
import { quad, triangle } from '@meadow/geometry/values/mesh'
import { findPlaneFromAxes } from '@meadow/geometry/values/planes'
import { type Plane, point, vector, type Xyz } from '@meadow/geometry/values/points'
import { colour, domain, type Geometry, integer, pathValue, type Value } from '@meadow/geometry/values/value'
import type { InputData } from '../run.ts'
import type { CaseData, CasePlane, CaseValue, Numbers, ShortForms, Xyz as Triple } from './case-file.ts'

const toXyz = ([x, y, z]: Triple): Xyz => ({ x, y, z })
const toDomain = ([start, end]: readonly [number, number]) => domain(start, end)

const AXES: Readonly<Record<string, readonly [Triple, Triple]>> = {
  XY: [
    [1, 0, 0],
    [0, 1, 0],
  ],
  YZ: [
    [0, 1, 0],
    [0, 0, 1],
  ],
  XZ: [
    [1, 0, 0],
    [0, 0, 1],
  ],
}

function toPlane(plane: CasePlane): Plane {
  const [xAxis, yAxis] = typeof plane === 'string' ? (AXES[plane] ?? []) : [plane.xAxis, plane.yAxis]
  const origin: Triple = typeof plane === 'string' ? [0, 0, 0] : plane.origin
  const read = xAxis && yAxis && findPlaneFromAxes(toXyz(origin), toXyz(xAxis), toXyz(yAxis))
  if (!read) throw new Error(`Not a plane: ${JSON.stringify(plane)}`)
  return read
}

function toFace(corners: Numbers) {
  const [a = 0, b = 0, c = 0, d] = corners
  return d === undefined ? triangle(a, b, c) : quad(a, b, c, d)
}

/** How each short form is read. */
const READERS: { readonly [K in keyof ShortForms]: (form: ShortForms[K]) => Value } = {
  integer,
  number: Number,
  point: ([x, y, z]) => point(x, y, z),
  vector: ([x, y, z]) => vector(x, y, z),
  plane: toPlane,
  domain: toDomain,
  domain2: ([u, v]) => ({ type: 'domain2', u: toDomain(u), v: toDomain(v) }),
  path: (text) => {
    const path = findPath(text)
    if (!path) throw new Error(`Not a path: ${text}`)
    return pathValue(path)
  },
  colour: ([red, green, blue, alpha]) => colour(red, green, blue, alpha),
  line: ([from, to]) => line(toXyz(from), toXyz(to)),
  polyline: (vertices) => polyline(vertices.map(toXyz)),
  circle: ({ plane, radius }) => circle(toPlane(plane), radius),
  arc: ({ plane, radius, angles: [start, end] }) => arc(toPlane(plane), radius, start, end),
  rectangle: ({ plane, x, y }) => ({
    type: 'rectangle',
    plane: toPlane(plane),
    x: toDomain(x),
    y: toDomain(y),
  }),
  box: ({ plane, x, y, z }) => ({
    type: 'box',
    plane: toPlane(plane),
    x: toDomain(x),
    y: toDomain(y),
    z: toDomain(z),
  }),
  nurbsCurve: ({ points, ...rest }) => ({ type: 'nurbsCurve', points: points.map(toXyz), ...rest }),
  nurbsSurface: ({ degrees: [degreeU, degreeV], points, ...rest }) => ({
    type: 'nurbsSurface',
    degreeU,
    degreeV,
    points: points.map((row) => row.map(toXyz)),
    ...rest,
  }),
  mesh: ({ vertices, faces }) => ({
    type: 'mesh',
    vertices: vertices.map(toXyz),
    faces: faces.map(toFace),
  }),
  face: toFace,
  transform: (matrix) => ({ type: 'transform', matrix }),
  matrix: (rows) => ({
    type: 'matrix',
    rows: rows.length,
    columns: rows[0]?.length ?? 0,
    values: rows.flat(),
  }),
  twistedBox: (corners) => ({ type: 'twistedBox', corners: corners.map(toXyz) }),
  complex: ([real, imaginary]) => ({ type: 'complex', real, imaginary }),
  time: (text) => {
    const [clock = '', date] = text.split('T').reverse()
    const readMs = (day: string, hours: string) => Date.parse(`${day}T${hours}Z`)
    const ms = readMs('1970-01-01', clock)
    return { type: 'time', day: date === undefined ? null : readMs(date, '00:00:00') / 86_400_000, ms }
  },
  group: (members) => ({
    type: 'group',
    members: members.map((member) => readCaseValue(member) as Geometry),
  }),
}

/** Reads a value in one of its short forms or in the wire format. */
export function readCaseValue(value: CaseValue): Value | null {
  if (value === null || typeof value !== 'object') return value
  if ('type' in value) return decodeValue(value as DataValue)
  const [form = '', ...others] = Object.keys(value)
  const read = Object.hasOwn(READERS, form) ? READERS[form as keyof ShortForms] : undefined
  if (!read || others.length > 0) throw new Error(`Not a value: ${JSON.stringify(value)}`)
  return (read as (given: unknown) => Value)(Reflect.get(value, form))
}

/** An item, a list, or branches by path; undefined for no data. */
export function readCaseData(data: CaseData<CaseValue> | undefined): InputData {
  if (data === undefined) return undefined
  if (isBranches(data)) {
    return Object.fromEntries(Object.entries(data).map(([path, values]) => [path, values.map(readCaseValue)]))
  }
  return isList(data) ? data.map(readCaseValue) : readCaseValue(data)
}

export function isList<V>(data: CaseData<V>): data is readonly V[] {
  return Array.isArray(data)
}

/** Values have keys such as `point`; a tree has paths, or is empty. */
export function isBranches<V>(data: CaseData<V>): data is Readonly<Record<`{${string}}`, readonly V[]>> {
  if (typeof data !== 'object' || data === null || isList(data)) return false
  return Object.keys(data).every((key) => key.startsWith('{'))
}
