import Type, { type Static } from 'typebox'
import { Timestamp } from '../ids.ts'
import { TEXT_KINDS } from './terms.ts'

/** A text that is null when the file does not contain it. */
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
  /** The full path of the layer with its parent layers, as Rhino writes it: `Building::Walls`. */
  path: Type.String(),
  /** The depth of the layer: 0 without a parent layer. */
  depth: Type.Integer(),
  /** The colour as `#rrggbb`. */
  colour: Type.String(),
  visible: Type.Boolean(),
  locked: Type.Boolean(),
  /** The number of objects directly on the layer, without members of blocks. */
  objects: Type.Integer(),
})
export type ModelLayer = Static<typeof ModelLayer>

/** A part of a model file that could not be read. */
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
  /** The version of the file format: 8 is the format of Rhino 8. */
  archiveVersion: Type.Integer(),
  /**
   * The program that wrote the file, with its version as far as the file contains them: `Rhinoceros 8`,
   * `8.17.25029.6002`.
   */
  application: Optional,
  applicationVersion: Optional,
  createdBy: Optional,
  createdAt: OptionalTime,
  editedBy: Optional,
  editedAt: OptionalTime,
  /** How often the file was saved; 0 if the file does not say. */
  revision: Type.Integer(),
  notes: Type.String(),
  /** Null if the file has no units. */
  units: Type.Union([
    Type.Object({
      /** The name of the units, such as `millimeters`, or the name of custom units. */
      name: Type.String(),
      /** The length of the unit in metres; null for files without units. */
      metersPerUnit: Type.Union([Type.Number(), Type.Null()]),
      /** The absolute tolerance in these units. */
      absoluteTolerance: Type.Number(),
      angleToleranceDegrees: Type.Number(),
    }),
    Type.Null(),
  ]),
  /** The layers in file order, each after its parent; only the first ones if the file has more. */
  layers: Type.Array(ModelLayer),
  layerCount: Type.Integer(),
  /** The numbers of objects by type, without members of blocks. */
  objects: Type.Array(Type.Object({ type: ObjectType, count: Type.Integer() })),
  objectCount: Type.Integer(),
  blocks: Type.Array(
    Type.Object({
      name: Type.String(),
      /** The number of objects that the block consists of. */
      objects: Type.Integer(),
      /** The file that the block is linked to. Null: it is in this file alone. */
      linkedFile: Optional,
    }),
  ),
  blockCount: Type.Integer(),
  /** The different names of the materials. */
  materials: Type.Array(Type.String()),
  materialCount: Type.Integer(),
  unread: Type.Array(UnreadPart),
})
export type ModelFacts = Static<typeof ModelFacts>

const LibraryFacts = {
  name: Type.String(),
  nickname: Type.String(),
  description: Type.String(),
  /** The author of the object, as far as the file says. */
  author: Optional,
  /** The number of nodes in its contents. Null: it has no contents, or they are locked. */
  nodes: Type.Union([Type.Integer(), Type.Null()]),
}

/** What a user object (`.ghuser`) says about itself: an object that is placed from the component tabs. */
export const UserObjectFacts = Type.Object({
  kind: Type.Literal('user_object'),
  ...LibraryFacts,
  /** The place of the object in the component tabs. */
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

/** What is known of a text (`.txt`) or table (`.csv`). */
export const TextFacts = Type.Object({
  kind: Type.Enum([...TEXT_KINDS]),
  lines: Type.Integer(),
  /** The first lines, cut to 2,000 characters. */
  start: Type.String(),
})
export type TextFacts = Static<typeof TextFacts>

/** What a file of the tree that is not a document says about itself, as read when it was imported. */
export const FileFacts = Type.Union([ModelFacts, UserObjectFacts, ClusterFacts, TextFacts])
export type FileFacts = Static<typeof FileFacts>
