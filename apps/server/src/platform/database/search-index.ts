import type { DocumentId } from '@meadow/contract'
import type { Write } from './database.ts'
import type { DocumentKey, FolderKey, TeamKey } from './tables.ts'

/** What the index knows of a document. All of it follows from the document's row and its folder's path. */
export interface IndexedDocument {
  id: DocumentKey
  publicId: DocumentId
  team: TeamKey
  /** The folders that the document is in, at any depth. */
  folders: readonly FolderKey[]
  /** `foldName` of the name. */
  nameFolded: string
  /** Milliseconds since 1970, from 0 to `MAX_TIME`. */
  updatedAt: number
}

/** What a transaction changes of the index: a document that moves, or is renamed, is in both lists. */
export interface IndexChange {
  /** Each exactly as it was added. */
  remove: readonly IndexedDocument[]
  add: readonly IndexedDocument[]
}

export interface IndexQuery {
  team: TeamKey
  /** Folded as the names are; empty: every document matches. */
  textFolded: string
  /** Only what is in this folder, at any depth. */
  folder?: FolderKey | undefined
  /** The most documents to answer with. */
  limit: number
}

/**
 * Finds documents by a part of their name without looking at all of them.
 * A document's row and its entry here change in the same transaction.
 */
export interface SearchIndex {
  /** Once in a transaction, after the rows are written: many documents at once cost less than each alone. */
  apply(write: Write, change: IndexChange): Promise<void>
  /** In the order of decision 18: names that start with the text, then the others; the newest first; ties by id. */
  find(query: IndexQuery): Promise<DocumentKey[]>
}

/**
 * A name is indexed by its grams: every run of one to four of its characters, and the same at its start.
 * A text of up to four characters is one gram, so one list holds exactly the names that contain it;
 * a longer text is looked for where its grams are, of which those between words are rare even where words are not.
 * Tokens carry the team, so that a list holds no other team's documents.
 */
export const LONGEST_GRAM = 4

/** More grams of a long text cost more than they still rule out. */
const MAX_GRAMS_OF_A_TEXT = 24

/** What a document is found by. */
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

/** Tokens that all the documents have that a query can find; others may have them too. */
export interface QueryTokens {
  /** Of those whose name starts with the text. */
  start: string[]
  /** Of those whose name contains the text: its grams. Without a text there are none. */
  grams: string[]
  /** Of all in the folder that the query is restricted to. */
  folder: string | undefined
  /** Of all of the team. */
  team: string
}

export function tokensOfQuery({ team, textFolded, folder }: IndexQuery): QueryTokens {
  const characters = [...textFolded]
  const start = characters.slice(0, LONGEST_GRAM).join('')
  return {
    start: start ? [atStart(team, start)] : [],
    grams: gramsOfText(characters).map((gram) => anywhere(team, gram)),
    folder: folder === undefined ? undefined : inFolder(folder),
    team: inTeam(team),
  }
}

/** The longest grams of a text: of a very long one some, from all of its parts. */
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
