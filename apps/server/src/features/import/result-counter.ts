import type { Note } from '@meadow/grasshopper'
import type { ImportResult, ImportSummary, NoteCount } from './import-result.ts'

/** Counts results as they come; what it holds does not grow with their number. */
export class ResultCounter {
  readonly #startedAt = performance.now()
  readonly #outcomes = { created: 0, updated: 0, unchanged: 0, conflict: 0, failed: 0, skipped: 0, gone: 0 }
  readonly #notes = new Map<Note['kind'], NoteCount>()

  #overQuota = 0

  add(result: ImportResult): void {
    if ('overQuota' in result) this.#overQuota++
    this.#outcomes[result.outcome]++
    const kinds = 'notes' in result ? result.notes.map((note) => note.kind) : []
    for (const kind of new Set(kinds)) {
      const seen = this.#notes.get(kind) ?? { kind, count: 0, files: 0 }
      const count = kinds.filter((other) => other === kind).length
      this.#notes.set(kind, { kind, count: seen.count + count, files: seen.files + 1 })
    }
  }

  summarise(rest: Pick<ImportSummary, 'ignored' | 'foldersCreated' | 'interrupted'>): ImportSummary {
    return {
      ...this.#outcomes,
      overQuota: this.#overQuota,
      ...rest,
      notes: [...this.#notes.values()].sort((a, b) => b.count - a.count),
      durationMs: Math.round(performance.now() - this.#startedAt),
    }
  }
}
