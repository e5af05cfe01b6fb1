import type * as Y from 'yjs'
import { getRoots, type RootName } from './layout.ts'

/** Something in a live document that a transaction changed. */
export interface Change {
  root: RootName
  /** The node, group or pin. */
  id: string
  /** The key of its fact; undefined when all of it was added, replaced or removed. */
  fact: string | undefined
}

/** What a transaction changed, each thing once. */
export function listChanges({ doc, changed }: Y.Transaction): Change[] {
  const { nodes, groups, pins } = getRoots(doc)
  const names = new Map<unknown, RootName>([
    [nodes, 'nodes'],
    [groups, 'groups'],
    [pins, 'pins'],
  ])
  return [...changed].flatMap(([type, keys]): Change[] => {
    const [own, above] = [names.get(type), names.get(type.parent)]
    const texts = [...keys].filter((key) => key !== null)
    if (own) return texts.map((id) => ({ root: own, id, fact: undefined }))
    const id = type._item?.parentSub
    return above && typeof id === 'string' ? texts.map((fact) => ({ root: above, id, fact })) : []
  })
}
