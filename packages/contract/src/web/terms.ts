import type { UnsolvableNode } from './app-documents.ts'
import type { Mirror, MirrorRunState } from './mirrors.ts'

/* The words and numbers of the web app's API without its shapes, as ../terms.ts has those of the API. */

export * from './app-errors.ts'
export * from './app-pages.ts'
export * from './compact-scene.ts'
export * from './fresh-sign-in.ts'
export * from './scene.ts'

/** The kinds of files of the tree that are not documents, with their extensions. */
export const FILE_KINDS = {
  model: '.3dm',
  user_object: '.ghuser',
  cluster: '.ghcluster',
  text: '.txt',
  csv: '.csv',
} as const
export type FileKind = keyof typeof FILE_KINDS
/** The kinds of files that hold an object to be placed. */
export const LIBRARY_KINDS = ['user_object', 'cluster'] as const satisfies FileKind[]
export type LibraryKind = (typeof LIBRARY_KINDS)[number]
/** The kinds of files that hold a text, which a document reads by its name. */
export const TEXT_KINDS = ['text', 'csv'] as const satisfies FileKind[]
export type TextKind = (typeof TEXT_KINDS)[number]

/** Whether a file holds an object to be placed. */
export const isLibraryKind = (kind: FileKind): kind is LibraryKind =>
  LIBRARY_KINDS.some((known) => known === kind)

/** Returns the kind of a file by its name; undefined for definitions and everything else. */
export function findFileKind(fileName: string): FileKind | undefined {
  const name = fileName.toLowerCase()
  return (Object.keys(FILE_KINDS) as FileKind[]).find((kind) => name.endsWith(FILE_KINDS[kind]))
}

/** The kinds of authors of a document's changes. An `agent` is a program that edits in the name of a person. */
export const CHANGE_AUTHOR_KINDS = ['person', 'agent', 'import', 'operator'] as const
export type ChangeAuthorKind = (typeof CHANGE_AUTHOR_KINDS)[number]

/**
 * Why a version was kept. `created`: the document was made. `pause`: editing paused, or had gone on for a while, or much
 * was about to be removed. `import`: a file was imported, before and after it. `solve`: someone asked for a solve.
 * `restore`: before a version was restored. `manual`: someone named the document as it was.
 */
export const VERSION_KINDS = ['created', 'pause', 'import', 'solve', 'restore', 'manual'] as const
export type VersionKind = (typeof VERSION_KINDS)[number]

/**
 * Why a solve began. `asked`: a person or a command asked for it. `automatic`: it follows from a change of the document,
 * or from opening one that was never solved.
 */
export const SOLVE_CAUSES = ['asked', 'automatic'] as const
export type SolveCause = (typeof SOLVE_CAUSES)[number]

/** Credits are counted in tenths, in whole numbers, so that sums are exact. A credit is a second of processor time. */
export const TENTHS_PER_CREDIT = 10

/** Converts tenths of a credit to credits, such as 123 to 12.3. */
export const toCredits = (tenths: number): number => tenths / TENTHS_PER_CREDIT

/** The longest name of a version, in characters. */
export const MAX_VERSION_NAME = 200

/** The longest comment, in UTF-16 code units. */
export const MAX_COMMENT_LENGTH = 5000

/** A mention in the text of a comment: the id of a user after an at sign. */
export const MENTION = /@(usr_[a-z0-9]{16})(?![a-z0-9])/g

/** The maximum size of a `FileFacts` as JSON, in bytes. Lists are shortened until it fits. */
export const MAX_FACTS_BYTES = 100_000

/**
 * Describes why a node cannot be solved, in the words under which nodes are listed and counted: each plug-in and
 * version is one cause.
 */
export function describeCause({
  kind,
  reason,
  library,
}: Pick<UnsolvableNode, 'kind' | 'reason' | 'library'>): string {
  if (kind !== 'plugin') return reason
  if (!library) return 'A plug-in that the file does not name'
  return `Plug-in ${[library.name, library.version].filter(Boolean).join(' ')}`
}

/**
 * What became of a file in a run. `restored`: it was back, and so is what belongs to it. `binned`: it is no longer in the
 * folder, and what belongs to it was put into the bin; `gone`: that stays where it is. `left_in_bin`: people have put it
 * into the bin. `conflict`: people have edited its document, which stays as it is. `skipped`: a link to a folder.
 */
export const MIRROR_OUTCOMES = [
  'created',
  'updated',
  'moved',
  'restored',
  'binned',
  'gone',
  'left_in_bin',
  'conflict',
  'failed',
  'skipped',
] as const
export type MirrorOutcome = (typeof MIRROR_OUTCOMES)[number]

/** The age from which the last complete run is late: a mirror is expected to run every night. */
const LATE_AFTER_MS = 36 * 3600 * 1000

/**
 * A mirror is `new` until its first run, and `late` when no run has looked at the whole folder for a day and a half.
 */
export type MirrorState = Exclude<MirrorRunState, 'done'> | 'new' | 'fine' | 'late'

/** Returns the state of a mirror for people. `now` is in milliseconds since 1970. */
export function findMirrorState(
  mirror: Pick<Mirror, 'createdAt' | 'isWatched' | 'completedAt' | 'lastRun'>,
  now: number,
): MirrorState {
  const { createdAt, isWatched, completedAt, lastRun } = mirror
  if (lastRun && lastRun.state !== 'done' && lastRun.state !== 'partial') return lastRun.state
  const isLate = !isWatched && now - Date.parse(completedAt ?? createdAt) > LATE_AFTER_MS
  if (isLate) return 'late'
  if (!lastRun) return 'new'
  return lastRun.state === 'done' ? 'fine' : 'partial'
}

/** The number of values of a result that the player shows. */
export const RESULT_VALUES = 20

/**
 * Returns the form in which names are compared: Unicode case folding, with canonically equivalent spellings made equal
 * and diacritics kept (decision 17). The server and the web app compute it here, for stored names, for queries and for
 * what is marked in results, since databases and browsers have functions that differ. The result has no lower-case ASCII
 * letters. Upper case after lower case also makes those equal that fold one way only (ß and SS); the dotted I needs a
 * rule.
 */
export function foldName(name: string): string {
  return name
    .toWellFormed()
    .normalize('NFD')
    .toLowerCase()
    .toUpperCase()
    .normalize('NFD')
    .replace(/I\u0307/g, 'I')
    .normalize('NFC')
}
