import type { CommentsEvent, GraphContent, SolveEvent, ViewsEvent } from '@meadow/contract'
import type * as Y from 'yjs'
import type { LiveError } from './live-error.ts'
import type { LivePerson, OwnPresence } from './people.ts'

export type LiveStatus = 'open' | 'reconnecting' | 'closed'

export interface LiveEvents {
  /** The document has changed, here or elsewhere. */
  change: Y.Transaction
  /** The status of the document's solve. */
  solve: SolveEvent
  /** The comments about the document have changed. Only pages of the web app get this event. */
  comments: CommentsEvent
  /** The named views of the document have changed. Only pages of the web app get this event. */
  views: ViewsEvent
  /** The people who have the document open, with their cursors. */
  people: readonly LivePerson[]
  status: LiveStatus
  /**
   * The copy was discarded and the document loaded again from the server: `doc` is another object now. With `refused`,
   * the server rejected an edit, which is lost together with all later ones.
   */
  reset: LiveError
}

/** A document that is open for editing, for a signed-in person or an agent. */
export interface LiveDocument {
  /** The local copy, for the editing operations. After a `reset` it is another object. */
  readonly doc: Y.Doc
  readonly status: LiveStatus
  /** Why the document was closed; undefined while it is open. */
  readonly error: LiveError | undefined
  /** Whether this user may only read the document. */
  readonly isViewer: boolean
  /**
   * Returns the current document, complete and valid. Parts that did not change are the same objects as in the last
   * read.
   */
  read(): GraphContent
  /**
   * Runs `work` as one transaction, which is visible here at once and to others shortly after. Without a connection,
   * edits are kept and sent later. Throws a `LiveError` for a viewer, and the errors of the operations.
   */
  edit<T>(work: (doc: Y.Doc) => T): T
  /**
   * Resolves when all edits so far are durable in the server's database. Rejects with a `LiveError` if an edit was
   * rejected or the document was closed before that. If no call was waiting then, the next one rejects, so that a lost
   * edit is always reported.
   */
  durable(): Promise<void>
  /** The latest status of the document's solve. */
  readonly solve: SolveEvent
  /**
   * Resolves with the next solve that succeeds or fails. If no solve follows, for example because the team has no
   * credits, it resolves with an event whose `reason` explains why. An edit that cannot change the result is not
   * followed by a solve.
   */
  nextSolve(options?: { signal?: AbortSignal }): Promise<SolveEvent>
  /** The people who have the document open, including this user. */
  readonly people: readonly LivePerson[]
  /** Updates this user's presence; omitted members stay. */
  show(presence: OwnPresence): void
  /** Adds a listener and returns a function that removes it. */
  on<Name extends keyof LiveEvents>(name: Name, listener: (event: LiveEvents[Name]) => void): () => void
  /** Closes the document. Edits that are not acknowledged yet may be lost: wait for `durable` first. */
  close(): void
  /** Closes the document at the end of a `using` block. */
  [Symbol.dispose](): void
}
