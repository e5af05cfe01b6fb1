import * as Y from 'yjs'
import { isFacts, ROOT_NAMES, type RootName, type Roots } from '../layout.ts'

/** Where something stands in a live document: a node, group or pin, or a fact of a node or group. */
export interface Place {
  root: RootName
  /** The key of the node, group or pin. */
  id: string
  fact: string | undefined
}

/** The place of what was deleted with all around it: what is put there vanishes. */
export const GONE = 'gone'

export const isSamePlace = (a: Place | typeof GONE, b: Place | typeof GONE): boolean =>
  a === GONE || b === GONE ? a === b : a.root === b.root && a.id === b.id && a.fact === b.fact

/** The place of something that is in the document. */
export function findPlace(roots: Roots, struct: Y.Item | Y.GC): Place | typeof GONE {
  if (!(struct instanceof Y.Item) || struct.parentSub === null) return GONE
  const own = findRootName(roots, struct.parent)
  if (own) return { root: own, id: struct.parentSub, fact: undefined }
  const above = struct.parent instanceof Y.AbstractType ? struct.parent : undefined
  const root = findRootName(roots, above?.parent)
  const id = above?._item?.parentSub
  return root && typeof id === 'string' ? { root, id, fact: struct.parentSub } : GONE
}

/** The last that was written under a key of a record, deleted or not. */
export function findLast(record: unknown, key: string): Y.Item | undefined {
  return isFacts(record) ? record._map.get(key) : undefined
}

function findRootName(roots: Roots, type: unknown): RootName | undefined {
  return ROOT_NAMES.find((name) => roots[name] === type)
}
