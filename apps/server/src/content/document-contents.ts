import { LRUCache } from 'lru-cache'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { Database } from '../platform/database/database.ts'
import type { DocumentKey } from '../platform/database/tables.ts'
import { type AsOf, type ContentStore, createContentStore, type StoredJson } from './content.store.ts'
import { openReplica, type Replica } from './replica.ts'
import { bytesToRead, type Composer, createComposer, type Reserve, readStoredJson } from './stored-json.ts'

export interface ContentParts {
  store: ContentStore
  blobs: BlobStore
}

export interface ReadOptions {
  /** As of which place in the log at least; without it, as of now. */
  seq?: number
  /** Is told before the content is in memory how many bytes that takes, the copy that is sent included. */
  reserve?: Reserve
}

/** What documents hold, as their editors see it now, for all who read. */
export interface DocumentContents {
  /**
   * The UTF-8 bytes of a document's `GraphContent` as JSON: of what is stored when that is new enough, else of a replica
   * that follows the log. Undefined when there is no such document.
   */
  read(document: DocumentKey, options?: ReadOptions): Promise<AsOf<Uint8Array> | undefined>
  /** The same as of now, or the blob that holds it, for who reads it in another process. */
  find(document: DocumentKey): Promise<({ seq: number } & StoredJson) | undefined>
  /** While a document is open for editing here, reads are made of that replica. Returns what ends it. */
  lend(document: DocumentKey, replica: Replica): () => void
}

/** Replicas that are kept for the next read, for as long as somebody asks now and then. */
const MAX_KEPT = 16
const KEPT_MS = 30_000

export function createDocumentContents(
  database: Database,
  blobs: BlobStore,
  onError: (error: unknown) => void = () => {},
): DocumentContents {
  const store = createContentStore(database)
  const lent = new Map<DocumentKey, Replica>()
  const kept = new LRUCache<DocumentKey, Promise<Replica>>({
    max: MAX_KEPT,
    ttl: KEPT_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: (replica) => void replica.then(({ close }) => close(), onError),
  })
  /** What was composed of a replica, by the replica. */
  const composed = new WeakMap<Replica, AsOf<Promise<Uint8Array>> & { compose: Composer }>()

  async function findReplica(document: DocumentKey): Promise<Replica> {
    const replica = lent.get(document)
    if (replica) return replica
    let opening = kept.get(document)
    if (!opening) {
      opening = openReplica({ store, blobs }, document)
      kept.set(document, opening)
      opening.then(foldSoon, () => kept.delete(document))
    }
    return opening
  }

  /** It took a while to open, so that the next one who reads should not have to. */
  function foldSoon(replica: Replica): void {
    setImmediate(() => replica.fold().catch(onError))
  }

  async function readReplica(
    document: DocumentKey,
    seq: number,
    reserve: Reserve | undefined,
  ): Promise<AsOf<Uint8Array>> {
    const replica = await findReplica(document)
    await replica.catchUp(seq)
    await reserve?.(bytesToRead(replica.readJson().value))
    let last = composed.get(replica)
    if (last?.seq !== replica.seq) {
      const { seq, value } = replica.readJson()
      const compose = last?.compose ?? createComposer(blobs)
      last = { seq, value: compose(value), compose }
      composed.set(replica, last)
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
    async find(document) {
      const head = await store.findHead(document)
      const stored = head && (await store.findJson(document, head.seq))
      // Blobs hold what was imported, which refers to no other blobs.
      if (stored && 'digest' in stored.value) return { seq: stored.seq, ...stored.value }
      const content = head && (await read(document, { seq: head.seq }))
      return content && { seq: content.seq, bytes: content.value }
    },
    lend(document, replica) {
      lent.set(document, replica)
      kept.delete(document)
      return () => {
        if (lent.get(document) === replica) lent.delete(document)
      }
    },
  }
}
