import type { GraphContent } from '@meadow/document'
import type { ArchiveForm } from '../../archive/write-archive.ts'

/** What a definition is written from. A `Document` of the contract is one as it is. */
export interface DefinitionDocument extends GraphContent {
  name: string
  /** Any text. What is made new gets its DocumentID from it, else from the name. */
  id?: string
  /** ISO 8601, UTC. The date of what is made new; without it, the year 2000. */
  updatedAt?: string
}

export interface WriteOptions {
  /** The bytes of the .gh or .ghx file that the document was imported from. */
  original?: Uint8Array
  /** Default `gh`. */
  form?: ArchiveForm
}

export interface WrittenDefinition {
  /** A .gh or .ghx file. The same for the same input. */
  bytes: Uint8Array
  /** What of the document is not in the file, or not as it is in the document. Empty for most documents. */
  warnings: WriteWarning[]
}

/** Something of the document that a Grasshopper file cannot say. */
export interface WriteWarning {
  kind: WriteWarningKind
  /** The node, port or group that it is about. */
  nodeInstanceId?: string
  portInstanceId?: string
  groupId?: string
  /** A sentence for the person whose document it is. */
  message: string
}

export type WriteWarningKind =
  /** The document breaks a rule of a valid graph and was written as `repairGraph` mends it. */
  | 'repaired'
  /** A wire that would close a cycle, which Grasshopper refuses, is not in the file. */
  | 'cyclic_wire_left_out'
  /** An id is no GUID; the file has one that is derived from it. */
  | 'id_replaced'
  /** What a node of this class keeps is not known, here or from the original; neither it nor its wires are in the file. */
  | 'unknown_component_left_out'
  /** What a node of a plug-in or a cluster keeps beside what the document shows is not known; the file has none of it. */
  | 'hidden_content_missing'
  /** The same, but another of its kind is in the original, and the file has a copy of what that one keeps. */
  | 'hidden_content_copied'
  /** A value that the port's type cannot hold; the file has null in its place. */
  | 'value_left_out'
  /** A value that is written as another type. */
  | 'value_converted'
  /** A value of a kind that no real file holds in such a port: Grasshopper may not take it. */
  | 'value_uncertain'
  /** Ports were added, removed, moved or given another type where Grasshopper does not allow it; they are as they were. */
  | 'ports_kept'
  /** A fact of a node, port or group that its kind has no place for. */
  | 'fact_left_out'
