import { readdirSync, readFileSync } from 'node:fs'
import type { DataValue, Port } from '@meadow/contract'

/** Where an expected result comes from. `packages/solver/reference/README.md` explains each. */
export type SourceKind = 'documentation' | 'published test' | 'recorded' | 'mathematics' | 'openNURBS'

export type Xyz = readonly [number, number, number]
export type Numbers = readonly number[]

/** Geometry in the short form of case files. Planes are `XY`, `YZ`, `XZ`, or an origin and two axes. */
export type CasePlane = 'XY' | 'YZ' | 'XZ' | { origin: Xyz; xAxis: Xyz; yAxis: Xyz }
type Range = readonly [start: number, end: number]

export interface ShortForms {
  integer: number
  number: 'NaN' | 'Infinity' | '-Infinity'
  point: Xyz
  vector: Xyz
  plane: CasePlane
  domain: Range
  domain2: readonly [Range, Range]
  path: string
  colour: readonly [red: number, green: number, blue: number, alpha: number]
  line: readonly [Xyz, Xyz]
  polyline: readonly Xyz[]
  circle: { plane: CasePlane; radius: number }
  arc: { plane: CasePlane; radius: number; angles: Range }
  rectangle: { plane: CasePlane; x: Range; y: Range }
  box: { plane: CasePlane; x: Range; y: Range; z: Range }
  nurbsCurve: { degree: number; points: readonly Xyz[]; knots: Numbers; weights?: Numbers }
  nurbsSurface: {
    degrees: readonly [u: number, v: number]
    points: readonly (readonly Xyz[])[]
    weights?: readonly Numbers[]
    knotsU: Numbers
    knotsV: Numbers
  }
  mesh: { vertices: readonly Xyz[]; faces: readonly Numbers[] }
  face: Numbers
  transform: Numbers
  /** Its rows. */
  matrix: readonly Numbers[]
  twistedBox: readonly Xyz[]
  /** Its real and its imaginary part. */
  complex: readonly [number, number]
  /** `2026-11-30T12:34:56`, or `12:34:56` for a time of day alone. */
  time: string
  group: readonly CaseValue[]
}

/** An object with one key, the short form, or a value in the wire format. */
export type CaseValue = null | boolean | number | string | DataValue | Partial<ShortForms>

/** What is measured of a geometry instead of comparing it as a whole. Only the given keys are compared. */
export interface Measures {
  /** The `type` of the value in the solver. */
  type?: string
  length?: number
  area?: number
  volume?: number
  centroid?: Xyz
  start?: Xyz
  end?: Xyz
  /** Curves: the ends meet. Breps: no naked edges. Meshes: every edge has two faces. */
  closed?: boolean
  domain?: Range
  domains?: readonly [Range, Range]
  /** Points at parameters: `[t, point]`, of surfaces `[u, v, point]`. */
  at?: readonly (readonly [number, Xyz] | readonly [number, number, Xyz])[]
  /** Unit tangents at parameters. */
  tangentAt?: readonly (readonly [number, Xyz])[]
  /** Unit normals of a surface: `[u, v, normal]`. */
  normalAt?: readonly (readonly [number, number, Xyz])[]
  /** The world bounding box: lower and upper corner. */
  bounds?: readonly [Xyz, Xyz]
  degree?: number
  /** Vertices of a polyline, control points of a NURBS curve. */
  points?: readonly Xyz[]
  vertexCount?: number
  edgeCount?: number
  faceCount?: number
}

export type ExpectedValue = CaseValue | { measured: Measures }

/** An item, a list in `{0}`, or branches by path. */
export type CaseData<V> = V | readonly V[] | Readonly<Record<`{${string}}`, readonly V[]>>

export type CasePort = Partial<Pick<Port, 'flags' | 'options' | 'expression'>>

export interface ReferenceCase {
  /** What is given, in plain words. */
  name: string
  source: { kind: SourceKind; where: string }
  /** By the name of the port, its nickname, or `#2` for the third one. Ports that are left out have no data. */
  inputs: Readonly<Record<string, CaseData<CaseValue>>>
  /** Only the outputs that the source states. `{}` expects no branches. */
  outputs: Readonly<Record<string, CaseData<ExpectedValue>>>
  /** Levels and beginnings of messages: `warning: Input parameter`. By default there is none. */
  messages?: readonly string[]
  /**
   * Meadow cannot give the result: the beginning of the message with the code `limit`. The outputs are those of
   * Grasshopper, and are not compared.
   */
  limit?: string
  /** Relative to the expected number, absolute below one. By default 1e-9. */
  tolerance?: number
  /** Flags and expressions of ports. */
  ports?: Readonly<Record<string, CasePort>>
  /** The options of the component's menu. */
  options?: Readonly<Record<string, boolean | number | string>>
  /** The state of the node as an import reads it, for kinds that are more than options. */
  state?: Readonly<Record<string, unknown>>
}

export interface KindCases {
  /** The name of the component; a test compares it with the library. */
  kind: string
  guid: string
  cases: readonly ReferenceCase[]
}

export interface CaseFile {
  kinds: readonly KindCases[]
}

const FOLDER = new URL('../../../reference/', import.meta.url)

/** All case files by name, without those that are not cases (`*.schema.json`). */
export function readCaseFiles(): { name: string; file: CaseFile }[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
    .sort()
    .map((name) => ({ name, file: readJson(name) as CaseFile }))
}

export function readCaseSchema(): object {
  return readJson('cases.schema.json') as object
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))
}
