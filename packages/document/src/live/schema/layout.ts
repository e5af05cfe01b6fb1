import * as Y from 'yjs'

/**
 * The Yjs client that writes the first content of a document, so that the same content always has the same bytes.
 * No editor uses it, and almost every other client has a higher number.
 */
export const FIRST_CLIENT = 1

/** The key of the creation record: the JSON text of a node or group as it was added. It never changes. */
export const CREATION_RECORD = 'born'

/** A node or group: the JSON text of its creation record, and of each property edited since, by property key. */
export type PropertyMap = Y.Map<string>

/** All shared types of a live document. */
export interface Roots {
  nodes: Y.Map<PropertyMap>
  groups: Y.Map<PropertyMap>
  /** The pins by pin key. */
  pins: Y.Map<string>
}

export function getRoots(doc: Y.Doc): Roots {
  return { nodes: doc.getMap('nodes'), groups: doc.getMap('groups'), pins: doc.getMap('pins') }
}

export const ROOT_NAMES = ['nodes', 'groups', 'pins'] as const satisfies readonly (keyof Roots)[]
export type RootName = (typeof ROOT_NAMES)[number]

/** Whether a value in `nodes` or `groups` is a node or group: an update may put anything there. */
export const isPropertyMap = (value: unknown): value is PropertyMap => value instanceof Y.Map

/**
 * The keys of a shared record in the order in which they were first written: those of the first content in its order,
 * then the others by Yjs client. The order is the same in every copy of the document.
 */
export function listKeysByCreation(record: Roots[RootName]): string[] {
  const written = [...record.keys()].map((key) => ({ key, id: record._map.get(key)!.id }))
  written.sort((a, b) => a.id.client - b.id.client || a.id.clock - b.id.clock)
  return written.map(({ key }) => key)
}
