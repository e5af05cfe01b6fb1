import type { Database, Subscription, Write } from '../platform/database/database.ts'
import type { DocumentKey } from '../platform/database/tables.ts'

/** Tells of documents whose log has grown, whoever edited them, in whichever process. */
export interface ChangeNotifications {
  /** `onHead` is told the head of the log, perhaps more than once. Returns what ends it. */
  follow(document: DocumentKey, onHead: (seq: number) => void): () => void
  close(): Promise<void>
}

const WORD = 'changed'

/** Part of a change's transaction. */
export const publishChange = (database: Database, write: Write, document: DocumentKey, seq: number) =>
  database.publish(write, `${WORD} ${document} ${seq}`)

/** In case that nobody told: after so long the heads are looked up anyway. */
const LOOK_EVERY_MS = 3000

export function openChangeNotifications(
  database: Database,
  onError: (error: unknown) => void,
): ChangeNotifications {
  const followed = new Map<DocumentKey, (seq: number) => void>()
  let watch: Subscription | undefined
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isAskedAgain = false

  const hear = (said: string | undefined) => {
    if (said === undefined) return look()
    const [word, document, seq] = said.split(' ')
    if (word === WORD) followed.get(Number(document) as DocumentKey)?.(Number(seq))
  }

  /** One look at a time; what is asked for meanwhile is looked up after it. */
  function look(): void {
    isAskedAgain = true
    looking ??= lookWhileAsked().finally(() => {
      looking = undefined
    })
  }

  async function lookWhileAsked(): Promise<void> {
    while (isAskedAgain) {
      isAskedAgain = false
      try {
        for (const { id, seq } of await listHeads(database, [...followed.keys()])) followed.get(id)?.(seq)
      } catch (error) {
        onError(error)
      }
    }
  }

  function start(): void {
    watch ??= database.subscribe(hear)
    timer ??= setInterval(look, LOOK_EVERY_MS).unref()
  }

  async function stop(): Promise<void> {
    clearInterval(timer)
    timer = undefined
    const closed = watch?.close()
    watch = undefined
    await closed
  }

  return {
    follow(document, onHead) {
      followed.set(document, onHead)
      start()
      return () => {
        if (followed.get(document) === onHead) followed.delete(document)
      }
    },
    async close() {
      followed.clear()
      await stop()
      await looking
    },
  }
}

/** So many at once, as far as the databases' parameters go. */
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
