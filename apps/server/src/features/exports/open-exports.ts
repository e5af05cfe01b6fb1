import { createLinkKeyStore } from '../../access/link-keys.store.ts'
import type { DocumentContents } from '../../content/document-contents.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { createSignedLinks,type SignedLinks } from '../../platform/blobs/signed-links.ts'
import type { FairSemaphore } from '../../platform/concurrency/fair-semaphore.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import { DEFAULT_POOL_LIMITS,type PoolLimits,toPoolOptions } from '../../platform/processes/pool-limits.ts'
import { openProcessPool } from '../../platform/processes/process-pool.ts'
import { createExportMaker,type ExportMaker,type MakerOptions } from './export-maker.ts'
import type { ExportRequest,ExportSetup,MadeFile } from './export-request.ts'
import { createExportStore,type ExportStore } from './exports.store.ts'
import { sweepExports } from './sweep-exports.ts'

/** The library's own memory is a gigabyte at most. */
const OTHER_MB = 1024

const SWEEP_EVERY_MS = 60 * 60 * 1000

export interface ExportParts {
  database: Database
  blobs: BlobStore
  /** Where other processes open the same blob store. */
  blobsFolder: string
  contents: Pick<DocumentContents, 'read'>
  log: Log
  /** Of the processes in which files are made. */
  limits?: PoolLimits
  /** In place of the usual ones. */
  options?: MakerOptions
}

/** The exports of a process. */
export interface Exports extends AsyncDisposable {
  store: ExportStore
  maker: ExportMaker
  links: SignedLinks
  /** Of the files that are made, or wait to be. */
  queue: FairSemaphore
  /** Clears away, from now on and every hour, what no link leads to any more. */
  startSweeping(): void
}

/** The key that links are signed with is made when there is none yet. */
export async function openExports(parts: ExportParts): Promise<Exports> {
  const { database, blobs, blobsFolder, contents, log, options, limits = DEFAULT_POOL_LIMITS.exports } = parts
  const keys = createLinkKeyStore(database)
  await keys.getCurrent()
  const store = createExportStore(database)
  const pool = openProcessPool<ExportRequest, MadeFile>({
    script: new URL('./export.worker.ts', import.meta.url),
    setup: { blobsFolder } satisfies ExportSetup,
    folder: blobsFolder,
    ...toPoolOptions(limits, { otherMb: OTHER_MB }),
  })
  const maker = createExportMaker({ store, blobs, contents, pool, log }, options)
  let sweeping = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function sweep(): Promise<void> {
    try {
      const count = await sweepExports(store, Date.now())
      if (count > 0) log.info({ count }, 'forgot exports that nothing leads to')
    } catch (err) {
      log.error({ err }, 'exports that nothing leads to could not be forgotten')
    }
  }

  return {
    store,
    maker,
    queue: pool.queue,
    links: createSignedLinks(keys),
    startSweeping() {
      const sweepNext = () => {
        sweeping = sweeping.then(sweep)
      }
      sweepNext()
      timer = setInterval(sweepNext, SWEEP_EVERY_MS)
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await Promise.all([maker[Symbol.asyncDispose](), sweeping])
    },
  }
}
