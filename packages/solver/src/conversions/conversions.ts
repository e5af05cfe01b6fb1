import { kindOf, type Value, type ValueKind } from '@meadow/geometry/values/value'
import type { PortType } from './port-types.ts'
import { COMMAS } from './to-number.ts'

/**
 * Whether all or some values of a kind convert, by which rule of SPEC.md, and the source that says that the others fail
 * in Grasshopper too.
 */
export interface Conversion {
  converts?: 'all' | 'some'
  rule?: `C-${number}`
  fails?: string
}

type Rows = Readonly<
  Record<Exclude<PortType, 'any' | 'opaque'>, Readonly<Partial<Record<ValueKind, Conversion>>>>
>

const all = (rule: `C-${number}`): Conversion => ({ converts: 'all', rule })
const some = (rule: `C-${number}`, source?: string): Conversion => ({
  converts: 'some',
  rule,
  ...(source === undefined ? {} : { fails: source }),
})
const fails = (source: string): Conversion => ({ fails: source })

/** A value at a port of its own type. */
const OWN = all('C-15')
const every = <K extends ValueKind>(kinds: readonly K[], conversion: Conversion) =>
  Object.fromEntries(kinds.map((kind) => [kind, conversion])) as Record<K, Conversion>

const CURVES = ['line', 'polyline', 'circle', 'arc', 'rectangle', 'nurbsCurve', 'polyCurve'] as const
const GEOMETRY = ['point', 'plane', ...CURVES, 'box', 'nurbsSurface', 'brep', 'mesh', 'group'] as const
const KINDS = [
  'number',
  'integer',
  'boolean',
  'text',
  'colour',
  'domain',
  'domain2',
  'path',
  'transform',
  'matrix',
  'twistedBox',
  'shader',
  'meshFace',
  'vector',
  ...GEOMETRY,
] as const
/** Curves that may be straight, or rectangles, without being stored as such. */
const FREE_CURVES = ['polyline', 'nurbsCurve', 'polyCurve'] as const

/** Curves at ports for surfaces and breps. */
const FILLED = {
  ...every(['circle', 'rectangle'], all('C-20')),
  ...every(['arc', ...FREE_CURVES], some('C-20')),
}

const MEASURED =
  'recorded: a public report on Grasshopper 8 run with small inputs, in which a relay of type Curve says "Data conversion failed from Text to Curve"'
const NUMBER_TEXT =
  'documentation: McNeel, Essential Algorithms and Data Structures for Grasshopper, 1: "12AB" at a Number parameter is "Data conversion failed from Text to Number"'
const VECTOR_TEXT =
  'documentation: a public course, lesson 1.4.2, with a figure of "Data conversion failed from Text to Vector"'
const POINT_TEXT =
  'recorded: a public log of Grasshopper runs, in which a text of several lines at Construct Point is "Data conversion failed from Text to Point"'
const POINT_NUMBER =
  'documentation: two public courses: a number in the place of a point is "Data conversion failed from Number to Point"'
const VECTOR_NUMBER =
  'recorded: public tools that explain the message "Data conversion failed from Number to Vector"'
const CURVE_NUMBER =
  'recorded: a public log of a definition, in which Point On Curve says "Data conversion failed from Number to curve"'
const POINT_SURFACE =
  'published test: "Data conversion failed from Surface to Point" is expected of a definition; D. Rutten, grasshopper3d.com, Volatile Data Management, has the same example'
const LINE_POINT =
  'recorded: a public log of a definition: two points at a Line parameter are "Data conversion failed from Point to Line"'
const RECTANGLE_DOMAIN =
  'recorded: a public list of messages met in Grasshopper: "Data conversion failed from Domain to Rectangle"'

/**
 * The conversions at ports, by the type of the port and the kind of the value. A pair that is missing, and a value that
 * does not convert in a pair without `fails`, is a limit of Meadow: no source says that Grasshopper fails.
 */
export const CONVERSIONS: Rows = {
  boolean: { boolean: OWN, integer: all('C-1'), number: some('C-1'), text: some('C-2') },
  integer: { integer: OWN, boolean: all('C-1'), number: some('C-1'), text: some('C-2', NUMBER_TEXT) },
  number: {
    number: OWN,
    ...every(['integer', 'boolean'], all('C-1')),
    text: some('C-2', NUMBER_TEXT),
    ...every(['point', 'vector'], all('C-18')),
  },
  text: { ...every(KINDS, all('C-3')), text: OWN },
  complex: { complex: OWN, integer: all('C-17'), number: some('C-17') },
  time: { time: OWN },
  colour: { colour: OWN, text: some('C-4'), shader: all('C-10') },
  domain: {
    domain: OWN,
    ...every(['number', 'integer', 'boolean'], all('C-5')),
    text: some('C-4'),
    ...every(CURVES, all('C-16')),
  },
  domain2: { domain2: OWN, nurbsSurface: all('C-16'), brep: some('C-16') },
  path: { path: OWN, integer: all('C-5'), boolean: all('C-5'), number: some('C-5'), text: some('C-4') },
  point: {
    point: OWN,
    ...every(['vector', 'plane', 'circle', 'arc', 'rectangle', 'box'], all('C-6')),
    text: some('C-4', POINT_TEXT),
    ...every(['number', 'integer'], fails(POINT_NUMBER)),
    nurbsSurface: fails(POINT_SURFACE),
  },
  vector: {
    vector: OWN,
    ...every(['point', 'plane', 'line'], all('C-6')),
    ...every(FREE_CURVES, some('C-6')),
    text: some('C-4', VECTOR_TEXT),
    ...every(['number', 'integer'], fails(VECTOR_NUMBER)),
  },
  plane: {
    plane: OWN,
    ...every(['point', 'vector', 'circle', 'arc', 'rectangle', 'box'], all('C-6')),
    text: some('C-4'),
  },
  line: { line: OWN, ...every(FREE_CURVES, some('C-7')), point: fails(LINE_POINT) },
  circle: { circle: OWN, arc: some('C-7') },
  arc: { arc: OWN, circle: all('C-7') },
  rectangle: { rectangle: OWN, ...every(FREE_CURVES, some('C-7')), domain: fails(RECTANGLE_DOMAIN) },
  box: { ...every(GEOMETRY, all('C-9')), box: OWN },
  curve: {
    ...every(CURVES, OWN),
    ...every(['nurbsSurface', 'brep'], some('C-14')),
    ...every(['number', 'integer'], fails(CURVE_NUMBER)),
    text: fails(MEASURED),
  },
  surface: { nurbsSurface: OWN, brep: some('C-8'), box: some('C-22'), ...FILLED },
  brep: {
    brep: OWN,
    ...every(['nurbsSurface', 'box'], all('C-8')),
    ...FILLED,
  },
  mesh: { mesh: OWN, ...every(['nurbsSurface', 'brep', 'box'], all('C-19')) },
  meshFace: { meshFace: OWN, text: some('C-4') },
  geometry: { ...every(GEOMETRY, OWN), vector: all('C-21') },
  group: { ...every(GEOMETRY, all('C-11')), group: OWN },
  transform: { transform: OWN },
  matrix: { matrix: OWN },
  twistedBox: { twistedBox: OWN },
  shader: { shader: OWN, colour: all('C-10'), text: some('C-10') },
}

/** Returns the source that says that Grasshopper does not convert such a value either; undefined if none does. */
export function findFailure(value: Value, type: PortType): string | undefined {
  if (type === 'any' || type === 'opaque') return undefined
  const mayBeNumber =
    (type === 'number' || type === 'integer') && typeof value === 'string' && COMMAS.test(value)
  return mayBeNumber ? undefined : CONVERSIONS[type][kindOf(value)]?.fails
}
