import type { GraphContent, Repair } from '@meadow/document'
import type { Archive, Chunk } from '../../archive/tree/archive.ts'

/** A definition as a node graph, with what the graph does not show. */
export interface Definition {
  /** Valid: `repairGraph` finds nothing in it, and its wires form no cycle. */
  content: GraphContent
  /** What of the file is not in `content`, or not as it was. Empty for most files. */
  notes: Note[]
  header: DefinitionHeader
  /** The bytes of a PNG file: the canvas when it was saved. */
  thumbnail?: Uint8Array
  /** All of the file. */
  original: Archive
  /** The `Object` chunks of `original` by instance id, groups too. */
  objects: ReadonlyMap<string, Chunk>
}

export interface DefinitionHeader {
  /** `0.2.2` */
  archiveVersion?: string
  /** `1.0.8` is Grasshopper 1 in Rhino 8. */
  pluginVersion?: string
  /** Not unique: copies of a definition share it. */
  documentId?: string
  /** The name of the file when it was saved. */
  name: string
  description: string
  /** `2024-03-01T12:30:00.000`: local time of an unknown place. */
  savedAt?: string
  author?: Author
  /** The plug-ins that the objects come from. */
  libraries: Library[]
}

export interface Author {
  name: string
  company: string
  email: string
  copyright: string
  website: string
}

export interface Library {
  id: string
  name: string
  author: string
  version: string
}

/** Something of the file that a reader of the document may want to know about. */
export type Note =
  /** A wire from something that the file does not hold. */
  | { kind: 'dropped_wire'; nodeInstanceId: string; portInstanceId: string; senderId: string }
  /** Typed-in geometry whose bytes could not be read; the value is `unknown`. */
  | { kind: 'unreadable_geometry'; nodeInstanceId: string; portInstanceId: string }
  /** Typed-in geometry beyond the limit of one definition; the value has no `geometry`. */
  | { kind: 'geometry_left_out'; nodeInstanceId: string; portInstanceId: string }
  /** A rule of a valid graph that the file breaks otherwise. */
  | { kind: 'repaired'; repair: Repair }
