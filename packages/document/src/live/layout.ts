import * as Y from 'yjs'

/**
 * The Yjs client that a document's first content is written by, so that whoever turns the same content into a live
 * document gets the same bytes. Nobody edits with it, and hardly anybody has a lower number.
 */
export const FIRST_CLIENT = 1

/** The text that a node or a group is born with, by the key that it stands under. Nobody changes it. */
export const BIRTH = 'born'

/** All facts of a node or a group: JSON text by `BIRTH` and by the keys of what was edited since. */
export type Facts = Y.Map<string>

/** The shared types of a live document; nothing else is in it. */
export interface Roots {
  nodes: Y.Map<Facts>
  groups: Y.Map<Facts>
  /** By the text of a pin's key. */
  pins: Y.Map<string>
}

export function getRoots(doc: Y.Doc): Roots {
  return { nodes: doc.getMap('nodes'), groups: doc.getMap('groups'), pins: doc.getMap('pins') }
}

export const ROOT_NAMES = ['nodes', 'groups', 'pins'] as const satisfies readonly (keyof Roots)[]
export type RootName = (typeof ROOT_NAMES)[number]

/** Whether a value is the facts of a node or group, whatever else may stand in its place. */
export const isFacts = (value: unknown): value is Facts => value instanceof Y.Map

/**
 * The keys of a shared record in the order that they were first written: those of the first content as they stood
 * there, then the others by who wrote them. The same wherever the document is read, whatever way it got there.
 */
export function listKeysByBirth(record: Roots[RootName]): string[] {
  const births = [...record.keys()].map((key) => ({ key, id: record._map.get(key)!.id }))
  births.sort((a, b) => a.id.client - b.id.client || a.id.clock - b.id.clock)
  return births.map(({ key }) => key)
}
