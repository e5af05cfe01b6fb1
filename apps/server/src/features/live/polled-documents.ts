import type { LiveEvent } from '@meadow/contract'
import type { Subscription } from '../../platform/database/database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'

/** Changes of documents; undefined: of any. */
type OnChanged = (documents: Iterable<DocumentKey> | undefined) => void

export interface PolledDocumentsParts<Event extends LiveEvent> {
  /** Tells of documents of which the event may be another one now. */
  subscribe(onChanged: OnChanged): Subscription
  /** The events that describe documents as they are now. */
  read(documents: readonly DocumentKey[]): Promise<(document: DocumentKey) => Event>
  notify(document: DocumentKey, event: Event): void
  onError(error: unknown): void
}

/** Notifies the clients of open documents when the event that describes a document becomes another one. */
export interface PolledDocuments<Event extends LiveEvent> {
  /** Notifies of changes from now on. Returns a function that ends this. */
  follow(document: DocumentKey): () => void
  /** The event of a document that is followed: its clients will be notified of every change after it. */
  announce(document: DocumentKey): Promise<Event>
  close(): Promise<void>
}

/** The least time between two queries for open documents, which is longer for many documents. */
const MIN_PAUSE_MS = 40
const PAUSE_MS_PER_DOCUMENT = 0.5
/** The pause before a query that failed is repeated. */
const RETRY_MS = 500

export function openPolledDocuments<Event extends LiveEvent>({
  subscribe,
  read,
  notify,
  onError,
}: PolledDocumentsParts<Event>): PolledDocuments<Event> {
  /** The last event that was read, by document; undefined when none was read yet. */
  const followed = new Map<DocumentKey, string | undefined>()
  /** Followed documents that may have changed since the last query. */
  const changed = new Set<DocumentKey>()
  let scheduled: NodeJS.Timeout | undefined
  let retry: NodeJS.Timeout | undefined
  let polling = Promise.resolve()
  let subscription: Subscription | undefined

  /** Notifies the clients of a followed document if its event differs from the last one that was read. */
  function record(document: DocumentKey, event: Event): void {
    if (!followed.has(document)) return
    const text = JSON.stringify(event)
    const before = followed.get(document)
    followed.set(document, text)
    if (before !== undefined && before !== text) notify(document, event)
  }

  async function poll(): Promise<void> {
    const documents = [...changed]
    changed.clear()
    try {
      const eventOf = await read(documents)
      for (const document of documents) record(document, eventOf(document))
    } catch (error) {
      onError(error)
      clearTimeout(retry)
      retry = setTimeout(schedulePoll, RETRY_MS, documents).unref()
    }
  }

  function schedulePoll(documents: Iterable<DocumentKey>): void {
    for (const document of documents) if (followed.has(document)) changed.add(document)
    if (changed.size === 0) return
    const pauseMs = Math.max(MIN_PAUSE_MS, PAUSE_MS_PER_DOCUMENT * changed.size)
    scheduled ??= setTimeout(() => {
      scheduled = undefined
      polling = polling.then(poll)
    }, pauseMs).unref()
  }

  return {
    follow(document) {
      subscription ??= subscribe((documents) => schedulePoll(documents ?? followed.keys()))
      if (!followed.has(document)) followed.set(document, undefined)
      schedulePoll([document])
      return () => followed.delete(document)
    },
    async announce(document) {
      const event = (await read([document]))(document)
      // It may change before the first poll, or between the last one and this query: other clients learn of it now.
      record(document, event)
      return event
    },
    async close() {
      followed.clear()
      clearTimeout(scheduled)
      clearTimeout(retry)
      await subscription?.close()
      await polling
    },
  }
}
