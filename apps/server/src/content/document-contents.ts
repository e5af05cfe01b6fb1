import { LRUCache } from 'lru-cache'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { Database } from '../platform/database/database.ts'
import type { DocumentKey } from '../platform/database/tables.ts'
import { type AsOf, createContentStore, type StoredJson } from './content.store.ts'
import { createHistoryWork, type HistoryWork } from './history/history-work.ts'
import { openReplica, type Replica } from './replica.ts'
import { bytesToRead, type Composer, createComposer, type Reserve, readStoredJson } from './stored-json.ts'

export interface ReadOptions {
  /** The position in the log that must be reached; by default its head. */
  seq?: number
  /** Called before the content is read into memory with the bytes that it takes, including the copy that is sent. */
  reserve?: Reserve
}

/** The contents of documents, as their editors see them now. */
export interface DocumentContents {
  /**
   * The `GraphContent` of a document as JSON in UTF-8: the stored one when it is new enough, else that of a replica that
   * follows the log. Undefined when there is no such document.
   */
  read(document: DocumentKey, options?: ReadOptions): Promise<AsOf<Uint8Array> | undefined>
  /** Finds the content as of now, or the blob that holds it, to be read in another process. */
  find(
    document: DocumentKey,
    options?: Pick<ReadOptions, 'reserve'>,
  ): Promise<({ seq: number } & StoredJson) | undefined>
  /**
   * The content of a document of which a row was read, with what is stored of it as of `seq`. It is of a later position
   * when it is edited meanwhile.
   */
  complete(
    document: { key: DocumentKey; seq: number; content: StoredJson | undefined },
    reserve?: Reserve,
  ): Promise<{ seq: number } & StoredJson>
  /** Makes reads use the replica of a document that is open for editing here. Returns a function that ends this. */
  shareReplica(document: DocumentKey, replica: Replica): () => void
  /** Does the work that versions cost processor time for, large documents where they do not hold up others. */
  readonly history: HistoryWork
}

/** Replicas are cached for the next read, as long as there are reads now and then. */
const MAX_CACHED = 16
const CACHED_MS = 30_000

export function createDocumentContents(
  database: Database,
  blobs: BlobStore,
  onError: (error: unknown) => void = () => {},
  history: HistoryWork = createHistoryWork(blobs),
): DocumentContents {
  const store = createContentStore(database)
  const shared = new Map<DocumentKey, Replica>()
  const cached = new LRUCache<DocumentKey, Promise<Replica>>({
    max: MAX_CACHED,
    ttl: CACHED_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: (replica) => void replica.then(({ close }) => close(), onError),
  })
  /** The last JSON of each replica. */
  const composed = new WeakMap<Replica, AsOf<Promise<Uint8Array>> & { compose: Composer }>()

  async function findReplica(document: DocumentKey): Promise<Replica> {
    const replica = shared.get(document)
    if (replica && !replica.isClosed) return replica
    let opening = cached.get(document)
    if (!opening) {
      opening = openReplica({ database, store, blobs, history }, document)
      cached.set(document, opening)
      opening.then(compactSoon, () => cached.delete(document))
    }
    return opening
  }

  /** Opening took some time, which the next read should not need. */
  function compactSoon(replica: Replica): void {
    setImmediate(() => replica.compact().catch(onError))
  }

  async function readReplica(
    document: DocumentKey,
    seq: number,
    reserve: Reserve | undefined,
  ): Promise<AsOf<Uint8Array>> {
    const replica = await findReplica(document)
    await replica.catchUp(seq)
    const json = await replica.readJson()
    // It is closed when an editor opens the document here, or when the last one has left.
    if (!json) return readReplica(document, seq, reserve)
    const { seq: reached, value } = json
    await reserve?.(bytesToRead(value))
    let last = composed.get(replica)
    if (!last || last.seq < reached) {
      const compose = last?.compose ?? createComposer(blobs)
      last = { seq: reached, value: compose(value), compose }
      composed.set(replica, last)
      // The next read tries again.
      last.value.catch(() => composed.delete(replica))
    }
    return { seq: last.seq, value: await last.value }
  }

  const complete: DocumentContents['complete'] = async ({ key, seq, content }, reserve) => {
    // Blobs hold what was imported, which refers to no other blobs.
    if (content && 'digest' in content) return { seq, ...content }
    if (content) return { seq, bytes: await readStoredJson(blobs, content, reserve) }
    const replicated = await readReplica(key, seq, reserve)
    return { seq: replicated.seq, bytes: replicated.value }
  }

  return {
    async read(document, { seq, reserve } = {}) {
      const wanted = seq ?? (await store.findHead(document))?.seq
      if (wanted === undefined) return undefined
      const stored = await store.findJson(document, wanted)
      if (stored) return { seq: stored.seq, value: await readStoredJson(blobs, stored.value, reserve) }
      return readReplica(document, wanted, reserve)
    },
    async find(document, { reserve } = {}) {
      const head = await store.findHead(document)
      if (!head) return undefined
      const stored = await store.findJson(document, head.seq)
      const { seq } = stored ?? head
      return complete({ key: document, seq, content: stored?.value }, reserve)
    },
    complete,
    history,
    shareReplica(document, replica) {
      shared.set(document, replica)
      cached.delete(document)
      return () => {
        if (shared.get(document) === replica) shared.delete(document)
      }
    },
  }
}
