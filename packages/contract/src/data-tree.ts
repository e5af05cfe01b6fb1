import Type, { type Static } from 'typebox'
import { UNKNOWN_KINDS } from './terms.ts'

/** A number; those that JSON lacks are the strings `NaN`, `Infinity` and `-Infinity` (decision 22). */
export const JsonNumber = Type.Union([Type.Number(), Type.Enum(['NaN', 'Infinity', '-Infinity'])], {
  $id: 'JsonNumber',
  description: 'A number; those that JSON lacks are strings.',
})
export type JsonNumber = Static<typeof JsonNumber>

/** `[x, y, z]` in the document's unit. */
export const Xyz = Type.Tuple([JsonNumber, JsonNumber, JsonNumber], {
  $id: 'Xyz',
  description: "`[x, y, z]` in the document's unit.",
})
export type Xyz = Static<typeof Xyz>

export const Domain = Type.Object(
  { start: JsonNumber, end: JsonNumber },
  { $id: 'Domain', description: 'An interval.' },
)
export type Domain = Static<typeof Domain>

export const Plane = Type.Object(
  { origin: Xyz, xAxis: Xyz, yAxis: Xyz },
  { $id: 'Plane', description: 'A plane: its origin and two axes.' },
)
export type Plane = Static<typeof Plane>

/** The summary of geometry that has no short form. `boundingBox` is null where it could not be read. */
export const GeometrySummary = Type.Object(
  {
    description: Type.String(),
    boundingBox: Type.Union([Type.Tuple([Xyz, Xyz]), Type.Null()], {
      description: 'Its smallest and largest corner; null where it could not be read.',
    }),
  },
  { $id: 'GeometrySummary', description: 'Geometry that has no short form.' },
)
export type GeometrySummary = Static<typeof GeometrySummary>

/** An openNURBS object as rhino3dm and Rhino Compute exchange it (decision 23). `data` is base64. */
export const EncodedGeometry = Type.Object(
  {
    version: Type.Integer(),
    archive3dm: Type.Integer(),
    opennurbs: Type.Integer(),
    data: Type.String({ contentEncoding: 'base64' }),
  },
  {
    $id: 'EncodedGeometry',
    description: "For `CommonObject.decode` of rhino3dm and RhinoCommon's `FromJSON`.",
  },
)
export type EncodedGeometry = Static<typeof EncodedGeometry>

/** A value without a form of its own, with what its file says of it. */
export const UnknownValue = Type.Object(
  {
    description: Type.String(),
    kind: Type.Optional(
      Type.Enum([...UNKNOWN_KINDS], {
        description:
          '`revit`: an element, category or other thing of Revit, with `documentId`, `uniqueId` and `elementId`. `material`: with the colours `diffuse`, `specular`, `emission`, `ambient`, and `transparency` and `shine` from 0 to 1. `guid`: with `id`. `culture`: with `lcid`. `script`: with `title` and `source`. The others have the names of Grasshopper.',
      }),
    ),
    className: Type.Optional(
      Type.String({ description: 'The .NET class.', examples: ['RhinoInside.Revit.GH.Types.Wall'] }),
    ),
    properties: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'What the file says of it, by name. Colours are `#rrggbbaa`.',
      }),
    ),
  },
  { $id: 'UnknownValue', description: 'A value that has no form of its own here.' },
)
export type UnknownValue = Static<typeof UnknownValue>

/** The part of an object in a Rhino model that a value stands for. */
export const ObjectPart = Type.Object(
  {
    type: Type.String({
      description: '`edge`: of a brep. Otherwise the words of Grasshopper, for example `point_object`.',
    }),
    index: Type.Optional(Type.Integer()),
    parameters: Type.Optional(Type.Array(JsonNumber, { description: 'On the curve or surface.' })),
  },
  { $id: 'ObjectPart', description: 'The part of an object in a Rhino model.' },
)
export type ObjectPart = Static<typeof ObjectPart>

/** The shape of `value` for each `type` (decision 22). Angles in radians, lengths in the document's unit. */
const VALUE_SHAPES = {
  boolean: Type.Boolean(),
  integer: Type.Integer(),
  number: JsonNumber,
  string: Type.String(),
  colour: Type.String({ pattern: '^#[0-9a-f]{8}$', description: '`#rrggbbaa`' }),
  domain: Domain,
  vector: Xyz,
  plane: Plane,
  point: Xyz,
  line: Type.Object({ from: Xyz, to: Xyz }),
  polyline: Type.Array(Xyz),
  circle: Type.Object({ plane: Plane, radius: JsonNumber }),
  arc: Type.Object({ plane: Plane, radius: JsonNumber, startAngle: JsonNumber, endAngle: JsonNumber }),
  rectangle: Type.Object({ plane: Plane, x: Domain, y: Domain }),
  box: Type.Object({ plane: Plane, x: Domain, y: Domain, z: Domain }),
  curve: GeometrySummary,
  surface: GeometrySummary,
  brep: GeometrySummary,
  mesh: GeometrySummary,
  path: Type.String({ examples: ['{0;1}'] }),
  unknown: UnknownValue,
}

export type ValueType = keyof typeof VALUE_SHAPES
type Shape<T extends ValueType> = Static<(typeof VALUE_SHAPES)[T]>

/** One value in a branch. */
export type DataValue = {
  [T in ValueType]: {
    type: T
    value: Shape<T>
    /** The object itself, for geometric values (decision 23). */
    geometry?: EncodedGeometry
    /** The id of the object in a Rhino model that the value points to, when it is not in the document itself. */
    referenceId?: string
    /** The part of that object; absent: the object itself. */
    referencePart?: ObjectPart
  }
}[ValueType]

const dataValue = (type: string, value: Type.TSchema) =>
  Type.Object({
    type: Type.Literal(type),
    value,
    geometry: Type.Optional(Type.Ref('EncodedGeometry')),
    referenceId: Type.Optional(Type.String({ format: 'uuid', description: 'An object in a Rhino model.' })),
    referencePart: Type.Optional(Type.Ref('ObjectPart')),
  })

export const DataValue = Type.Unsafe<DataValue>({
  ...Type.Union(Object.entries(VALUE_SHAPES).map(([type, shape]) => dataValue(type, shape))),
  $id: 'DataValue',
  description: 'A value: what it is, and its JSON form.',
})

export const DataBranch = Type.Unsafe<DataBranch>({
  ...Type.Object({
    path: Type.String({ examples: ['{0;1}'] }),
    values: Type.Array(Type.Union([Type.Ref('DataValue'), Type.Null()])),
  }),
  $id: 'DataBranch',
  description: 'A list of values, and its path.',
})
export interface DataBranch {
  path: string
  /** An absent value (null in the solver) is null, so that positions keep their meaning. */
  values: (DataValue | null)[]
}

/** One canonical shape, always: branches in path order, even for a single number (decision 22). */
export interface DataTree {
  branches: DataBranch[]
}

export const DataTree = Type.Unsafe<DataTree>({
  ...Type.Object({
    branches: Type.Array(Type.Ref('DataBranch')),
  }),
  $id: 'DataTree',
  description: 'Branches in path order, each a list of values.',
})
