import { createLinkKeyStore } from '../../access/link-keys.store.ts'
import type { DocumentContents } from '../../content/document-contents.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { BlobsLocation } from '../../platform/blobs/open-blobs.ts'
import { createSignedLinks, type SignedLinks } from '../../platform/blobs/signed-links.ts'
import type { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import type { Database } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { Log } from '../../platform/log.ts'
import {
  DEFAULT_POOL_LIMITS,
  FILES_MEMORY,
  type PoolLimits,
  toPoolOptions,
} from '../../platform/processes/pool-limits.ts'
import { openProcessPool } from '../../platform/processes/process-pool.ts'
import { createExportMaker, type ExportMaker, type MakerOptions, type MakerParts } from './export-maker.ts'
import { createExportStore, type ExportStore } from './exports.store.ts'
import { createLinkEvents, type LinkEvents } from './link-events.ts'
import type { ExportRequest, MadeFile } from './make-file.ts'

const COLLECT_BATCH = 100

export interface ExportParts {
  database: Database
  blobs: BlobStore
  /** The location at which child processes open the same blob store. */
  blobsLocation: BlobsLocation
  contents: Pick<DocumentContents, 'read'>
  requireSolution: MakerParts['requireSolution']
  log: Log
  /** The limits of the child processes. */
  limits?: PoolLimits
  options?: MakerOptions
}

/** The exports of a process. */
export interface Exports extends AsyncDisposable {
  store: ExportStore
  maker: ExportMaker
  links: SignedLinks
  linkEvents: LinkEvents
  /** The queue of the files that are being made, or wait to be. */
  queue: FairSemaphore
}

/** Creates the key that links are signed with, unless there is one. */
export async function openExports(parts: ExportParts): Promise<Exports> {
  const {
    database,
    blobs,
    blobsLocation,
    contents,
    requireSolution,
    log,
    options,
    limits = DEFAULT_POOL_LIMITS.exports,
  } = parts
  const keys = createLinkKeyStore(database)
  await keys.getCurrent()
  const store = createExportStore(database)
  const pool = openProcessPool<ExportRequest, MadeFile>({
    name: 'export',
    module: new URL('./make-file.ts', import.meta.url),
    blobs: blobsLocation,
    ...toPoolOptions(limits, FILES_MEMORY),
  })
  const maker = createExportMaker({ store, requireSolution, blobs, contents, pool, log }, options)
  return {
    store,
    maker,
    queue: pool.queue,
    links: createSignedLinks(keys, () => timeOf(database.read)),
    linkEvents: createLinkEvents(database),
    [Symbol.asyncDispose]: () => maker[Symbol.asyncDispose](),
  }
}

/** Deletes files that are retained until `before` (milliseconds since 1970) at most; returns their number. */
export async function deleteObsoleteExports(
  store: Pick<ExportStore, 'listObsolete' | 'deleteObsolete'>,
  before: number,
): Promise<number> {
  let count = 0
  for (;;) {
    const files = await store.listObsolete(before, COLLECT_BATCH)
    if (files.length === 0) return count
    await store.deleteObsolete(files)
    count += files.length
  }
}
