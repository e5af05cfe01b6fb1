import type { FolderKey, TeamKey } from '../tables.ts'

/**
 * A name is indexed by its grams: every sequence of one to four characters and of eight, and separately those at its
 * start. A text of such a length is one gram, so one list has exactly the names that contain it. So that a search in a
 * folder reads no long lists of the whole team, the grams of three characters are indexed once more for the topmost
 * folder below the root that the document is in: its project.
 */
const LENGTHS = [1, 2, 3, 4, 8]
const SHORT_GRAM = 4
const LONG_GRAM = 8
const PROJECT_GRAM = 3

/** What determines the tokens of a document. */
export interface TokenSource {
  team: TeamKey
  /** The folders from the root to the one that the document is in. */
  folders: readonly FolderKey[]
  nameFolded: string
}

/** Returns the tokens that a document is found by, as the text that is indexed. */
export function tokenText({ team, folders, nameFolded }: TokenSource): string {
  const name = readCharacters(nameFolded)
  const [, project] = folders
  let text = inTeam(team)
  for (const folder of folders) text += ` ${inFolder(folder)}`
  for (const length of LENGTHS) {
    for (const gram of gramsOf(name, length)) text += ` ${anywhere(inTeam(team), gram)}`
    if (length <= name.length) text += ` ${atStart(inTeam(team), cut(name, 0, length))}`
  }
  if (project !== undefined) {
    for (const gram of gramsOf(name, PROJECT_GRAM)) text += ` ${anywhere(inFolder(project), gram)}`
  }
  return text
}

const gramsOf = (name: Characters, length: number): string[] =>
  Array.from({ length: Math.max(0, name.length - length + 1) }, (_, start) => cut(name, start, length))

/** The tokens that a search reads. */
export interface QueryTokens {
  /** The tokens that all found documents have. */
  anywhere: string[]
  /** The tokens of all documents whose names start with the text. Empty for an empty text. */
  start: string[]
  /** Whether every document with the tokens is found. Otherwise their names are compared. */
  isExact: boolean
}

export interface TokenQuery {
  team: TeamKey
  textFolded: string
  /** The folder that the search is restricted to, preceded by those above it. */
  folders?: readonly FolderKey[] | undefined
}

export function tokensOfQuery({ team, textFolded, folders = [] }: TokenQuery): QueryTokens {
  const text = readCharacters(textFolded)
  const [, project, ...deeper] = folders
  const folder = (deeper.at(-1) ?? project) as FolderKey | undefined
  if (text.length === 0) {
    return { anywhere: [folder === undefined ? inTeam(team) : inFolder(folder)], start: [], isExact: true }
  }
  const ofFolder = project === undefined ? [] : tokensOfFolder(text, project, folder!)
  const isExact = LENGTHS.includes(text.length)
  const length = isExact ? text.length : text.length > LONG_GRAM ? LONG_GRAM : SHORT_GRAM
  const grams = length === LONG_GRAM ? chooseLongGrams(text) : endsOf(text, length)
  // The project's list of the same gram is a part of the team's.
  const isInProject = text.length === PROJECT_GRAM && ofFolder.length > 0
  const all = [...(isInProject ? [] : grams.map((gram) => anywhere(inTeam(team), gram))), ...ofFolder]
  const start = atStart(inTeam(team), cut(text, 0, length))
  return { anywhere: all, start: isExact ? [start, ...ofFolder] : [start, ...all], isExact }
}

/** Returns the tokens of documents in a folder whose names may contain the text. */
function tokensOfFolder(text: Characters, project: FolderKey, folder: FolderKey): string[] {
  if (text.length < PROJECT_GRAM) return [inFolder(folder)]
  const grams = endsOf(text, PROJECT_GRAM).map((gram) => anywhere(inFolder(project), gram))
  return folder === project ? grams : [...grams, inFolder(folder)]
}

/** Returns the first and the last gram of a text. */
const endsOf = (text: Characters, length: number): string[] => [
  ...new Set([cut(text, 0, length), cut(text, text.length - length, length)]),
]

/** A long text is searched by this number of its long grams at most: more lists cost more than they exclude. */
const MAX_LONG_GRAMS = 3
const MIN_DISTANCE = LONG_GRAM / 2

/** Chooses some long grams of a text: those across words first, which are rare even when the words are not. */
function chooseLongGrams(text: Characters): string[] {
  const starts = Array.from({ length: text.length - LONG_GRAM + 1 }, (_, start) => start)
  const rarity = starts.map((start) => rarityOf(text, start))
  const chosen: number[] = []
  for (const start of starts.toSorted((a, b) => rarity[b]! - rarity[a]!)) {
    if (chosen.every((other) => Math.abs(other - start) >= MIN_DISTANCE)) chosen.push(start)
    if (chosen.length === MAX_LONG_GRAMS) break
  }
  return chosen.map((start) => cut(text, start, LONG_GRAM))
}

/** Rates how rare a gram is: the nearer to its middle it has the end of a word, the rarer it is. */
function rarityOf(text: Characters, start: number): number {
  let rarity = 0
  for (let at = 1; at < LONG_GRAM - 1; at++) {
    if (!LETTER.test(text[start + at]!)) rarity = Math.max(rarity, Math.min(at, LONG_GRAM - 1 - at))
  }
  return rarity
}

const LETTER = /\p{L}/u

const inTeam = (team: TeamKey) => team.toString(36)

const inFolder = (folder: FolderKey) => `/${folder.toString(36)}`

/** Returns the token for a gram of a name in a team or a project. */
const anywhere = (scope: string, gram: string) => `${scope}.${gram}`

const atStart = (team: string, gram: string) => `${team}^${gram}`

/** The characters of a name as they are in tokens: a string where each is one code unit. */
type Characters = string | readonly string[]

const cut = (characters: Characters, start: number, length: number) =>
  typeof characters === 'string'
    ? characters.slice(start, start + length)
    : characters.slice(start, start + length).join('')

/**
 * The tokenizer of `document_search` (schema/sqlite.sql) splits only at these, and turns A to Z into lower case, which
 * folded names do not contain, so that no two tokens become the same.
 */
const SEPARATORS = /[\0-\x20\x7f]/g
/** The characters of two code units, and those that stand for others in tokens. */
const UNUSUAL = /[\ud800-\udfff\ue000-\ue100]/
const ESCAPE = '\ue100'

/** Reads the characters of a name. Separators become private-use characters, and private-use characters are escaped. */
function readCharacters(text: string): Characters {
  if (!UNUSUAL.test(text)) return text.replace(SEPARATORS, standFor)
  return Array.from(text, (character) =>
    character >= '\ue000' && character <= ESCAPE
      ? ESCAPE + character
      : character.replace(SEPARATORS, standFor),
  )
}

const standFor = (separator: string) => String.fromCharCode(0xe000 + separator.charCodeAt(0))

/** Returns the FTS5 query for documents that have all of `tokens`. */
export const matchAll = (tokens: readonly string[]): string =>
  tokens.map((token) => `"${token.replaceAll('"', '""')}"`).join(' AND ')
