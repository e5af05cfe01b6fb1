import type { DocumentId } from '@meadow/contract'
import type { Write } from './database.ts'
import type { DocumentKey, FolderKey, TeamKey } from './tables.ts'

/** The entry of a document, which follows from its row and its folder's path. */
export interface IndexedDocument {
  id: DocumentKey
  publicId: DocumentId
  team: TeamKey
  /** The folders from the root to the one that the document is in. */
  folders: readonly FolderKey[]
  /** The name, folded by `foldName`. */
  nameFolded: string
  /** Milliseconds since 1970, from 0 to `MAX_TIME`. */
  updatedAt: number
}

/** The changes of a transaction to the index: a document that is moved or renamed is in both lists. */
export interface IndexChange {
  /** The entries to remove, each exactly as it was added. */
  remove: readonly IndexedDocument[]
  add: readonly IndexedDocument[]
}

export interface IndexQuery {
  team: TeamKey
  /** The text, folded like the names; every document matches an empty text. */
  textFolded: string
  /**
   * Restricts the search to the last of these folders, at any depth. The folders before it are those above it, from the
   * root.
   */
  folders?: readonly FolderKey[] | undefined
  /** The maximum number of documents. */
  limit: number
}

/**
 * Finds documents by a part of their name without reading all of them. A document's row and its entry change in the
 * same transaction.
 */
export interface SearchIndex {
  /**
   * Applies a change. Call it once in a transaction, after the rows are written: many documents together cost less than
   * one by one.
   */
  apply(write: Write, change: IndexChange): Promise<void>
  /** Makes the index again from the documents, when many were written without `apply`. */
  rebuild(write: Write): Promise<void>
  /**
   * Finds documents in the order of decision 18: names that start with the text, then the others; the newest first;
   * ties by id.
   */
  find(query: IndexQuery): Promise<DocumentKey[]>
  /**
   * Prepares a search that returns the rows of `select` instead: SQL that both databases understand over the found
   * documents, `found (position, id)`. On PostgreSQL the two are one statement.
   */
  prepareRead<Row>(select: string): (query: IndexQuery) => Promise<Row[]>
}

/**
 * A name is indexed by its grams: every sequence of one to four of its characters, and separately those at its start.
 * A text of up to four characters is one gram, so one list has exactly the names that contain it. A longer text is
 * searched by its grams, of which those across words are rare even when the words are not.
 * Tokens include the team, so that a list has no documents of other teams.
 */
const LONGEST_GRAM = 4

/** A long text is searched by this number of its grams at most: more would cost more than they exclude. */
const MAX_GRAMS_OF_A_TEXT = 24

/** Returns the tokens that a document is found by. */
export function tokensOf({ team, nameFolded, folders }: IndexedDocument): Set<string> {
  const tokens = new Set([inTeam(team), ...folders.map(inFolder)])
  const characters = [...nameFolded]
  for (const start of characters.keys()) {
    const longest = Math.min(LONGEST_GRAM, characters.length - start)
    for (let length = 1; length <= longest; length++) {
      const gram = characters.slice(start, start + length).join('')
      tokens.add(anywhere(team, gram))
      if (start === 0) tokens.add(atStart(team, gram))
    }
  }
  return tokens
}

/** Tokens that all results of a query have; other documents may have them too. */
export interface QueryTokens {
  /** The tokens of names that start with the text. */
  start: string[]
  /** The grams of the text, which all names that contain it have. Empty for an empty text. */
  grams: string[]
  /** The token of the folder that the query is restricted to. */
  folder: string | undefined
  /** The token of the team. */
  team: string
}

export function tokensOfQuery({ team, textFolded, folders }: IndexQuery): QueryTokens {
  const characters = [...textFolded]
  const folder = folders?.at(-1)
  const start = characters.slice(0, LONGEST_GRAM).join('')
  return {
    start: start ? [atStart(team, start)] : [],
    grams: gramsOfText(characters).map((gram) => anywhere(team, gram)),
    folder: folder === undefined ? undefined : inFolder(folder),
    team: inTeam(team),
  }
}

/** Returns the longest grams of a text; of a very long text only some, spread over its length. */
function gramsOfText(characters: string[]): string[] {
  if (characters.length <= LONGEST_GRAM) return characters.length > 0 ? [characters.join('')] : []
  const last = characters.length - LONGEST_GRAM
  const step = Math.max(1, last / (MAX_GRAMS_OF_A_TEXT - 1))
  const grams = new Set<string>()
  for (let start = 0; start <= last; start += step) {
    grams.add(characters.slice(Math.floor(start), Math.floor(start) + LONGEST_GRAM).join(''))
  }
  return [...grams]
}

const inTeam = (team: number) => team.toString(36)

const anywhere = (team: number, gram: string) => `${inTeam(team)}.${gram}`

const atStart = (team: number, gram: string) => `${inTeam(team)}^${gram}`

const inFolder = (folder: number) => `/${folder.toString(36)}`
