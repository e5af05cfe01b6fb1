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
import { solutionRoutes } from './features/solutions/solutions.routes.ts'
import { createSolutionStore } from './features/solutions/solutions.store.ts'
import { teamRoutes } from './features/team/team.routes.ts'
import { createTeamStore } from './features/team/team.store.ts'
import { mountApi } from './http/api.ts'
import { KeptBodies } from './http/kept-bodies.ts'
import { createMetrics } from './http/metrics.ts'
import { describeApi } from './http/openapi.ts'
import { mountReference } from './http/reference.ts'
import { createHttpServer } from './http/server.ts'
import type { BlobStore } from './platform/blobs/blobs.ts'
import type { Database } from './platform/database/database.ts'
import type { Log } from './platform/log.ts'

/** The whole service over an open database and blob store, not yet listening. Wiring only. */
export async function createApp(
  config: Pick<Config, 'cacheBytes' | 'rateLimit'>,
  platform: { database: Database; blobs: BlobStore; log: Log },
): Promise<FastifyInstance> {
  const { database, blobs, log } = platform
  const solutions = createSolutionStore(database)
  const routes = [
    ...teamRoutes(createTeamStore(database)),
    ...folderRoutes(createFolderStore(database)),
    ...documentRoutes(createDocumentStore(database), blobs),
    ...solutionRoutes(solutions),
    ...exportRoutes(solutions.findState),
  ]

  const metrics = createMetrics()
  const app = createHttpServer(log, metrics)
  await mountApi(app, {
    routes,
    readers: createReaderStore(database),
    keptBodies: new KeptBodies(config.cacheBytes),
    rateLimit: config.rateLimit,
  })
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
