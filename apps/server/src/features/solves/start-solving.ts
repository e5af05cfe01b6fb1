import type { Actor } from '../../access/current-roles.ts'
import type { DocumentContents } from '../../content/document-contents.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey,TeamKey } from '../../platform/database/tables.ts'
import type { Log } from '../../platform/log.ts'
import type { Asked } from './solve-record.ts'
import { type PoolOptions,startSolverPool } from './solver-pool.ts'
import { createSolveStore,type SolveStore } from './solves.store.ts'
import { KEPT_SUPERSEDED_MS,sweepSuperseded } from './sweep-superseded.ts'

const SWEEP_EVERY_MS = 60 * 60 * 1000

export interface SolvingParts {
  database: Database
  blobs: BlobStore
  blobsFolder: string
  contents: DocumentContents
  log: Log
  /** Called when a solve of a document has ended in this process. */
  onEnded?: (document: DocumentKey) => void
}

/** The solves of a process: what it asks for, and what it solves for itself and others. */
export interface Solving {
  store: SolveStore
  /** As `SolveStore.ask`, and this process begins at once. */
  ask(team: TeamKey, documents: readonly DocumentKey[], actor?: Actor): Promise<Asked>
  /** Takes nothing new, and gives back what still runs after the grace. */
  stop(): Promise<void>
}

/** Without workers, this process leaves to others both the solving and the clearing away. */
export function startSolving(parts: SolvingParts, options: PoolOptions): Solving {
  const { database, blobs, log } = parts
  const store = createSolveStore(database)
  const isSolver = options.workers > 0
  const pool = isSolver ? startSolverPool({ ...parts, store }, options) : undefined
  const stopSweeping = isSolver ? sweepNowAndThen() : () => Promise.resolve()

  /** Resolves to what ends it. */
  function sweepNowAndThen(): () => Promise<void> {
    const sweep = async () => {
      try {
        const count = await sweepSuperseded(store, blobs, Date.now() - KEPT_SUPERSEDED_MS)
        if (count > 0) log.info({ count }, 'removed what superseded solves left')
      } catch (error) {
        log.error({ err: error }, 'what superseded solves left could not be removed')
      }
    }
    let sweeping = sweep()
    const timer = setInterval(() => {
      sweeping = sweeping.then(sweep)
    }, SWEEP_EVERY_MS)
    return async () => {
      clearInterval(timer)
      await sweeping
    }
  }

  return {
    store,
    async ask(team, documents, actor) {
      const asked = await store.ask(team, documents, actor)
      pool?.wake()
      return asked
    },
    async stop() {
      await Promise.all([pool?.stop(), stopSweeping()])
    },
  }
}
