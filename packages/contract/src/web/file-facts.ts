import Type, { type Static } from 'typebox'
import { Timestamp } from '../ids.ts'

/** Null: the file does not say. */
const Optional = Type.Union([Type.String(), Type.Null()])
const OptionalTime = Type.Union([Timestamp, Type.Null()])

/** The types of objects that are counted. A surface or polysurface is a `brep` unless the file says otherwise. */
export const OBJECT_TYPES = [
  'point',
  'point_cloud',
  'curve',
  'surface',
  'brep',
  'extrusion',
  'subd',
  'mesh',
  'block_instance',
  'text',
  'dimension',
  'leader',
  'text_dot',
  'hatch',
  'light',
  'clipping_plane',
  'detail',
  'other',
] as const
export const ObjectType = Type.Enum([...OBJECT_TYPES])
export type ObjectType = Static<typeof ObjectType>

export const ModelLayer = Type.Object({
  /** With its parent layers, as Rhino writes it: `Building::Walls`. */
  path: Type.String(),
  /** 0 for a layer without a parent layer. */
  depth: Type.Integer(),
  /** `#rrggbb`. */
  colour: Type.String(),
  visible: Type.Boolean(),
  locked: Type.Boolean(),
  /** Directly on it, without members of blocks. */
  objects: Type.Integer(),
})
export type ModelLayer = Static<typeof ModelLayer>

/** What of a model could not be read, although the file is one. */
export const UnreadPart = Type.Enum([
  'properties',
  'notes',
  'units',
  'layers',
  'materials',
  'blocks',
  'objects',
  'thumbnail',
])
export type UnreadPart = Static<typeof UnreadPart>

/** What a model file (`.3dm`) says about itself. */
export const ModelFacts = Type.Object({
  kind: Type.Literal('model'),
  /** Of the file format: 8 is the format of Rhino 8. */
  archiveVersion: Type.Integer(),
  /** What wrote it, with its version as far as the file says: `Rhinoceros 8`, `8.17.25029.6002`. */
  application: Optional,
  applicationVersion: Optional,
  createdBy: Optional,
  createdAt: OptionalTime,
  editedBy: Optional,
  editedAt: OptionalTime,
  /** How often it was saved; 0 if the file does not say. */
  revision: Type.Integer(),
  notes: Type.String(),
  /** Null if the file has none. */
  units: Type.Union([
    Type.Object({
      /** `millimeters`, or the name of custom units. */
      name: Type.String(),
      /** Null for files without units. */
      metersPerUnit: Type.Union([Type.Number(), Type.Null()]),
      /** In these units. */
      absoluteTolerance: Type.Number(),
      angleToleranceDegrees: Type.Number(),
    }),
    Type.Null(),
  ]),
  /** Each after its parent, in file order; the first ones if the file has more. */
  layers: Type.Array(ModelLayer),
  layerCount: Type.Integer(),
  /** Without members of blocks. */
  objects: Type.Array(Type.Object({ type: ObjectType, count: Type.Integer() })),
  objectCount: Type.Integer(),
  blocks: Type.Array(
    Type.Object({
      name: Type.String(),
      /** How many objects it consists of. */
      objects: Type.Integer(),
      /** The file that it is linked to. Null: it is in this file alone. */
      linkedFile: Optional,
    }),
  ),
  blockCount: Type.Integer(),
  /** Their different names. */
  materials: Type.Array(Type.String()),
  materialCount: Type.Integer(),
  unread: Type.Array(UnreadPart),
})
export type ModelFacts = Static<typeof ModelFacts>

const LibraryFacts = {
  name: Type.String(),
  nickname: Type.String(),
  description: Type.String(),
  /** Who made it, as far as the file says. */
  author: Optional,
  /** How many nodes its contents have. Null: it has no contents, or they are locked. */
  nodes: Type.Union([Type.Integer(), Type.Null()]),
}

/** What a user object (`.ghuser`) says about itself: an object that is placed from the component tabs. */
export const UserObjectFacts = Type.Object({
  kind: Type.Literal('user_object'),
  ...LibraryFacts,
  /** Where it is in the component tabs. */
  category: Type.String(),
  subcategory: Type.String(),
  /** The class id of the object that it places. */
  componentId: Type.String(),
  /** The name of that class; null if it is not a standard component. */
  componentName: Optional,
})
export type UserObjectFacts = Static<typeof UserObjectFacts>

/** What a cluster file (`.ghcluster`) says about itself. */
export const ClusterFacts = Type.Object({ kind: Type.Literal('cluster'), ...LibraryFacts })
export type ClusterFacts = Static<typeof ClusterFacts>

/** What a file of the tree that is not a document says about itself, as read when it was imported. */
export const FileFacts = Type.Union([ModelFacts, UserObjectFacts, ClusterFacts])
export type FileFacts = Static<typeof FileFacts>
