import { LRUCache } from 'lru-cache'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { Database } from '../platform/database/database.ts'
import type { DocumentKey } from '../platform/database/tables.ts'
import { type AsOf, createContentStore, type StoredJson } from './content.store.ts'
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
  /** The same as of now, or the blob that holds it, to be read in another process. */
  find(
    document: DocumentKey,
    options?: Pick<ReadOptions, 'reserve'>,
  ): Promise<({ seq: number } & StoredJson) | undefined>
  /** While a document is open for editing here, reads use its replica. Returns a function that ends this. */
  shareReplica(document: DocumentKey, replica: Replica): () => void
}

/** Replicas are cached for the next read, as long as there are reads now and then. */
const MAX_CACHED = 16
const CACHED_MS = 30_000

export function createDocumentContents(
  database: Database,
  blobs: BlobStore,
  onError: (error: unknown) => void = () => {},
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
      opening = openReplica({ store, blobs }, document)
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
    // It is closed when an editor opens the document here, or when the last one has left.
    if (replica.isClosed) return readReplica(document, seq, reserve)
    const { seq: reached, value } = replica.readJson()
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

  async function read(
    document: DocumentKey,
    { seq, reserve }: ReadOptions = {},
  ): Promise<AsOf<Uint8Array> | undefined> {
    const wanted = seq ?? (await store.findHead(document))?.seq
    if (wanted === undefined) return undefined
    const stored = await store.findJson(document, wanted)
    if (stored) return { seq: stored.seq, value: await readStoredJson(blobs, stored.value, reserve) }
    return readReplica(document, wanted, reserve)
  }

  return {
    read,
    async find(document, { reserve } = {}) {
      const head = await store.findHead(document)
      const stored = head && (await store.findJson(document, head.seq))
      // Blobs hold what was imported, which refers to no other blobs.
      if (stored && 'digest' in stored.value) return { seq: stored.seq, ...stored.value }
      const content = head && (await read(document, { seq: head.seq, ...(reserve && { reserve }) }))
      return content && { seq: content.seq, bytes: content.value }
    },
    shareReplica(document, replica) {
      shared.set(document, replica)
      cached.delete(document)
      return () => {
        if (shared.get(document) === replica) shared.delete(document)
      }
    },
  }
}
