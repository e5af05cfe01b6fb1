import type { GraphContent } from '@meadow/document'
import type { ArchiveForm } from '../../archive/write-archive.ts'
import type { Reading } from '../model/reading.ts'

/** The document to write. A `Document` of the contract is one. */
export interface DefinitionDocument extends GraphContent {
  name: string
  /** Any text. The DocumentID of a new file is derived from it, otherwise from the name. */
  id?: string
  /** ISO 8601, UTC. The date of a new file; by default in the year 2000. */
  updatedAt?: string
}

export interface WriteOptions {
  /** The bytes of the .gh or .ghx file that the document was imported from. */
  original?: Uint8Array
  /** The form of the file, by default `gh`. */
  form?: ArchiveForm
  /** How the document was read from the original; by default as it is read now. */
  reading?: Reading
}

export interface WrittenDefinition {
  /** A .gh or .ghx file, the same for the same input. */
  bytes: Uint8Array
  /** The parts of the document that the file lacks, or has in another form. Empty for most documents. */
  warnings: WriteWarning[]
}

/** A part of the document that the Grasshopper file lacks or changes. */
export interface WriteWarning {
  kind: WriteWarningKind
  /** The node, port or group that it is about. */
  nodeInstanceId?: string
  portInstanceId?: string
  groupId?: string
  /** A sentence to show to the user. */
  message: string
}

export type WriteWarningKind =
  /** The document breaks a rule of a valid graph and was written as repaired by `repairGraph`. */
  | 'repaired'
  /** A wire that closes a cycle, which Grasshopper rejects, is not in the file. */
  | 'cyclic_wire_left_out'
  /** An id is not a GUID; the file has a GUID derived from it. */
  | 'id_replaced'
  /** The content of a node's class is unknown, here and from the original; the node and its wires are not in the file. */
  | 'unknown_component_left_out'
  /** A node of a plug-in or a cluster has content that the document does not show; the file lacks it. */
  | 'hidden_content_missing'
  /** A node has content that the document does not show; the file has that of a node of its class in the original. */
  | 'hidden_content_copied'
  /** A value that the type of its port cannot hold; the file has null instead. */
  | 'value_left_out'
  /** A value that is written as another type. */
  | 'value_converted'
  /** A value of a kind that no known file has in such a port: Grasshopper may not accept it. */
  | 'value_uncertain'
  /** Ports were added, removed, moved or given another type although Grasshopper does not allow it; they are unchanged. */
  | 'ports_kept'
  /** A property of a node, port or group that its class cannot store. */
  | 'fact_left_out'
