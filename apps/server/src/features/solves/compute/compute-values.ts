import type {
  DataValue,
  EncodedGeometry,
  JsonNumber,
  ValueType,
  Domain as WireDomain,
  Plane as WirePlane,
  Xyz,
} from '@meadow/contract'
import { decodeValue } from '@meadow/geometry/values/decode-value'
import type { Colour, Domain, Value } from '@meadow/geometry/values/value'
import type { ModelLibrary } from '@meadow/model'

/** A value as a Rhino.Compute server sends it: the full name of its .NET type, and its JSON. */
export interface ComputeItem {
  type: string
  data: string
}

/** Decodes many values at once, because geometry is decoded in a worker. Values of other types are described. */
export async function decodeItems(
  items: readonly ComputeItem[],
  library: Pick<ModelLibrary, 'decode'>,
): Promise<Value[]> {
  const wires = items.map(toWire)
  const encoded = wires.flatMap(({ geometry }) => geometry ?? [])
  const decoded = await library.decode(encoded)
  const known = new Map(encoded.map((geometry, index) => [geometry, decoded[index]]))
  return wires.map((wire) => decodeValue(wire, (geometry) => known.get(geometry)) ?? describe(wire.type))
}

/** A value that is only described. */
export function describe(description: string): Value {
  return { type: 'opaque', wire: { type: 'unknown', value: { description } } }
}

/** The value of a number or integer; undefined for anything else. */
export function readNumber(item: ComputeItem | undefined): number | undefined {
  const json = item && NUMBER_TYPES.has(item.type) ? parse(item.data) : undefined
  return typeof json === 'number' ? json : undefined
}

const NUMBER_TYPES: ReadonlySet<string> = new Set(['System.Int32', 'System.Int64', 'System.Double'])

/** The value of a boolean; undefined for anything else. */
export function readBoolean(item: ComputeItem): boolean | undefined {
  const json = item.type === 'System.Boolean' ? parse(item.data) : undefined
  return typeof json === 'boolean' ? json : undefined
}

/** The value of a text; undefined for anything else. */
export function readString(item: ComputeItem): string | undefined {
  const json = item.type === 'System.String' ? parse(item.data) : undefined
  return typeof json === 'string' ? json : undefined
}

export const createDomain = (start: number, end: number): Domain => ({ type: 'domain', start, end })

export const createColour = (alpha: number, red: number, green: number, blue: number): Colour => ({
  type: 'colour',
  red,
  green,
  blue,
  alpha,
})

type Json = Record<string, unknown>

function toWire({ type, data }: ComputeItem): DataValue {
  const json = parse(data)
  const wire =
    SCALARS.get(type)?.(json) ??
    (isObject(json) ? (STRUCTS.get(type)?.(json) ?? readObject(type, json)) : undefined)
  return wire ?? { type: 'unknown', value: { description: nameOf(type) } }
}

/** Parses JSON; returns undefined for other text, except for the names of numbers that JSON lacks. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return NOT_FINITE.has(text) ? text : undefined
  }
}

const NOT_FINITE: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity'])

const SCALARS = new Map<string, (json: unknown) => DataValue | undefined>([
  ['System.Boolean', (json) => (typeof json === 'boolean' ? { type: 'boolean', value: json } : undefined)],
  ['System.Int32', readInteger],
  ['System.Int64', readInteger],
  [
    'System.Double',
    (json) =>
      typeof json === 'number' || NOT_FINITE.has(json)
        ? { type: 'number', value: json as JsonNumber }
        : undefined,
  ],
  ['System.String', (json) => (typeof json === 'string' ? { type: 'string', value: json } : undefined)],
])

function readInteger(json: unknown): DataValue | undefined {
  return Number.isSafeInteger(json) ? { type: 'integer', value: json as number } : undefined
}

/** RhinoCommon's structures, by the properties that Json.NET writes. Undefined where a coordinate is not finite. */
const STRUCTS = new Map<string, (json: Json) => DataValue | undefined>([
  ['Rhino.Geometry.Point3d', (json) => createWire('point', readXyz(json))],
  ['Rhino.Geometry.Vector3d', (json) => createWire('vector', readXyz(json))],
  ['Rhino.Geometry.Plane', (json) => createWire('plane', readPlane(json))],
  [
    'Rhino.Geometry.Line',
    ({ From, To }) => createWire('line', whole({ from: readXyz(From), to: readXyz(To) })),
  ],
  [
    'Rhino.Geometry.Circle',
    ({ Plane, Radius }) =>
      createWire('circle', whole({ plane: readPlane(Plane), radius: readFinite(Radius) })),
  ],
  [
    'Rhino.Geometry.Arc',
    ({ Plane, Radius, StartAngle, EndAngle }) =>
      createWire(
        'arc',
        whole({
          plane: readPlane(Plane),
          radius: readFinite(Radius),
          startAngle: readFinite(StartAngle),
          endAngle: readFinite(EndAngle),
        }),
      ),
  ],
  [
    'Rhino.Geometry.Rectangle3d',
    ({ Plane, X, Y }) =>
      createWire('rectangle', whole({ plane: readPlane(Plane), x: readInterval(X), y: readInterval(Y) })),
  ],
  [
    'Rhino.Geometry.Box',
    ({ Plane, X, Y, Z }) =>
      createWire(
        'box',
        whole({ plane: readPlane(Plane), x: readInterval(X), y: readInterval(Y), z: readInterval(Z) }),
      ),
  ],
])

function createWire<T extends ValueType>(
  type: T,
  value: Extract<DataValue, { type: T }>['value'] | undefined,
): DataValue | undefined {
  return value === undefined ? undefined : ({ type, value } as DataValue)
}

/** The parts of a shape; undefined when one is missing. */
function whole<T extends object>(parts: T): { [K in keyof T]: Exclude<T[K], undefined> } | undefined {
  return Object.values(parts).includes(undefined)
    ? undefined
    : (parts as { [K in keyof T]: Exclude<T[K], undefined> })
}

function readFinite(json: unknown): number | undefined {
  return Number.isFinite(json) ? (json as number) : undefined
}

function readXyz(json: unknown): Xyz | undefined {
  if (!isObject(json)) return undefined
  const [x, y, z] = [json.X, json.Y, json.Z].map(readFinite)
  return x === undefined || y === undefined || z === undefined ? undefined : [x, y, z]
}

function readPlane(json: unknown): WirePlane | undefined {
  if (!isObject(json)) return undefined
  const [origin, xAxis, yAxis] = [json.Origin, json.XAxis, json.YAxis].map(readXyz)
  return origin && xAxis && yAxis && { origin, xAxis, yAxis }
}

function readInterval(json: unknown): WireDomain | undefined {
  if (!isObject(json)) return undefined
  const [start, end] = [json.T0, json.T1].map(readFinite)
  return start === undefined || end === undefined ? undefined : { start, end }
}

/** An openNURBS object (decision 23) of a class such as `Rhino.Geometry.NurbsCurve`. */
function readObject(type: string, json: Json): DataValue | undefined {
  const { version, archive3dm, opennurbs, data } = json
  const isEncoded = [version, archive3dm, opennurbs].every(Number.isInteger) && typeof data === 'string'
  if (!isEncoded) return undefined
  const geometry = { version, archive3dm, opennurbs, data } as EncodedGeometry
  const description = nameOf(type)
  const summary = findSummaryType(description)
  return summary
    ? { type: summary, value: { description, boundingBox: null }, geometry }
    : { type: 'unknown', value: { description }, geometry }
}

function findSummaryType(name: string): 'curve' | 'surface' | 'brep' | 'mesh' | undefined {
  if (name.endsWith('curve')) return 'curve'
  if (name.endsWith('surface')) return 'surface'
  if (name === 'Brep' || name === 'Extrusion') return 'brep'
  return name === 'Mesh' ? 'mesh' : undefined
}

/** `Nurbs curve` for `Rhino.Geometry.NurbsCurve`, as imports describe geometry. */
function nameOf(type: string): string {
  const name = type.slice(type.lastIndexOf('.') + 1).slice(0, MAX_NAME_LENGTH)
  const [first = '', ...rest] = name.split(/(?<=[a-z])(?=[A-Z][a-z])/)
  return [first, ...rest.map((word) => word.toLowerCase())].join(' ')
}

const MAX_NAME_LENGTH = 80

const isObject = (json: unknown): json is Json => typeof json === 'object' && json !== null
