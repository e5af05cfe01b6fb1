import type { DocumentId } from '@meadow/contract'
import { describeCause } from '@meadow/contract/web'
import type { Note } from '@meadow/grasshopper'
import type { Unsolvable } from '@meadow/solver'

/**
 * What to do with a changed file whose document people have edited since it was imported: keep the document, replace
 * the edits, or create another document from the file.
 */
export const ON_CONFLICT = ['keep', 'replace', 'copy'] as const
export type OnConflict = (typeof ON_CONFLICT)[number]

/** What became of one file. `path` is relative to the imported folder, with `/` between the names. */
export type ImportResult =
  /** `notes`: what of the file the document does not show, or shows in another way. */
  | {
      path: string
      outcome: 'created' | 'updated'
      documentId: DocumentId
      notes: readonly Note[]
      /** What of it Meadow cannot solve, and why: at most `MAX_UNSOLVABLE` nodes. Empty: nothing that is known before. */
      unsolvable: readonly Unsolvable[]
      /** Edits were replaced. */
      replaced?: true
      /** The edited document, which no longer belongs to the file: this one does. */
      besides?: DocumentId
    }
  /** The file has changed, and people have edited its document since the last import. The document stays as it is. */
  | { path: string; outcome: 'conflict'; documentId: DocumentId }
  /** The bytes are those of the last import. */
  | { path: string; outcome: 'unchanged'; documentId: DocumentId }
  /**
   * Also of folders. `reason` completes "…: permission denied". With `overQuota`, the team has no room for the file.
   */
  | { path: string; outcome: 'failed'; reason: string; overQuota?: true }
  /** Left out on purpose. */
  | { path: string; outcome: 'skipped'; reason: string }
  /** A document whose file is no longer in the folder. It stays. */
  | { path: string; outcome: 'gone'; documentId: DocumentId }

export type Outcome = ImportResult['outcome']

/** The results of an import, counted. */
export interface ImportSummary extends Record<Outcome, number> {
  /** Files that failed because of the team's quota; they are counted in `failed` too. */
  overQuota: number
  /** Files that are not definitions. */
  ignored: number
  foldersCreated: number
  notes: NoteCount[]
  /** Of the documents that were created or updated: those that cannot be solved whole. */
  unsolvable: UnsolvableCounts
  /** True when the import was stopped before its end. */
  interrupted: boolean
  durationMs: number
}

/** How often there was a note of this kind, and in how many files. */
export interface NoteCount {
  kind: Note['kind']
  count: number
  files: number
}

/** The number of nodes in a list of unsolvable ones; further nodes are left out. */
export const MAX_UNSOLVABLE = 1000

export interface UnsolvableCounts {
  documents: number
  nodes: number
  /** Why: those of the most documents first, at most `MAX_CAUSES`. */
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

const MAX_CAUSES = 100
const MAX_WORST = 20
/** Further causes are not counted, so that files with a cause of their own each do not take up memory. */
const MAX_KNOWN_CAUSES = 10_000

/** Counts what cannot be solved, in constant memory. */
class UnsolvableCounter {
  readonly #causes = new Map<string, CauseCount>()
  #documents = 0
  #nodes = 0
  #worst: UnsolvableCounts['worst'] = []

  add(path: string, unsolvable: readonly Unsolvable[]): void {
    if (unsolvable.length === 0) return
    this.#documents++
    this.#nodes += unsolvable.length
    const causes = [...Map.groupBy(unsolvable, describeCause)].sort(([, a], [, b]) => b.length - a.length)
    for (const [cause, { length }] of causes) {
      const known = this.#causes.get(cause) ?? { cause, nodes: 0, documents: 0 }
      if (known.documents === 0 && this.#causes.size >= MAX_KNOWN_CAUSES) continue
      this.#causes.set(cause, { cause, nodes: known.nodes + length, documents: known.documents + 1 })
    }
    const entry = {
      path,
      nodes: unsolvable.length,
      causes: causes.map(([cause]) => cause).slice(0, MAX_CAUSES),
    }
    this.#worst = [...this.#worst, entry]
      .sort((a, b) => b.nodes - a.nodes || (a.path < b.path ? -1 : 1))
      .slice(0, MAX_WORST)
  }

  summarize(): UnsolvableCounts {
    const causes = [...this.#causes.values()].sort((a, b) => b.documents - a.documents || b.nodes - a.nodes)
    return {
      documents: this.#documents,
      nodes: this.#nodes,
      causes: causes.slice(0, MAX_CAUSES),
      worst: this.#worst,
    }
  }
}

/** Counts results in constant memory. */
export class ResultCounter {
  readonly #startedAt = performance.now()
  readonly #outcomes = { created: 0, updated: 0, unchanged: 0, conflict: 0, failed: 0, skipped: 0, gone: 0 }
  readonly #notes = new Map<Note['kind'], NoteCount>()
  readonly #unsolvable = new UnsolvableCounter()
  #overQuota = 0

  add(result: ImportResult): void {
    if ('overQuota' in result) this.#overQuota++
    this.#outcomes[result.outcome]++
    if ('unsolvable' in result) this.#unsolvable.add(result.path, result.unsolvable)
    const kinds = 'notes' in result ? result.notes.map((note) => note.kind) : []
    for (const kind of new Set(kinds)) {
      const total = this.#notes.get(kind) ?? { kind, count: 0, files: 0 }
      const count = kinds.filter((other) => other === kind).length
      this.#notes.set(kind, { kind, count: total.count + count, files: total.files + 1 })
    }
  }

  summarize(rest: Pick<ImportSummary, 'ignored' | 'foldersCreated' | 'interrupted'>): ImportSummary {
    return {
      ...this.#outcomes,
      overQuota: this.#overQuota,
      ...rest,
      notes: [...this.#notes.values()].sort((a, b) => b.count - a.count),
      unsolvable: this.#unsolvable.summarize(),
      durationMs: Math.round(performance.now() - this.#startedAt),
    }
  }
}

/** The meaning of each kind of note for people; a count follows. */
export const NOTE_DESCRIPTIONS: Record<Note['kind'], string> = {
  dropped_wire: 'Wires from something that the file does not hold, left out',
  unreadable_geometry: 'Typed-in geometries that could not be read',
  geometry_left_out: 'Typed-in geometries beyond the limit of a document, left out',
  repaired: 'Faults of a definition, repaired',
}

/** One sentence for each kind. */
export function describeNotes(notes: readonly Note[]): string[] {
  return [...Map.groupBy(notes, ({ kind }) => kind)].map(
    ([kind, ofKind]) => `${NOTE_DESCRIPTIONS[kind]}: ${ofKind.length}.`,
  )
}

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
