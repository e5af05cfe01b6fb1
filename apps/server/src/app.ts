import { NAMED_SCHEMAS } from '@meadow/contract'
import type { FastifyInstance } from 'fastify'
import { createReaderStore } from './access/reader.store.ts'
import type { Config } from './config.ts'
import { documentRoutes } from './features/documents/documents.routes.ts'
import { createDocumentStore } from './features/documents/documents.store.ts'
import { exportRoutes } from './features/exports/exports.routes.ts'
import { folderRoutes } from './features/folders/folders.routes.ts'
import { createFolderStore } from './features/folders/folders.store.ts'
import { mountHealth } from './features/health/health.routes.ts'
import { createBodyMaker } from './features/solutions/bodies/body-maker.ts'
import { openBodyThread } from './features/solutions/bodies/body-thread.ts'
import { getExportable } from './features/solutions/get-exportable.ts'
import { solutionRoutes } from './features/solutions/solutions.routes.ts'
import { createSolutionStore } from './features/solutions/solutions.store.ts'
import type { SolveEnds } from './features/solutions/solve-ends.ts'
import { teamRoutes } from './features/team/team.routes.ts'
import { createTeamStore } from './features/team/team.store.ts'
import { mountApi } from './http/api.ts'
import { KeptBodies } from './http/kept-bodies.ts'
import { createMetrics } from './http/metrics.ts'
import { describeApi } from './http/openapi.ts'
import { ReadyAnswers } from './http/ready-answers.ts'
import { mountReference } from './http/reference.ts'
import { createHttpServer } from './http/server.ts'
import type { BlobStore } from './platform/blobs/blobs.ts'
import type { Database } from './platform/database/database.ts'
import { createRequestLog, type Log } from './platform/log.ts'

export interface AppParts {
  database: Database
  blobs: BlobStore
  /** Where another thread opens the same blob store. */
  blobsFolder: string
  log: Log
  /** What ends the waiting for a solve that runs in this process. */
  solveEnds: Pick<SolveEnds, 'listen'>
}

/** The whole service over an open database and blob store, not yet listening. Wiring only. */
export async function createApp(
  config: Pick<Config, 'cacheBytes' | 'rateLimit'>,
  { database, blobs, blobsFolder, log, solveEnds }: AppParts,
): Promise<FastifyInstance> {
  const solutions = createSolutionStore(database)
  const bodyThread = openBodyThread({ blobsFolder })
  const bodies = createBodyMaker({ store: solutions, thread: bodyThread, log })
  const routes = [
    ...teamRoutes(createTeamStore(database)),
    ...folderRoutes(createFolderStore(database)),
    ...documentRoutes(createDocumentStore(database), blobs),
    ...solutionRoutes(solutions, bodies, solveEnds),
    ...exportRoutes((team, id) => getExportable(solutions, team, id)),
  ]

  const metrics = createMetrics()
  // Each request counts against a rate limit, so none may pass by it.
  const bytesForEach = config.rateLimit === undefined ? config.cacheBytes / 2 : 0
  const readyAnswers = new ReadyAnswers(Math.floor(bytesForEach), database.readCommitMark, {
    metrics,
    log: createRequestLog(log),
  })
  const app = createHttpServer(log, metrics, readyAnswers)
  await mountApi(app, {
    routes,
    readers: createReaderStore(database),
    keptBodies: new KeptBodies(config.cacheBytes - Math.floor(bytesForEach)),
    readyAnswers,
    rateLimit: config.rateLimit,
    blobs,
    log,
  })
  app.addHook('onClose', () => bodyThread[Symbol.asyncDispose]())
  mountHealth(app, metrics, database)
  await mountReference(
    app,
    describeApi(
      routes.map((route) => route.endpoint),
      NAMED_SCHEMAS,
    ),
  )
  return app
}
