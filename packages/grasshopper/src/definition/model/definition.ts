import type { Author, GraphContent, Repair } from '@meadow/document'
import type { Archive, Chunk, Miscount } from '../../archive/tree/archive.ts'

/** A definition as a node graph, with the data of the file that the graph does not contain. */
export interface Definition {
  /** The graph, which is valid: `repairGraph` changes nothing in it, and its wires form no cycle. */
  content: GraphContent
  /** The parts of the file that `content` lacks, or has in another form. Empty for most files. */
  notes: Note[]
  header: DefinitionHeader
  /** The bytes of a PNG file: the canvas when it was saved. */
  thumbnail?: Uint8Array
  /** The whole file. */
  original: Archive
  /** The `Object` chunks of `original` by instance id, groups too. */
  objects: ReadonlyMap<string, Chunk>
}

export interface DefinitionHeader {
  /** `0.2.2` */
  archiveVersion?: string
  /** `1.0.8` is Grasshopper 1 in Rhino 8. */
  pluginVersion?: string
  /** The id of the definition, which its copies share. */
  documentId?: string
  /** The name of the file when it was saved. */
  name: string
  description: string
  /** `2024-03-01T12:30:00.000`: local time in an unknown time zone. */
  savedAt?: string
  author?: Author
  /** The view of the canvas: a screen pixel is canvas × zoom + (x, y). */
  view?: { x: number; y: number; zoom: number }
  /** The plug-ins that the objects come from. */
  libraries: Library[]
}

export interface Library {
  id: string
  name: string
  author: string
  version: string
}

/** A part of the file that the graph lacks or changes. */
export type Note =
  /** A wire whose sender is not in the file. */
  | { kind: 'dropped_wire'; nodeInstanceId: string; portInstanceId: string; senderId: string }
  /** Literal geometry whose bytes cannot be read; the value is `unknown`. */
  | { kind: 'unreadable_geometry'; nodeInstanceId: string; portInstanceId: string }
  /** Literal geometry beyond the limit of one definition; the value has no `geometry`. */
  | { kind: 'geometry_left_out'; nodeInstanceId: string; portInstanceId: string }
  /** A port of a component that the file leaves out; it has the default of its kind. */
  | { kind: 'port_left_out'; nodeInstanceId: string; portInstanceId: string }
  /** A list that announces another number than it holds, and is read as it is. */
  | ({ kind: 'miscounted' } & Miscount)
  /** Any other violation of the rules of a valid graph. */
  | { kind: 'repaired'; repair: Repair }
