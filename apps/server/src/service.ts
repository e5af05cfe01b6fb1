import { join } from 'node:path'
import { openSessionSecret } from './access/session-cookie.ts'
import { createSessionStore } from './access/sessions.store.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createDocumentContents } from './content/document-contents.ts'
import { createSolutionStore } from './features/solutions/solutions.store.ts'
import { createSolveWaits } from './features/solutions/solve-waits.ts'
import { type Solving, startSolving } from './features/solves/solver-pool.ts'
import type { BlobStore } from './platform/blobs/blobs.ts'
import { openDiskBlobs } from './platform/blobs/disk.ts'
import { ensureDataFolder } from './platform/data-folder.ts'
import type { Database } from './platform/database/database.ts'
import { openDatabase } from './platform/database/open-database.ts'
import type { Log } from './platform/log.ts'
import { warnAtStart } from './start-warnings.ts'

/** A service that listens. */
export interface Service {
  /** Where it listens, without a closing slash. */
  readonly address: string
  readonly database: Database
  readonly blobs: BlobStore
  readonly solving: Pick<Solving, 'request' | 'store'>
  /**
   * Answers on for `stopNoticeMs`, each answer the last one on its connection; then takes no more connections, lets
   * what runs finish, solves too, and lets go of the database. What still runs `stopGraceMs` after the call is cut
   * off; a solve is left to whoever solves next.
   */
  stop(): Promise<void>
}

/** Opens what the service needs, listens, and closes it all again in reverse when it is stopped. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const database = await openDatabase(config, { log })
  try {
    await warnAtStart(config, database, log)
    const blobsFolder = join(config.dataDir, 'blobs')
    ensureDataFolder(config.dataDir, (sentence) => log.warn(sentence))
    const blobs = await openDiskBlobs(blobsFolder)
    const contents = createDocumentContents(database, blobs, (err) =>
      log.error({ err }, 'a document could not be kept in memory'),
    )
    const secret = await openSessionSecret(config.dataDir, config.sessionSecret)
    const sessions = createSessionStore(database, secret)
    const solveWaits = createSolveWaits(createSolutionStore(database), config.maxWaits)
    const { stopGraceMs } = config
    const solving = startSolving(
      { database, blobs, blobsFolder, contents, log, onEnded: solveWaits.notifyEnded },
      { ...config.solving, stopGraceMs },
    )
    await using failing = new AsyncDisposableStack()
    failing.defer(solving.stop)
    const { request: ask } = solving
    const parts = { database, blobs, blobsFolder, contents, sessions, secret, ask, log, solveWaits }
    const app = await createApp(config, parts)
    failing.defer(() => app.close())
    // For the second address of that name Fastify would open a server of its own, which knows nothing of ours.
    const host = config.host === 'localhost' ? '127.0.0.1' : config.host
    const address = await app.listen({ host, port: config.port })
    failing.move()
    let stopped: Promise<void> | undefined
    const stop = async () => {
      const cutOff = setTimeout(app.connections.destroyAll, stopGraceMs)
      await Promise.all([app.close(), solving.stop()])
      clearTimeout(cutOff)
      await database.close()
    }
    return {
      address,
      database,
      blobs,
      solving,
      stop() {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}
