import type { Path } from '@meadow/document'
import type { Brep } from '@meadow/geometry/values/brep'
import type { Arc, Circle, Line, Rectangle } from '@meadow/geometry/values/curves'
import type { Mesh, MeshFace } from '@meadow/geometry/values/mesh'
import type { Box, Plane, Point, TwistedBox, Vector } from '@meadow/geometry/values/points'
import type {
  Colour,
  Complex,
  Curve,
  Domain,
  Domain2,
  Geometry,
  Group,
  Matrix,
  Opaque,
  Shader,
  Surface,
  Time,
  Transform,
  Value,
} from '@meadow/geometry/values/value'

/**
 * The value that a kind receives from a port of each type and returns for it. `any` leaves values unchanged.
 */
export interface PortValues {
  any: Value
  boolean: boolean
  integer: number
  number: number
  text: string
  complex: Complex
  time: Time
  colour: Colour
  domain: Domain
  domain2: Domain2
  path: Path
  point: Point
  vector: Vector
  plane: Plane
  line: Line
  circle: Circle
  arc: Arc
  rectangle: Rectangle
  box: Box
  curve: Curve
  surface: Surface
  brep: Brep
  mesh: Mesh
  meshFace: MeshFace
  geometry: Geometry
  group: Group
  transform: Transform
  matrix: Matrix
  twistedBox: TwistedBox
  shader: Shader
  /** Settings and ids that the solver passes on unchanged. */
  opaque: Opaque
}

export type PortType = keyof PortValues

/** The parameter types of the component library (`findParameterType`) as port types of the solver. */
const PARAMETER_TYPES = {
  Boolean: 'boolean',
  Integer: 'integer',
  Number: 'number',
  Text: 'text',
  Complex: 'complex',
  Time: 'time',
  'File Path': 'text',
  Colour: 'colour',
  Domain: 'domain',
  'Domain²': 'domain2',
  'Data Path': 'path',
  Point: 'point',
  Vector: 'vector',
  Plane: 'plane',
  Line: 'line',
  Circle: 'circle',
  'Circular Arc': 'arc',
  Rectangle: 'rectangle',
  Box: 'box',
  Curve: 'curve',
  Surface: 'surface',
  Brep: 'brep',
  Mesh: 'mesh',
  'Mesh Face': 'meshFace',
  Geometry: 'geometry',
  'Geometry Cache': 'geometry',
  Group: 'group',
  Transform: 'transform',
  Matrix: 'matrix',
  'Twisted Box': 'twistedBox',
  Shader: 'shader',
} as const satisfies Record<string, PortType>

/** The port type of a parameter type with a literal name. */
export type PortTypeOf<Name extends string> = Name extends keyof typeof PARAMETER_TYPES
  ? (typeof PARAMETER_TYPES)[Name]
  : 'any'

/** The port type of a parameter type. Unknown parameter types accept any value. */
export function getPortType(parameterType: string): PortType {
  const types: Readonly<Record<string, PortType>> = PARAMETER_TYPES
  return types[parameterType] ?? 'any'
}

/** The names of types in messages. */
export const TYPE_NAMES: Readonly<Record<PortType, string>> = {
  any: 'Data',
  boolean: 'Boolean',
  integer: 'Integer',
  number: 'Number',
  text: 'Text',
  complex: 'Complex',
  time: 'Time',
  colour: 'Colour',
  domain: 'Domain',
  domain2: 'Domain²',
  path: 'Path',
  point: 'Point',
  vector: 'Vector',
  plane: 'Plane',
  line: 'Line',
  circle: 'Circle',
  arc: 'Arc',
  rectangle: 'Rectangle',
  box: 'Box',
  curve: 'Curve',
  surface: 'Surface',
  brep: 'Brep',
  mesh: 'Mesh',
  meshFace: 'MeshFace',
  geometry: 'Geometry',
  group: 'Group',
  transform: 'Transform',
  matrix: 'Matrix',
  twistedBox: 'Twisted Box',
  shader: 'Shader',
  opaque: 'Data',
}
