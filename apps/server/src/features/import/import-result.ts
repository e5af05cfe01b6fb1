import type { DocumentId, TeamFileId } from '@meadow/contract'
import { describeCause } from '@meadow/contract/web/terms'
import type { Note } from '@meadow/grasshopper'
import type { Unsolvable } from '@meadow/solver'
import type { ImportedItem } from '../../library/imported.ts'

/**
 * What to do with a changed file whose document people have edited since it was imported: keep the document, replace
 * the edits, or create another document from the file.
 */
export const ON_CONFLICT = ['keep', 'replace', 'copy'] as const
export type OnConflict = (typeof ON_CONFLICT)[number]

/** What to do with a document whose file is no longer in the folder: leave it, or put it into the bin. */
export const ON_GONE = ['keep', 'bin'] as const
export type OnGone = (typeof ON_GONE)[number]

/**
 * What became of one file. `path` is relative to the imported folder, with `/` between the names. A dry run reports what
 * an import would do.
 */
export type ImportResult =
  /** `notes`: what of the file the document does not show, or shows in another way. */
  | (MadeOf & {
      outcome: 'created' | 'updated'
      notes: readonly Note[]
      /** The nodes that Meadow is known to be unable to solve, and why, at most `MAX_UNSOLVABLE`. */
      unsolvable: readonly Unsolvable[]
      /** Set when edits were replaced. */
      replaced?: true
      /** The edited document, which no longer belongs to the file: this one does. */
      besides?: DocumentId
      /** The former path of a file that was moved or renamed as well. */
      movedFrom?: string
      restored?: true
    })
  /** The file was moved or renamed: it has the bytes of the file that was at `movedFrom`. It keeps its document. */
  | (MadeOf & { outcome: 'moved'; movedFrom: string; restored?: true })
  /** The file has changed, and people have edited its document since the last import. The document stays as it is. */
  | (MadeOf & { outcome: 'conflict' })
  /** The bytes are those of the last import. `restored`: it was in the bin, because its file was gone. */
  | (MadeOf & { outcome: 'unchanged'; restored?: true })
  /** The document of the file is in the bin, or the folder of a file without one. It stays there. */
  | (MadeOf & { outcome: 'binned'; movedFrom?: string })
  /**
   * The file or folder could not be imported. `reason` completes "…: permission denied". With `overQuota`, the team has
   * no room for the file.
   */
  | { path: string; outcome: 'failed'; reason: string; overQuota?: true }
  /** The file was left out on purpose. */
  | { path: string; outcome: 'skipped'; reason: string }
  /** The file is no longer in the folder, which is reported once. `binned`: what belongs to it was put into the bin. */
  | (MadeOf & { outcome: 'gone'; binned?: true })

interface MadeOf {
  path: string
  /** The id of a definition's document, unless it has none (yet). */
  documentId?: DocumentId
  /** The id of a model, user object or cluster. */
  fileId?: TeamFileId
}

/** The id of what belongs to a file, as it is in results. */
export const idOf = (item: Pick<ImportedItem, 'kind' | 'id'> | undefined): Omit<MadeOf, 'path'> => {
  if (item === undefined) return {}
  return item.kind === 'document' ? { documentId: item.id as DocumentId } : { fileId: item.id as TeamFileId }
}

export type Outcome = ImportResult['outcome']

/** The results of an import, counted. */
export interface ImportSummary extends Record<Outcome, number> {
  /** True when nothing was written. */
  dryRun: boolean
  /** Files that failed because of the team's quota; they are counted in `failed` too. */
  overQuota: number
  /** Files that are gone, and whose documents were put into the bin. */
  goneBinned: number
  /** Files that are gone, and were reported by an earlier import. */
  goneBefore: number
  /** Set when too many files are gone, so that none was put into the bin. */
  tooManyGone: TooManyGone | null
  /** Documents that were taken out of the bin, because their files are back. */
  restored: number
  /** Files of other kinds, left out. */
  ignored: number
  /** The files of other kinds, by extension, the most frequent first. */
  others: OtherFiles[]
  foldersCreated: number
  notes: NoteCount[]
  /** The documents that were created or updated, and cannot be solved whole. */
  unsolvable: UnsolvableCounts
  /** True when the import was stopped before its end. */
  interrupted: boolean
  durationMs: number
}

export interface TooManyGone {
  gone: number
  /** The number of files that were imported from the folder, those that are gone included. */
  files: number
  maxPercent: number
}

/** Files of a kind that is not imported. */
export interface OtherFiles {
  /** The extension in lower case, with its point; empty for names without one. */
  extension: string
  count: number
  /** The paths of some, at most `MAX_EXAMPLES`. */
  examples: string[]
}

/** How often there was a note of this kind, and in how many files. */
export interface NoteCount {
  kind: Note['kind']
  count: number
  files: number
  /** The places of some, with the paths of their files, at most `MAX_EXAMPLES`; absent where a place says nothing. */
  examples?: string[]
}

/** The number of nodes in a list of unsolvable ones; further nodes are left out. */
export const MAX_UNSOLVABLE = 1000

export interface UnsolvableCounts {
  documents: number
  nodes: number
  /** The causes, those of the most documents first, at most `MAX_CAUSES`. */
  causes: CauseCount[]
  /** The documents with the most such nodes, at most `MAX_WORST`. */
  worst: { path: string; nodes: number; causes: string[] }[]
}

/** How many nodes cannot be solved for this reason, and in how many documents. */
export interface CauseCount {
  cause: string
  nodes: number
  documents: number
}

/** The meaning of each kind of note for people; a count follows. */
export const NOTE_DESCRIPTIONS: Record<Note['kind'], string> = {
  dropped_wire: 'Wires from something that the file does not hold, left out',
  unreadable_geometry: 'Typed-in geometries that could not be read',
  geometry_left_out: 'Typed-in geometries beyond the limit of a document, left out',
  port_left_out: 'Ports that the file leaves out, with the default of their kind',
  miscounted: 'Lists that announce another number than they hold, read as they are',
  repaired: 'Faults of a definition, repaired',
}

/** One sentence for each kind, with the places that are known. */
export function describeNotes(notes: readonly Note[]): string[] {
  return [...Map.groupBy(notes, ({ kind }) => kind)].map(([kind, ofKind]) => {
    const places = listPlaces(ofKind)
    const shown = places.slice(0, SHOWN_PLACES).join('; ')
    const more = places.length > SHOWN_PLACES ? '; and others' : ''
    return `${NOTE_DESCRIPTIONS[kind]}: ${ofKind.length}.${shown === '' ? '' : ` ${shown}${more}.`}`
  })
}

const SHOWN_PLACES = 3

/** What is wrong with each list, and where it is: `34 Object announced, 1 found (at Root/Definition/DefinitionObjects)`. */
export const listPlaces = (notes: readonly Note[]): string[] =>
  notes.flatMap((note) =>
    note.kind === 'miscounted'
      ? [`${note.announced} ${note.elements} announced, ${note.found} found (at ${note.where})`]
      : [],
  )

/** One sentence about what cannot be solved, if there is anything. */
export function describeUnsolvable(unsolvable: readonly Unsolvable[]): string[] {
  if (unsolvable.length === 0) return []
  const causes = [...Map.groupBy(unsolvable, describeCause)].sort(([, a], [, b]) => b.length - a.length)
  const shown = causes.slice(0, SHOWN_CAUSES).map(([cause, { length }]) => `${cause} (${length})`)
  const rest = causes.length > SHOWN_CAUSES ? [`${causes.length - SHOWN_CAUSES} other causes`] : []
  return [`Components that cannot be solved here: ${unsolvable.length}. ${[...shown, ...rest].join('; ')}.`]
}

const SHOWN_CAUSES = 5

/** Why one file or folder cannot be imported, unless the reason is an error of the operating system. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/** Meadow's own files cannot be written, which ends the import. The message completes "…: the disk is full". */
export class StorageError extends Error {
  override readonly name = 'StorageError'
}
