import type { GraphContent, Node } from '@meadow/document'
import type { Archive, Chunk } from '../../archive/tree/archive.ts'
import type { Note } from '../model/definition.ts'
import type { DefinitionObject } from '../model/definition-object.ts'
import type { Reading } from '../model/reading.ts'
import type { FindOpaqueItem } from './values/original-items.ts'
import type { WriteWarning } from './written-definition.ts'

/** The archive that a document is written into: the original, or a new definition without objects. */
export interface Target {
  archive: Archive
  definition: Chunk
  /** Nodes and groups in the order of the file. */
  objects: readonly DefinitionObject[]
  /** The objects that are nodes, by class. */
  objectsByClass: ReadonlyMap<string, readonly DefinitionObject[]>
  /** The graph in the archive before anything is written. */
  content: GraphContent
  notes: readonly Note[]
  /** How `content` was read. */
  reading: Reading
}

export type Warn = (warning: WriteWarning) => void

/** The shared context of the steps that write a definition. */
export interface WriteContext {
  warn: Warn
  findOpaqueItem: FindOpaqueItem
}

/** The name of a node in a warning: `"Rail" (Curve)`. */
export function describeNode({ name, nickName }: Node): string {
  const shown = nickName === '' || nickName === name ? '' : `"${nickName}" `
  return shown === '' ? name || 'A nameless node' : `${shown}(${name})`
}
