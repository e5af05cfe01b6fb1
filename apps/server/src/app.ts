import { fileURLToPath } from 'node:url'
import { LIVE_PATH } from '@meadow/contract'
import { describeContract } from '@meadow/contract/description'
import { describeApi } from '@meadow/contract/openapi'
import type { FastifyInstance } from 'fastify'
import { createResourceAccess } from './access/resource-access.store.ts'
import { readSessionCookie } from './access/session-cookie.ts'
import type { SessionStore } from './access/sessions.store.ts'
import { createTokenPrincipalStore } from './access/token-principal.store.ts'
import { createTokenUse } from './access/token-use.ts'
import { wireAppApi } from './app-api.ts'
import type { Config } from './config.ts'
import type { DocumentContents } from './content/document-contents.ts'
import { createBackupGauge } from './features/backup/backup-metrics.ts'
import { documentRoutes } from './features/documents/documents.routes.ts'
import { createDocumentStore } from './features/documents/documents.store.ts'
import { createFileFactsStore } from './features/documents/file-facts.store.ts'
import { createSearch } from './features/documents/search.store.ts'
import { mountDownloads } from './features/exports/downloads.routes.ts'
import { exportRoutes } from './features/exports/exports.routes.ts'
import { openExports } from './features/exports/open-exports.ts'
import { folderRoutes } from './features/folders/folders.routes.ts'
import { createFolderStore } from './features/folders/folders.store.ts'
import { mountHealth } from './features/health/health.routes.ts'
import type { FindFault } from './features/health/readiness.ts'
import { isLiveUpgrade, type LiveServerParts } from './features/live/live-server.ts'
import type { RequestSolves } from './features/live/solve-requests.ts'
import { startLive } from './features/live/start-live.ts'
import { createBodyMaker } from './features/solutions/bodies/body-maker.ts'
import { openBodyPool } from './features/solutions/bodies/body-pool.ts'
import { getExportable } from './features/solutions/get-exportable.ts'
import { solutionRoutes } from './features/solutions/solutions.routes.ts'
import { createSolutionStore } from './features/solutions/solutions.store.ts'
import type { SolveWaits } from './features/solutions/solve-waits.ts'
import type { ComputeClient } from './features/solves/compute/compute-client.ts'
import { teamRoutes } from './features/team/team.routes.ts'
import { createTeamStore } from './features/team/team.store.ts'
import { readBuild } from './features/web-pages/web-build.ts'
import { createUnknownPage, mountPages } from './features/web-pages/web-pages.routes.ts'
import { createAdmission, type ShareOwner, TeamActivity } from './http/admission.ts'
import { mountApi } from './http/api/api.ts'
import { mountReference } from './http/api/reference/reference.ts'
import { FastPathCache, ResponseCache } from './http/api/response-cache.ts'
import { publicPath } from './http/connection/public-address.ts'
import { createProxyWarning } from './http/connection/untrusted-proxy.ts'
import type { Metrics } from './http/metrics.ts'
import { createHttpServer } from './http/server.ts'
import type { BlobStore } from './platform/blobs/blobs.ts'
import { type BlobsLocation, spoolFolderOf } from './platform/blobs/open-blobs.ts'
import { cacheSmallBlobs } from './platform/blobs/small-blobs.ts'
import type { Turns } from './platform/cluster/exclusive-tasks.ts'
import { openRateWindows } from './platform/cluster/rate-windows.ts'
import type { Database } from './platform/database/database.ts'
import type { TeamKey } from './platform/database/tables.ts'
import { createRequestLog, type Log } from './platform/log.ts'

export interface AppParts {
  database: Database
  blobs: BlobStore
  /** Where other processes open the same blob store. */
  blobsLocation: BlobsLocation
  /** Why the blob store is not the one of the service (any more). */
  contents: DocumentContents
  sessions: SessionStore
  /** The secret that session cookies are signed with. */
  secret: string
  /** Requests solves of documents, which this process or another one makes. */
  requestSolves: RequestSolves
  log: Log
  /** The id of this process among those on the database. */
  processId: string
  /** Whose turn it is to do what one process does for all. */
  turns: Turns
  /** The requests that are held back until a solve has ended. */
  solveWaits: Pick<SolveWaits, 'permits' | 'wait'>
  metrics: Metrics
  /** Why the service is not ready. */
  findFault: FindFault
  /** What the requests to a Rhino.Compute server took, if one is configured. */
  compute?: Pick<ComputeClient, 'figures'> | undefined
}

/** The build of the web app, next to the server in the workspace. */
const WEB_BUILD = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** The whole service over an open database and blob store, not yet listening. Wiring only. */
export async function createApp(
  config: Pick<
    Config,
    | 'admission'
    | 'baseUrl'
    | 'cacheBytes'
    | 'connections'
    | 'jobs'
    | 'live'
    | 'metricsPort'
    | 'oidc'
    | 'rateLimit'
    | 'stopNoticeMs'
    | 'trustedProxies'
    | 'redirectsDownloads'
    | 'uploads'
  >,
  parts: AppParts,
): Promise<FastifyInstance> {
  const { database, blobs, blobsLocation, contents, log, solveWaits, metrics } = parts
  const solutions = createSolutionStore(database)
  const bodyPool = openBodyPool(blobsLocation, config.jobs.bodies)
  const bodies = createBodyMaker({
    store: solutions,
    contents,
    pool: bodyPool,
    spoolFolder: spoolFolderOf(blobsLocation),
    log,
  })
  const exports = await openExports({
    database,
    blobs,
    blobsLocation,
    contents,
    log,
    limits: config.jobs.exports,
  })
  const getSolution = (team: TeamKey, id: string) => getExportable(solutions, team, id)
  const routes = [
    ...teamRoutes(createTeamStore(database)),
    ...folderRoutes(createFolderStore(database)),
    ...documentRoutes(
      createDocumentStore(database),
      createSearch(database),
      contents,
      createFileFactsStore(database, blobs),
    ),
    ...solutionRoutes(solutions, bodies, solveWaits),
    ...exportRoutes({ getSolution, ...exports }),
  ]

  const tokenUse = createTokenUse(database, log)
  const bytesForBlobs = Math.floor(config.cacheBytes / 4)
  const bytesForResponses = config.cacheBytes - bytesForBlobs
  // With a rate limit each request has to be counted, so none may take the fast path.
  const bytesForFastPath = config.rateLimit === undefined ? bytesForResponses / 2 : 0
  const activity = new TeamActivity()
  const fastPathCache = new FastPathCache(Math.floor(bytesForFastPath), database.readCommitCounter, {
    metrics,
    log: createRequestLog(log),
    tokenUse,
    activity,
  })
  const build = await readBuild(WEB_BUILD, publicPath(config.baseUrl))
  metrics.add([createBackupGauge(database)])
  metrics.watchSemaphore('waits', solveWaits.permits)
  if (parts.compute) metrics.watchRequests('compute', parts.compute.figures)
  metrics.watchSemaphore('body_processes', bodyPool.queue)
  metrics.watchSemaphore('export_processes', exports.queue)
  // On SQLite, each process counts by itself: a statement for all of them would invalidate cached responses.
  const isCountedTogether = config.rateLimit !== undefined && database.dialect === 'postgres'
  const rateWindows = isCountedTogether ? openRateWindows(database) : undefined
  const admission = createAdmission(config.admission, metrics, activity)
  /** For pages and sockets: the session in the signed cookie, before it is looked up. */
  const findPrincipal = (cookie: string | undefined, caller: string): ShareOwner | undefined => {
    const session = readSessionCookie(cookie, parts.secret)
    return session === undefined ? undefined : { team: `session ${session}`, caller }
  }
  const app = createHttpServer(
    { log, metrics, fastPathCache, admission },
    {
      connectionLimits: config.connections,
      findShareOwner: ({ headers, routeOptions }) =>
        findPrincipal(headers.cookie, routeOptions.url ?? 'none'),
      publicPath: publicPath(config.baseUrl),
      stopNoticeMs: config.stopNoticeMs,
      sendUnknownPage: createUnknownPage(build),
      trustedProxies: config.trustedProxies,
      takesUpgrade: (request) => isLiveUpgrade(request, publicPath(config.baseUrl)),
    },
  )
  const warnOfProxy = createProxyWarning(config.trustedProxies, log)
  app.addHook('onRequest', ({ raw }, _reply, next) => {
    warnOfProxy(raw.headers, raw.socket.remoteAddress)
    next()
  })
  mountPages(app, build)
  await mountApi(app, {
    routes,
    principals: createTokenPrincipalStore(database),
    tokenUse,
    responseCache: new ResponseCache(bytesForResponses - Math.floor(bytesForFastPath)),
    fastPathCache,
    rateLimit: config.rateLimit,
    rateWindows,
    baseUrl: config.baseUrl,
    blobs: cacheSmallBlobs(blobs, bytesForBlobs),
    log,
  })
  app.addHook('onClose', () => bodyPool[Symbol.asyncDispose]())
  app.addHook('onClose', tokenUse.close)
  app.addHook('onClose', async () => rateWindows?.close())
  app.addHook('onClose', () => exports[Symbol.asyncDispose]())
  mountDownloads(app, { ...exports, blobs, log, redirects: config.redirectsDownloads })
  exports.collectGarbageHourly(parts.turns('obsolete exports'))
  const resourceAccess = createResourceAccess(database)
  const ownOrigin = config.baseUrl === undefined ? undefined : new URL(config.baseUrl).origin
  const admit: LiveServerParts['admit'] = (cookie, signal) => {
    const principal = findPrincipal(cookie, LIVE_PATH)
    return principal && admission.admit(principal, signal)
  }
  startLive(app, { ...parts, resourceAccess: resourceAccess, ownOrigin, metrics, admit, limits: config.live })
  await wireAppApi(app, config, {
    ...parts,
    resourceAccess,
    tokenUse,
    metrics,
    exports: { getSolution, ...exports },
    solutions,
    bodies,
    ownOrigin,
  })
  mountHealth(app, {
    findFault: parts.findFault,
    stopping: app.stopping,
    metrics: config.metricsPort === undefined ? metrics : undefined,
  })
  await mountReference(app, describeApi(describeContract(), config.baseUrl), config.baseUrl)
  return app
}
