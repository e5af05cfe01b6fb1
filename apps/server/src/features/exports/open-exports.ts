import { availableParallelism } from 'node:os'
import { createLinkKeyStore } from '../../access/link-keys.store.ts'
import type { DocumentContents } from '../../content/document-contents.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { createSignedLinks, type SignedLinks } from '../../platform/blobs/signed-links.ts'
import type { Database } from '../../platform/database/database.ts'
import { type JobLimits, openJobThread } from '../../platform/job-thread.ts'
import type { Log } from '../../platform/log.ts'
import { createExportMaker, type ExportMaker, type MakerOptions } from './export-maker.ts'
import type { ExportRequest, ExportThreadSetup, MadeFile } from './export-request.ts'
import { createExportStore, type ExportStore } from './exports.store.ts'
import { sweepExports } from './sweep-exports.ts'

/** The library's own memory, a gigabyte at most, comes on top. */
const LIMITS: JobLimits = { deadlineMs: 120_000, heapMb: 1024 }
/** Each takes memory in proportion to the largest file; a second one lets small files pass a large one. */
const THREADS = availableParallelism() > 2 ? 2 : 1

const SWEEP_EVERY_MS = 60 * 60 * 1000

export interface ExportParts {
  database: Database
  blobs: BlobStore
  /** Where another thread opens the same blob store. */
  blobsFolder: string
  contents: Pick<DocumentContents, 'read'>
  log: Log
  /** In place of the usual ones. */
  options?: MakerOptions
}

/** The exports of a process. */
export interface Exports extends AsyncDisposable {
  store: ExportStore
  maker: ExportMaker
  links: SignedLinks
  /** Clears away, from now on and every hour, what no link leads to any more. */
  startSweeping(): void
}

/** The key that links are signed with is made when there is none yet. */
export async function openExports(parts: ExportParts): Promise<Exports> {
  const { database, blobs, blobsFolder, contents, log, options } = parts
  const keys = createLinkKeyStore(database)
  await keys.getCurrent()
  const store = createExportStore(database)
  const setup: ExportThreadSetup = { blobsFolder }
  const script = new URL('./export.worker.ts', import.meta.url)
  const threads = Array.from({ length: THREADS }, () =>
    openJobThread<ExportRequest, MadeFile>(script, { setup, limits: LIMITS }),
  )
  const maker = createExportMaker({ store, blobs, contents, threads, log }, options)
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
