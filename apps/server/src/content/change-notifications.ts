import type { Database, Subscription, Write } from '../platform/database/database.ts'
import type { DocumentKey } from '../platform/database/tables.ts'

/** Notifies of documents whose log has grown, through any process. */
export interface ChangeNotifications {
  /** Calls `onHead` with the head of the log, perhaps repeatedly. Returns a function that unsubscribes. */
  subscribe(document: DocumentKey, onHead: (seq: number) => void): () => void
  close(): Promise<void>
}

const TOPIC = 'changed'

/** Publishes a change when its transaction commits. */
export const publishChange = (
  database: Pick<Database, 'publish'>,
  write: Write,
  document: DocumentKey,
  seq: number,
) => database.publish(write, `${TOPIC} ${document} ${seq}`)

/** The pause before a query that failed is repeated. */
const RETRY_MS = 500

export function openChangeNotifications(
  database: Database,
  onError: (error: unknown) => void,
): ChangeNotifications {
  const listeners = new Map<DocumentKey, (seq: number) => void>()
  let subscription: Subscription | undefined
  let polling: Promise<void> | undefined
  let isPollRequested = false
  let retry: NodeJS.Timeout | undefined

  const receive = (message: string | undefined) => {
    if (message === undefined) return poll()
    const [topic, document, seq] = message.split(' ')
    if (topic === TOPIC) listeners.get(Number(document) as DocumentKey)?.(Number(seq))
  }

  /** One poll at a time; requests made meanwhile lead to another poll after it. */
  function poll(): void {
    clearTimeout(retry)
    isPollRequested = true
    polling ??= pollWhileRequested().finally(() => {
      polling = undefined
    })
  }

  async function pollWhileRequested(): Promise<void> {
    while (isPollRequested) {
      isPollRequested = false
      try {
        for (const { id, seq } of await listHeads(database, [...listeners.keys()])) listeners.get(id)?.(seq)
      } catch (error) {
        onError(error)
        if (listeners.size > 0) retry = setTimeout(poll, RETRY_MS).unref()
      }
    }
  }

  return {
    subscribe(document, onHead) {
      listeners.set(document, onHead)
      subscription ??= database.subscribe(receive)
      return () => {
        if (listeners.get(document) === onHead) listeners.delete(document)
      }
    },
    async close() {
      listeners.clear()
      clearTimeout(retry)
      await subscription?.close()
      subscription = undefined
      await polling
    },
  }
}

/** The documents of one query, whose number of parameters is limited. */
const MAX_AT_ONCE = 1000

async function listHeads(database: Database, documents: readonly DocumentKey[]) {
  const heads: { id: DocumentKey; seq: number }[] = []
  for (let start = 0; start < documents.length; start += MAX_AT_ONCE) {
    const some = documents.slice(start, start + MAX_AT_ONCE)
    const rows = database.read.selectFrom('document').where('id', 'in', some).select(['id', 'seq'])
    heads.push(...(await rows.execute()))
  }
  return heads
}
