import { fileURLToPath } from 'node:url'
import { LIVE_PATH } from '@meadow/contract'
import { describeContract } from '@meadow/contract/description'
import { describeApi } from '@meadow/contract/openapi'
import type { FastifyInstance } from 'fastify'
import { createResourceAccess } from './access/resource-access.store.ts'
import { readSessionCookie } from './access/session-cookie.ts'
import type { SessionStore } from './access/sessions.store.ts'
import { createTokenUse } from './access/token-use.ts'
import { wireAppApi } from './app-api.ts'
import type { Config } from './config.ts'
import type { DocumentContents } from './content/document-contents.ts'
import { createBackupGauge } from './features/backup/backup-metrics.ts'
import { mountDownloads } from './features/exports/downloads.routes.ts'
import { MAKER_OPTIONS } from './features/exports/export-maker.ts'
import { exportRoutes } from './features/exports/exports.routes.ts'
import { openExports } from './features/exports/open-exports.ts'
import { mountHealth } from './features/health/health.routes.ts'
import type { FindFault } from './features/health/readiness.ts'
import { createVersionStore } from './features/history/versions.store.ts'
import { versionsByTokenRoutes } from './features/history/versions-by-token.ts'
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
import { readBuild } from './features/web-pages/web-build.ts'
import { createUnknownPage, mountPages } from './features/web-pages/web-pages.routes.ts'
import { createAdmission, createLimits, TeamActivity } from './http/admission.ts'
import { createApi } from './http/api/api.ts'
import { mountReference } from './http/api/reference/reference.ts'
import { listApiRoutes } from './http/api/route.ts'
import type { QuotaOwner } from './http/call.ts'
import { publicPath } from './http/connection/public-address.ts'
import type { Metrics } from './http/metrics.ts'
import { RequestLog } from './http/request-log.ts'
import { mountSecurityText } from './http/security-text.ts'
import { createHttpServer } from './http/server.ts'
import type { BlobStore } from './platform/blobs/blobs.ts'
import { type BlobsLocation, spoolFolderOf } from './platform/blobs/open-blobs.ts'
import { createRateWindows } from './platform/cluster/rate-windows.ts'
import type { SingletonJobs } from './platform/cluster/singleton-jobs.ts'
import { describeClock } from './platform/database/clock-record.ts'
import type { Database } from './platform/database/database.ts'
import type { Log } from './platform/log.ts'
import { bytesForLinks, createReadParts } from './read-parts.ts'

export interface AppParts {
  database: Database
  blobs: BlobStore
  /** The location at which other processes open the same blob store. */
  blobsLocation: BlobsLocation
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
  singletonJobs: SingletonJobs
  /** The requests that are held back until a solve has ended. */
  solveWaits: Pick<SolveWaits, 'permits' | 'wait'>
  metrics: Metrics
  /** Collects what the operator should know, beside the log. */
  notices: string[]
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
    | 'hsts'
    | 'connections'
    | 'jobs'
    | 'live'
    | 'mail'
    | 'metricsPort'
    | 'metricsToken'
    | 'oauth'
    | 'oidc'
    | 'rateLimit'
    | 'securityContact'
    | 'sendsTiming'
    | 'stopNoticeMs'
    | 'trustedProxies'
    | 'redirectsDownloads'
    | 'uploads'
    | 'webhooks'
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
    requireSolution: (team, id) => getExportable(solutions, team, id),
    log,
    limits: config.jobs.exports,
    options: { ...MAKER_OPTIONS, keptBytes: bytesForLinks(config.cacheBytes) },
  })
  const tokenUse = createTokenUse(database, log)
  const requestLog = new RequestLog(log, metrics)
  const limits = createLimits(config.admission, metrics, new TeamActivity())
  const reads = createReadParts(config, {
    database,
    blobs,
    contents,
    log,
    requestLog,
    tokenUse,
    limits,
  })
  const build = await readBuild(WEB_BUILD, publicPath(config.baseUrl))
  metrics.add([createBackupGauge(database)])
  metrics.watchSemaphore('waits', solveWaits.permits)
  if (parts.compute) metrics.watchRequests('compute', parts.compute.figures)
  metrics.watchSemaphore('body_processes', bodyPool.queue)
  metrics.watchSemaphore('export_processes', exports.queue)
  const rateLimit =
    config.rateLimit === undefined
      ? undefined
      : { perWindow: config.rateLimit, windows: createRateWindows(database) }
  const admission = createAdmission(limits)
  /** Finds the session in the signed cookie of a page or socket, before it is looked up. */
  const findPrincipal = (cookie: string | undefined, caller: string): QuotaOwner | undefined => {
    const session = readSessionCookie(cookie, parts.secret)
    return session === undefined ? undefined : { team: `session ${session}`, caller }
  }
  const apiRoutes = [
    ...reads.routes,
    ...solutionRoutes(solutions, bodies, solveWaits, { contents, indexes: reads.indexes }),
    ...exportRoutes(exports),
    ...versionsByTokenRoutes(database, blobs, createVersionStore(database)),
  ]
  const api = createApi({ ...reads.api, routes: apiRoutes, rateLimit })
  const app = createHttpServer(
    {
      ...{ log, requestLog, admission },
      handleApi: api.handle,
      repeatedRequests: api.repeated,
      securityHeaders: reads.api.securityHeaders,
      notices: parts.notices,
    },
    {
      connectionLimits: config.connections,
      findQuotaOwner: ({ headers, routeOptions }) =>
        findPrincipal(headers.cookie, routeOptions.url ?? 'none'),
      publicPath: publicPath(config.baseUrl),
      stopNoticeMs: config.stopNoticeMs,
      sendUnknownPage: createUnknownPage(build),
      trustedProxies: config.trustedProxies,
      takesUpgrade: (request) => isLiveUpgrade(request, publicPath(config.baseUrl)),
    },
  )
  app.mountedRoutes.push(...listApiRoutes(apiRoutes))
  mountPages(app, build)
  app.addHook('onClose', () => bodyPool[Symbol.asyncDispose]())
  app.addHook('onClose', tokenUse.close)
  app.addHook('onClose', async () => rateLimit?.windows.close())
  app.addHook('onClose', () => exports[Symbol.asyncDispose]())
  mountDownloads(app, { ...exports, blobs, log, redirects: config.redirectsDownloads })
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
    exports,
    solutions,
    bodies,
    ownOrigin,
  })
  mountHealth(app, {
    findFault: parts.findFault,
    findWarnings: () => describeClock(parts.database.read),
    stopping: app.stopping,
    metrics: config.metricsPort === undefined ? metrics : undefined,
    metricsToken: config.metricsToken,
  })
  mountSecurityText(app, config)
  await mountReference(app, describeApi(describeContract(), config.baseUrl), config.baseUrl)
  return app
}
