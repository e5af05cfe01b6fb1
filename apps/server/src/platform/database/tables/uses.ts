import type { DocumentKey, Key, Milliseconds, TeamKey, UsedThingKey } from './column-types.ts'

/** The tables of `schema/uses.sql`. */
export interface UsesTables {
  used_thing: UsedThingTable
  document_use: DocumentUseTable
  document_graph: DocumentGraphTable
  uses_reader: UsesReaderTable
}

/** What documents of a team use: a component, a plug-in, a script. It may have no `document_use` any more. */
export interface UsedThingTable {
  id: Key<UsedThingKey>
  team_id: TeamKey
  kind: string
  /** The key of the thing, which is unique in the team together with `kind` and `version`. */
  key: string
  /** The version of a plug-in; empty for any version, and for everything else. */
  version: string
  name: string
  /** The words by which the thing is found: `foldName` of the name, a line feed, and the detail. */
  words_folded: string
  detail: string
  /** The text of a script in lower case. */
  script: string | null
}

/** A document's use of a thing. */
export interface DocumentUseTable {
  document_id: DocumentKey
  thing_id: UsedThingKey
  nodes: number
  /** The number of nodes inside clusters that use the thing. */
  nested: number
}

/** What the index of uses knows about a document as a whole. */
export interface DocumentGraphTable {
  document_id: DocumentKey
  nodes: number
  /** A hash that is equal for duplicates; null when it is unknown, and for a document without nodes. */
  graph_hash: string | null
  /** A hash that is equal for equal rows of `document_use`. */
  uses_hash: string
  /** A sentence about why a part of the document, or all of it, is not in the index. */
  gap: string | null
  /** 0 for a document that takes too much time or memory to read. */
  is_read: 0 | 1
  indexed_at: Milliseconds
}

/** The version of the code that made the index of uses, in one row. */
export interface UsesReaderTable {
  id: 1
  version: string
}
