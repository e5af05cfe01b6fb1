import type { DocumentKey, Key, Milliseconds, TeamKey, UsedThingKey } from './column-types.ts'

/** What documents of a team use: a component, a plug-in, a script. It may have no `document_use` any more. */
export interface UsedThingTable {
  id: Key<UsedThingKey>
  team_id: TeamKey
  kind: string
  /** With `kind` and `version`, unique in the team. */
  key: string
  /** Of a plug-in; empty for any version, and for everything else. */
  version: string
  name: string
  /** By which it is found: `foldName` of the name, a line feed, and the detail. */
  words_folded: string
  detail: string
  /** Of a script: its text in lower case. */
  script: string | null
}

/** A document uses something. */
export interface DocumentUseTable {
  document_id: DocumentKey
  thing_id: UsedThingKey
  nodes: number
  /** Nodes inside clusters. */
  nested: number
}

/** What the index of uses knows of a document as a whole. */
export interface DocumentGraphTable {
  document_id: DocumentKey
  nodes: number
  /** Equal for duplicates; null where that is not known, and for a document without nodes. */
  graph_hash: string | null
  /** Equal for equal rows of `document_use`. */
  uses_hash: string
  /** Why a part of the document is not in the index, or all of it: a sentence. */
  gap: string | null
  /** 0 for a document that takes too much time or memory to read. */
  is_read: 0 | 1
  indexed_at: Milliseconds
}

/** One row: what made the index of uses. */
export interface UsesReaderTable {
  id: 1
  version: string
}
