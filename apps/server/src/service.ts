import { join } from 'node:path'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createSolveEnds } from './features/solutions/solve-ends.ts'
import { type Solving, startSolving } from './features/solves/start-solving.ts'
import type { BlobStore } from './platform/blobs/blobs.ts'
import { openDiskBlobs } from './platform/blobs/disk.ts'
import type { Database } from './platform/database/database.ts'
import { openDatabase } from './platform/database/open-database.ts'
import type { Log } from './platform/log.ts'

/** A service that listens. */
export interface Service {
  /** Where it listens, without a closing slash. */
  readonly address: string
  readonly database: Database
  readonly blobs: BlobStore
  readonly solving: Pick<Solving, 'ask' | 'store'>
  /**
   * Refuses new requests, lets those that run finish, solves too, and lets go of the database. What still runs after
   * `stopGraceMs` is cut off; a solve is left to whoever solves next.
   */
  stop(): Promise<void>
}

/** Opens what the service needs, listens, and closes it all again in reverse when it is stopped. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const database = await openDatabase(config)
  try {
    const blobsFolder = join(config.dataDir, 'blobs')
    const blobs = await openDiskBlobs(blobsFolder)
    const solveEnds = createSolveEnds()
    const app = await createApp(config, { database, blobs, blobsFolder, log, solveEnds })
    const address = await app.listen({ host: config.host, port: config.port })
    const { stopGraceMs } = config
    const solving = startSolving(
      { database, blobs, blobsFolder, log, onEnded: solveEnds.tell },
      { ...config.solving, stopGraceMs },
    )
    let stopped: Promise<void> | undefined
    const stop = async () => {
      // A connection that finished its last answer closes at once instead of waiting for the next request.
      app.server.keepAliveTimeout = 1
      const cutOff = setTimeout(() => app.server.closeAllConnections(), stopGraceMs)
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
