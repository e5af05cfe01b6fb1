import type { DataValue, Node, NodeState } from '@meadow/document'
import type { Chunk, Item } from '../../archive/tree/archive.ts'
import type { DefinitionObject } from '../model/definition-object.ts'
import type { Reading } from '../model/reading.ts'
import type { Change } from './change.ts'

/** The content of a new object's Container. */
export type Parts = (Item | Chunk)[]

/** A kind of state, and how objects with it are read, written and created. */
export interface StateKind {
  /** The `kind` of the state; objects with values only have none. */
  kind?: NodeState['kind']
  /** The classes of the objects; kinds that are recognised by their items have none. */
  classes: readonly string[]
  /** Reads the state; undefined for an object that lacks it. */
  read?(object: DefinitionObject, reading: Reading): NodeState | undefined
  /** Reads the values that the user chose on the object itself, as one list. */
  choose?(container: Chunk): DataValue[]
  /** Writes the differences in the state and the chosen values. */
  write?(object: DefinitionObject, change: Change): void
  /** The content of a new object that depends on its kind, with Grasshopper's defaults. The state is written over it. */
  create?(node: Node): Parts
}
