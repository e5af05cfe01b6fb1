import type { GraphContent, SolveEvent } from '@meadow/contract'
import type * as Y from 'yjs'
import type { LiveError } from './live-error.ts'
import type { LivePerson, OwnPresence } from './people.ts'

export type LiveStatus = 'open' | 'reconnecting' | 'closed'

export interface LiveEvents {
  /** The document has changed, whoever edited it. */
  change: Y.Transaction
  /** How the document's solve stands. */
  solve: SolveEvent
  /** Who has the document open, and where they are. */
  people: readonly LivePerson[]
  status: LiveStatus
  /**
   * The copy was dropped and the document is there anew, as the server has it: `doc` is another one now. With
   * `refused` an edit was the reason, and it is lost, together with what was edited after it.
   */
  reset: LiveError
}

/** A document that is open for editing, for a signed-in person or an agent. */
export interface LiveDocument {
  /** The copy, for the editing operations. After a `reset` it is another one. */
  readonly doc: Y.Doc
  readonly status: LiveStatus
  /** Why it was closed; undefined while it is not. */
  readonly error: LiveError | undefined
  /** Whether this person may look and not edit. */
  readonly isViewer: boolean
  /** The document as it is now: whole and valid. What did not change is the same object as the last time. */
  read(): GraphContent
  /**
   * Edits: what `work` does with the operations is one transaction, seen at once here and by the others in a moment.
   * Goes on without a connection, and is sent when there is one again. Throws a `LiveError` for a viewer, and what the
   * operations throw.
   */
  edit<T>(work: (doc: Y.Doc) => T): T
  /**
   * Resolves when all that was edited so far is in the server's database, and nothing that happens there can lose it.
   * Rejects with a `LiveError` when an edit was refused, or the document was closed before: then, or when it is called
   * the next time after that, so that no lost edit passes for a safe one.
   */
  durable(): Promise<void>
  /** How the document's solve stands, as the server told last. */
  readonly solve: SolveEvent
  /**
   * Resolves with the next solve that succeeds or fails, or with what the server tells when there will be none: `reason`
   * says why, as when the team has no credits. An edit after which a solve gives the same is followed by none at all.
   */
  nextSolve(options?: { signal?: AbortSignal }): Promise<SolveEvent>
  /** Who has the document open, oneself included. */
  readonly people: readonly LivePerson[]
  /** Shows where one is: what is left out stays as it was. */
  show(presence: OwnPresence): void
  /** Returns what ends the listening. */
  on<Name extends keyof LiveEvents>(name: Name, listener: (event: LiveEvents[Name]) => void): () => void
  /** Goes away. What is not yet acknowledged may be lost: wait for `durable` before. */
  close(): void
  /** The same, for `using`. */
  [Symbol.dispose](): void
}
