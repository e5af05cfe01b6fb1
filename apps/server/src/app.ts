import { fileURLToPath } from 'node:url'
import { NAMED_SCHEMAS } from '@meadow/contract'
import type { FastifyInstance } from 'fastify'
import { createPlaceStore } from './access/places.store.ts'
import { createReaderStore } from './access/reader.store.ts'
import type { SessionStore } from './access/sessions.store.ts'
import { createTokenUse } from './access/token-use.ts'
import type { Config } from './config.ts'
import type { DocumentContents } from './content/document-contents.ts'
import { documentRoutes } from './features/documents/documents.routes.ts'
import { createDocumentStore } from './features/documents/documents.store.ts'
import { mountDownloads } from './features/exports/downloads.routes.ts'
import { exportRoutes } from './features/exports/exports.routes.ts'
import { openExports } from './features/exports/open-exports.ts'
import { folderRoutes } from './features/folders/folders.routes.ts'
import { createFolderStore } from './features/folders/folders.store.ts'
import { mountHealth } from './features/health/health.routes.ts'
import { isLiveUpgrade } from './features/live/live-server.ts'
import type { AskForSolves } from './features/live/solve-asking.ts'
import { startLive } from './features/live/start-live.ts'
import { createBodyMaker } from './features/solutions/bodies/body-maker.ts'
import { openBodyThread } from './features/solutions/bodies/body-thread.ts'
import { getExportable } from './features/solutions/get-exportable.ts'
import { solutionRoutes } from './features/solutions/solutions.routes.ts'
import { createSolutionStore } from './features/solutions/solutions.store.ts'
import type { SolveEnds } from './features/solutions/solve-ends.ts'
import { teamRoutes } from './features/team/team.routes.ts'
import { createTeamStore } from './features/team/team.store.ts'
import { readBuild } from './features/web-app/read-build.ts'
import { createUnknownPage, mountPages } from './features/web-app/web-app.routes.ts'
import { mountApi } from './http/api.ts'
import { KeptBodies } from './http/kept-bodies.ts'
import { createMetrics } from './http/metrics.ts'
import { describeApi } from './http/openapi.ts'
import { publicPath } from './http/public-address.ts'
import { ReadyAnswers } from './http/ready-answers.ts'
import { mountReference } from './http/reference.ts'
import { createHttpServer } from './http/server.ts'
import type { BlobStore } from './platform/blobs/blobs.ts'
import { keepSmallBlobs } from './platform/blobs/small-blobs.ts'
import type { Database } from './platform/database/database.ts'
import type { TeamKey } from './platform/database/tables.ts'
import { createRequestLog, type Log } from './platform/log.ts'
import { mountWebApp } from './web-app.ts'

export interface AppParts {
  database: Database
  blobs: BlobStore
  /** Where another thread opens the same blob store. */
  blobsFolder: string
  contents: DocumentContents
  sessions: SessionStore
  /** What session cookies are signed with. */
  secret: string
  /** Asks for solves of documents, which this process or another one makes. */
  ask: AskForSolves
  log: Log
  /** What ends the waiting for a solve that runs in this process. */
  solveEnds: Pick<SolveEnds, 'listen'>
}

/** Beside the server in the workspace. */
const WEB_BUILD = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** The whole service over an open database and blob store, not yet listening. Wiring only. */
export async function createApp(
  config: Pick<Config, 'baseUrl' | 'cacheBytes' | 'oidc' | 'rateLimit' | 'stopNoticeMs' | 'trustedProxies'>,
  parts: AppParts,
): Promise<FastifyInstance> {
  const { database, blobs, blobsFolder, contents, log, solveEnds } = parts
  const solutions = createSolutionStore(database)
  const bodyThread = openBodyThread({ blobs, blobsFolder })
  const bodies = createBodyMaker({ store: solutions, contents, thread: bodyThread, log })
  const exports = await openExports({ database, blobs, blobsFolder, contents, log })
  const getSolution = (team: TeamKey, id: string) => getExportable(solutions, team, id)
  const routes = [
    ...teamRoutes(createTeamStore(database)),
    ...folderRoutes(createFolderStore(database)),
    ...documentRoutes(createDocumentStore(database), contents),
    ...solutionRoutes(solutions, bodies, solveEnds),
    ...exportRoutes({ getSolution, ...exports }),
  ]

  const tokenUse = createTokenUse(database, log)
  const metrics = createMetrics()
  const bytesForBlobs = Math.floor(config.cacheBytes / 4)
  const bytesForAnswers = config.cacheBytes - bytesForBlobs
  // Each request counts against a rate limit, so none may pass by it.
  const bytesForEach = config.rateLimit === undefined ? bytesForAnswers / 2 : 0
  const readyAnswers = new ReadyAnswers(Math.floor(bytesForEach), database.readCommitMark, {
    metrics,
    log: createRequestLog(log),
    tokenUse,
  })
  const build = await readBuild(WEB_BUILD, publicPath(config.baseUrl))
  const app = createHttpServer(log, metrics, readyAnswers, {
    publicPath: publicPath(config.baseUrl),
    stopNoticeMs: config.stopNoticeMs,
    sendUnknownPage: createUnknownPage(build),
    trustedProxies: config.trustedProxies,
    takesUpgrade: (request) => isLiveUpgrade(request, publicPath(config.baseUrl)),
  })
  mountPages(app, build)
  await mountApi(app, {
    routes,
    readers: createReaderStore(database),
    tokenUse,
    keptBodies: new KeptBodies(bytesForAnswers - Math.floor(bytesForEach)),
    readyAnswers,
    rateLimit: config.rateLimit,
    baseUrl: config.baseUrl,
    blobs: keepSmallBlobs(blobs, bytesForBlobs),
    log,
  })
  app.addHook('onClose', () => bodyThread[Symbol.asyncDispose]())
  app.addHook('onClose', tokenUse.close)
  app.addHook('onClose', () => exports[Symbol.asyncDispose]())
  mountDownloads(app, { ...exports, blobs, log })
  exports.startSweeping()
  const places = createPlaceStore(database)
  const ownOrigin = config.baseUrl === undefined ? undefined : new URL(config.baseUrl).origin
  startLive(app, { ...parts, places, ownOrigin })
  await mountWebApp(app, config, {
    ...parts,
    places,
    tokenUse,
    exports: { getSolution, ...exports },
    solutions,
    bodies,
    ownOrigin,
  })
  mountHealth(app, metrics, database)
  await mountReference(
    app,
    describeApi(
      routes.map((route) => route.endpoint),
      NAMED_SCHEMAS,
      config.baseUrl,
    ),
    publicPath(config.baseUrl),
  )
  return app
}
