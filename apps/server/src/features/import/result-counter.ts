import { extname } from 'node:path'
import { describeCause } from '@meadow/contract/web/terms'
import type { Note } from '@meadow/grasshopper'
import type { Unsolvable } from '@meadow/solver'
import {
  type CauseCount,
  type ImportResult,
  type ImportSummary,
  listPlaces,
  type NoteCount,
  type OtherFiles,
  type UnsolvableCounts,
} from './import-result.ts'

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

const MAX_EXAMPLES = 3
/** How many extensions are counted; files with further ones are only counted together. */
const MAX_EXTENSIONS = 100

/** Counts files of other kinds by their extensions, in constant memory. */
class OtherFilesCounter {
  readonly #kinds = new Map<string, OtherFiles>()
  #count = 0

  add(path: string): void {
    this.#count++
    const extension = extname(path).toLowerCase()
    const known = this.#kinds.get(extension)
    if (!known && this.#kinds.size >= MAX_EXTENSIONS) return
    const { count, examples } = known ?? { count: 0, examples: [] }
    const shown = examples.length < MAX_EXAMPLES ? [...examples, path] : examples
    this.#kinds.set(extension, { extension, count: count + 1, examples: shown })
  }

  summarize(): Pick<ImportSummary, 'ignored' | 'others'> {
    const others = [...this.#kinds.values()].sort(
      (a, b) => b.count - a.count || (a.extension < b.extension ? -1 : 1),
    )
    return { ignored: this.#count, others }
  }
}

/** Counts results in constant memory. */
export class ResultCounter {
  readonly #startedAt = performance.now()
  readonly #outcomes = {
    created: 0,
    updated: 0,
    moved: 0,
    unchanged: 0,
    conflict: 0,
    binned: 0,
    failed: 0,
    skipped: 0,
    gone: 0,
  }
  readonly #notes = new Map<Note['kind'], NoteCount>()
  readonly #unsolvable = new UnsolvableCounter()
  readonly #others = new OtherFilesCounter()
  #overQuota = 0
  #restored = 0
  #goneBinned = 0

  /** A file of another kind. */
  addOther(path: string): void {
    this.#others.add(path)
  }

  add(result: ImportResult): void {
    if ('overQuota' in result) this.#overQuota++
    if ('restored' in result) this.#restored++
    if (result.outcome === 'gone' && result.binned) this.#goneBinned++
    this.#outcomes[result.outcome]++
    if ('unsolvable' in result) this.#unsolvable.add(result.path, result.unsolvable)
    if (!('notes' in result)) return
    for (const [kind, notes] of Map.groupBy(result.notes, (note) => note.kind)) {
      const total = this.#notes.get(kind) ?? { kind, count: 0, files: 0 }
      const places = listPlaces(notes).map((place) => `${result.path}: ${place}`)
      const examples = [...(total.examples ?? []), ...places].slice(0, MAX_EXAMPLES)
      this.#notes.set(kind, {
        kind,
        count: total.count + notes.length,
        files: total.files + 1,
        ...(examples.length > 0 && { examples }),
      })
    }
  }

  summarize(
    rest: Pick<ImportSummary, 'foldersCreated' | 'interrupted' | 'dryRun' | 'goneBefore' | 'tooManyGone'>,
  ): ImportSummary {
    return {
      ...this.#outcomes,
      ...rest,
      overQuota: this.#overQuota,
      restored: this.#restored,
      goneBinned: this.#goneBinned,
      ...this.#others.summarize(),
      notes: [...this.#notes.values()].sort((a, b) => b.count - a.count),
      unsolvable: this.#unsolvable.summarize(),
      durationMs: Math.round(performance.now() - this.#startedAt),
    }
  }
}
