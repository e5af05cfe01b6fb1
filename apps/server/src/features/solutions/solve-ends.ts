import type { DocumentKey } from '../../platform/database/tables.ts'

/** Who waits in this process for a solve to end, and who tells. */
export interface SolveEnds {
  /** A solve of this document has ended, and whoever asks the database is told so. */
  tell(document: DocumentKey): void
  /** Calls back each time, until it is disposed of. */
  listen(document: DocumentKey, call: () => void): Disposable
}

export function createSolveEnds(): SolveEnds {
  const listeners = new Map<DocumentKey, Set<() => void>>()
  return {
    tell(document) {
      for (const call of listeners.get(document) ?? []) call()
    },
    listen(document, call) {
      const calls = listeners.get(document) ?? new Set()
      listeners.set(document, calls.add(call))
      return {
        [Symbol.dispose]() {
          calls.delete(call)
          if (calls.size === 0) listeners.delete(document)
        },
      }
    },
  }
}
