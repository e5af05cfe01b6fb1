import type { Node } from '@meadow/document'
import type { Chunk, Item } from '../archive/tree/archive.ts'
import { readDefinition } from '../definition/read-definition.ts'
import { buildDefinition, buildId } from './build-archive.ts'

/** The node of the object with this number, read from a file that holds the objects. */
export function readNode(id: number, objects: readonly Chunk[], more: readonly (Item | Chunk)[] = []): Node {
  const node = readDefinition(buildDefinition(objects, more)).content.nodes[buildId(id)]
  if (!node) throw new Error(`No node ${id}`)
  return node
}

/** The value after JSON: records have the usual prototype. */
export function toJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value))
}
