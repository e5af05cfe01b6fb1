import { isDeepStrictEqual } from 'node:util'
import type { DataTree, DataValue, GraphContent } from '@meadow/document'
import type { Chunk } from '../../../archive/archive.ts'
import type { DefinitionObject } from '../../objects/definition-object.ts'
import { listPorts } from '../../ports/list-ports.ts'
import { contentOf, listOpaqueItems } from './kept-items.ts'

/** An Item chunk of the original that says the same as a value; `isOnly`: none that says it holds anything else. */
export interface OpaqueItem {
  chunk: Chunk
  isOnly: boolean
}

/** Finds a value that only a chunk tells whole (a material, loft options, a plug-in's own) in ports of one type. */
export type FindOpaque = (value: DataValue, typeName: string) => OpaqueItem | undefined

/** Looks through the original at once, before anything in it is changed. */
export function createFindOpaque(objects: readonly DefinitionObject[], content: GraphContent): FindOpaque {
  const known = index(objects, content)
  return (value, typeName) => known.get(keyOf(value, typeName))
}

const keyOf = (value: DataValue, typeName: string) => `${typeName} ${contentOf(value)}`

function index(objects: readonly DefinitionObject[], content: GraphContent): Map<string, OpaqueItem> {
  const found = new Map<string, OpaqueItem>()
  for (const object of objects) {
    const node = content.nodes[object.instanceId]
    if (!node || !Object.values(node.values).some(isOpaque)) continue
    const { inputs, outputs } = listPorts(object)
    for (const { id, chunk: port } of [...inputs, ...outputs]) {
      const tree = node.values[id]
      for (const { value, chunk } of tree ? listOpaqueItems(port, tree) : []) {
        const key = keyOf(value, node.ports[id]?.typeName ?? '')
        const earlier = found.get(key)
        found.set(key, {
          chunk: earlier?.chunk ?? chunk,
          isOnly: !earlier || (earlier.isOnly && holdSame(earlier.chunk, chunk)),
        })
      }
    }
  }
  return found
}

function isOpaque({ branches }: DataTree): boolean {
  return branches.some(({ values }) => values.some((value) => value?.type === 'unknown'))
}

function holdSame(a: Chunk, b: Chunk): boolean {
  return isDeepStrictEqual([a.items, a.chunks], [b.items, b.chunks])
}
