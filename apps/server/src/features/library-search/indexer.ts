import { setTimeout as sleep } from 'node:timers/promises'
import type { IsAssigned } from '../../platform/cluster/singleton-jobs.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { findUnavailable } from '../../platform/database/unavailable.ts'
import type { Log } from '../../platform/log.ts'
import type { UsesReader } from './reading/uses-reader.ts'
import type { ReadDocument, UnindexedDocument, UsesStore } from './uses.store.ts'

export interface IndexerParts {
  store: UsesStore
  reader: Pick<UsesReader, 'read'>
}

export interface IndexerOptions {
  /** How often to look for documents that have changed. */
  pollMs?: number
  /** A document that is being edited is indexed again after this time. */
  againMs?: number
}

interface StartParts {
  version: string
  isAssigned: IsAssigned
  log: Pick<Log, 'info' | 'error'>
}

/** Documents of one transaction. */
const BATCH = 50
/** Documents that are read at the same time. */
const CONCURRENT = 2

const POLL_MS = 1000
const AGAIN_MS = 5000
const CLEAN_EVERY_MS = 60 * 60 * 1000
/** The pause before a document whose blobs are missing or cannot be read is tried again. */
const RETRY_MS = 10 * 60 * 1000
/** Documents that one query leaves out. */
const MAX_POSTPONED = 500

/**
 * Indexes the documents, of one team or of all, that are not indexed yet. A process that is killed in between loses
 * nothing: the rest is still not indexed. Returns the errors of documents that could not be read, which stay out of the index.
 * `onProgress` is called with the number of documents after each batch.
 */
export async function indexDocuments(
  { store, reader }: IndexerParts,
  { team, signal, onProgress }: IndexOptions = {},
): Promise<ReadonlyMap<DocumentKey, unknown>> {
  const failures = new Map<DocumentKey, unknown>()
  // A document that is being edited all the time is not indexed again and again.
  const before = Date.now()
  for (;;) {
    signal?.throwIfAborted()
    const documents = await store.listUnindexed({ limit: BATCH, team, before, except: [...failures.keys()] })
    if (documents.length === 0) return failures
    await store.put(await readAll(reader, documents, failures, signal))
    onProgress?.(documents.length)
  }
}

export interface IndexOptions {
  team?: TeamKey | undefined
  signal?: AbortSignal | undefined
  onProgress?: (count: number) => void
}

/** Documents that were deleted are left out, and so are those in `failures`, to which this adds. */
async function readAll(
  reader: IndexerParts['reader'],
  documents: readonly UnindexedDocument[],
  failures: Map<DocumentKey, unknown>,
  signal?: AbortSignal,
): Promise<ReadDocument[]> {
  const results: ReadDocument[] = []
  const rest = documents.values()
  const work = async () => {
    for (const document of rest) {
      try {
        const read = await reader.read(document, signal ? { signal } : {})
        if (read) results.push({ ...document, ...read })
      } catch (error) {
        if (signal?.aborted || findUnavailable(error)) throw error
        failures.set(document.key, error)
      }
      // Small documents are read in this process, which has others to serve.
      await new Promise(setImmediate)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, work))
  return results
}

/**
 * Keeps the index up to date with imports and edits of any process, while it is the turn of this one. Returns a function
 * that ends this. If two processes do it at once, they do some work twice, and the result is the same.
 */
export function startIndexer(
  { store, reader, version, isAssigned, log }: IndexerParts & StartParts,
  { pollMs = POLL_MS, againMs = AGAIN_MS }: IndexerOptions = {},
): () => Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  /** Documents that could not be read, and when they are tried again. */
  const postponed = new Map<DocumentKey, number>()
  let cleanedAt = Number.NEGATIVE_INFINITY

  /** Returns whether there may be more to do at once. */
  async function step(): Promise<boolean> {
    for (const [key, at] of postponed) if (at <= performance.now()) postponed.delete(key)
    const documents = await store.listUnindexed({
      limit: BATCH,
      before: Date.now() - againMs,
      except: [...postponed.keys()].slice(0, MAX_POSTPONED),
    })
    const failures = new Map<DocumentKey, unknown>()
    await store.put(await readAll(reader, documents, failures, signal))
    for (const [key, err] of failures) {
      log.error({ err, document: key }, 'a document could not be indexed')
      postponed.set(key, performance.now() + RETRY_MS)
    }
    return documents.length === BATCH
  }

  async function clean(): Promise<void> {
    if (performance.now() - cleanedAt < CLEAN_EVERY_MS) return
    cleanedAt = performance.now()
    await store.deleteUnused()
  }

  async function begin(): Promise<void> {
    await store.startVersion(version)
    const count = await store.countUnindexed()
    if (count > 0) log.info({ count }, 'documents are being indexed')
  }

  async function run(): Promise<void> {
    let isStarted = false
    while (!signal.aborted) {
      try {
        if (await isAssigned()) {
          if (!isStarted) await begin()
          isStarted = true
          if (await step()) continue
          await clean()
        }
      } catch (err) {
        if (signal.aborted) return
        if (!findUnavailable(err)) log.error({ err }, 'documents could not be indexed')
      }
      await sleep(pollMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  const running = run()
  return async () => {
    stop.abort()
    await running
  }
}
