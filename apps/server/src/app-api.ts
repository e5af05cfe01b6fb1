import type { SolveCause } from '@meadow/contract/web/terms'
import { isKilled } from '@meadow/processes'
import type { FastifyInstance } from 'fastify'
import type { Actor } from './access/current-roles.ts'
import { hashPermits } from './access/password-hashes.ts'
import {
  changePassword,
  findNewPasswordFault,
  findUserByPassword,
  isPasswordOf,
  renewHash,
} from './access/passwords.ts'
import type { ResourceAccess } from './access/resource-access.store.ts'
import { deriveKey } from './access/seal.ts'
import { createSessionCookies } from './access/session-cookie.ts'
import { SESSION_IDLE_MS, type SessionStore } from './access/sessions.store.ts'
import type { TokenUse } from './access/token-use.ts'
import { listChores } from './app-housekeeping.ts'
import { createAuditLog } from './audit/audit-log.store.ts'
import type { Config } from './config.ts'
import type { DocumentContents } from './content/document-contents.ts'
import { keepVersions } from './content/history/keep-versions.ts'
import { prepareReplacement } from './content/history/prepare-replacement.ts'
import { apiTokenRoutes } from './features/api-tokens/api-tokens.routes.ts'
import { createApiTokenStore } from './features/api-tokens/api-tokens.store.ts'
import { createGetClient } from './features/api-tokens/client-document.ts'
import { deviceRoutes, mountOAuth } from './features/api-tokens/device.routes.ts'
import { createDeviceAuthorizations } from './features/api-tokens/device-authorization.store.ts'
import { binRoutes } from './features/bin/bin.routes.ts'
import { createBinStore } from './features/bin/bin.store.ts'
import { deletePermanently } from './features/bin/delete-permanently.ts'
import { commentRoutes } from './features/comments/comments.routes.ts'
import { createCommentStore } from './features/comments/comments.store.ts'
import { deletionRoutes } from './features/deletion/deletion.routes.ts'
import { appDocumentRoutes } from './features/documents/app-documents.routes.ts'
import { createAppDocumentStore } from './features/documents/app-documents.store.ts'
import { createFileFactsStore } from './features/documents/file-facts.store.ts'
import { createSearch } from './features/documents/search.store.ts'
import { appExportRoutes, type ExportRouteParts } from './features/exports/exports.routes.ts'
import type { ExportStore } from './features/exports/exports.store.ts'
import { fileRoutes } from './features/files/files.routes.ts'
import { createFileStore } from './features/files/files.store.ts'
import { appFolderRoutes } from './features/folders/app-folders.routes.ts'
import { createAppFolderStore } from './features/folders/app-folders.store.ts'
import { createPersonalLists } from './features/folders/personal-lists.store.ts'
import { createFindVersion } from './features/history/version-file.ts'
import { versionRoutes } from './features/history/versions.routes.ts'
import { createVersionStore } from './features/history/versions.store.ts'
import { startHousekeeping } from './features/housekeeping/housekeeping.ts'
import { openDefinitionParser } from './features/import/definition-parser.ts'
import { ImportError } from './features/import/import-result.ts'
import { createUploadSemaphore, uploadRoutes } from './features/import/upload.routes.ts'
import { invitationRoutes } from './features/invitations/invitations.routes.ts'
import { createInvitationStore } from './features/invitations/invitations.store.ts'
import { createFindUsesStore } from './features/library-search/find-uses.store.ts'
import { startIndexer } from './features/library-search/indexer.ts'
import { librarySearchRoutes } from './features/library-search/library-search.routes.ts'
import { findReaderVersion, openUsesReader } from './features/library-search/reading/uses-reader.ts'
import { createUsesStore } from './features/library-search/uses.store.ts'
import type { RequestSolves } from './features/live/solve-requests.ts'
import { startMailSender } from './features/mail/mail-sender.ts'
import { mirrorRoutes } from './features/mirrors/mirrors.routes.ts'
import { createMirrorStore } from './features/mirrors/mirrors.store.ts'
import { paletteRoutes } from './features/palette/palette.routes.ts'
import { addressRoutes } from './features/sign-in/addresses.routes.ts'
import { createAddressStore } from './features/sign-in/addresses.store.ts'
import {
  createAttemptRateLimit,
  deviceKeys,
  invitationKeys,
  secretKeys,
  userCodeKeys,
} from './features/sign-in/attempt-rate-limit.ts'
import { createCodes } from './features/sign-in/codes.ts'
import { createMeStore, createReadMe } from './features/sign-in/me.store.ts'
import { createOidc, mountOidc } from './features/sign-in/oidc.ts'
import { createPasskeys } from './features/sign-in/passkeys.ts'
import { createSecondFactorStore } from './features/sign-in/second-factors.store.ts'
import { securityRoutes } from './features/sign-in/security.routes.ts'
import { signInRoutes } from './features/sign-in/sign-in.routes.ts'
import { createRecordFailedSignIn } from './features/sign-in/sign-in-events.ts'
import type { BodyMaker } from './features/solutions/bodies/body-maker.ts'
import { describeSolution } from './features/solutions/editor/describe-solution.ts'
import { editorSolutionRoutes } from './features/solutions/editor/editor-solutions.routes.ts'
import { openValuesPool } from './features/solutions/editor/values-pool.ts'
import type { SolutionStore } from './features/solutions/solutions.store.ts'
import { auditLogRoutes } from './features/team-settings/audit-log.routes.ts'
import { createCreditUseStore } from './features/team-settings/credit-use.store.ts'
import { teamSettingsRoutes } from './features/team-settings/team-settings.routes.ts'
import { createTeamSettingsStore } from './features/team-settings/team-settings.store.ts'
import { openThumbnailPool } from './features/thumbnails/thumbnail-pool.ts'
import { thumbnailRoutes } from './features/thumbnails/thumbnails.routes.ts'
import { createThumbnailStore } from './features/thumbnails/thumbnails.store.ts'
import { viewRoutes } from './features/views/views.routes.ts'
import { createViewStore } from './features/views/views.store.ts'
import { startDeliverySender } from './features/webhooks/delivery-sender.ts'
import { createTargets } from './features/webhooks/target.ts'
import { webhookRoutes } from './features/webhooks/webhooks.routes.ts'
import { createWebhookStore } from './features/webhooks/webhooks.store.ts'
import { mountAppApi } from './http/app-api/app-api.ts'
import { cookieScopeOf } from './http/connection/public-address.ts'
import { HttpError } from './http/http-error.ts'
import type { Metrics } from './http/metrics.ts'
import type { BlobStore } from './platform/blobs/blobs.ts'
import type { BlobsLocation } from './platform/blobs/open-blobs.ts'
import { createRateWindows } from './platform/cluster/rate-windows.ts'
import type { SingletonJobs } from './platform/cluster/singleton-jobs.ts'
import type { Database } from './platform/database/database.ts'
import { timeOf } from './platform/database/database-clock.ts'
import type { DocumentKey } from './platform/database/tables.ts'
import type { Log } from './platform/log.ts'
import { discardBlobs } from './team/content-blobs.ts'

export interface AppApiWiring {
  database: Database
  blobs: BlobStore
  contents: Pick<DocumentContents, 'find' | 'read' | 'history'>
  sessions: SessionStore
  /** The secret that session cookies are signed with. */
  secret: string
  resourceAccess: ResourceAccess
  tokenUse: Pick<TokenUse, 'flush'>
  requestSolves: RequestSolves
  exports: ExportRouteParts & { store: ExportStore }
  solutions: SolutionStore
  bodies: BodyMaker
  /** The location at which other processes open the same blob store. */
  blobsLocation: BlobsLocation
  /** Whose turn it is to do what one process does for all. */
  singletonJobs: SingletonJobs
  metrics: Pick<Metrics, 'add' | 'watchSemaphore'>
  log: Log
  /** The origin under which clients reach the server, where it is configured. */
  ownOrigin: string | undefined
}

/** Creates the parts of the app API, the endpoints that the web app calls, and mounts it. Wiring only. */
export async function wireAppApi(
  app: FastifyInstance,
  {
    baseUrl,
    mail,
    oidc: provider,
    webhooks,
    oauth,
    ...limits
  }: Pick<Config, 'baseUrl' | 'jobs' | 'mail' | 'oauth' | 'oidc' | 'uploads' | 'webhooks'>,
  parts: AppApiWiring,
): Promise<void> {
  const { database, blobs, contents, sessions, secret, resourceAccess, singletonJobs, metrics, log } = parts
  const me = createMeStore(database)
  const codes = createCodes(secret, () => timeOf(database.read))
  const factors = createSecondFactorStore(database, codes)
  const readMe = createReadMe(me, factors)
  const attempts = createAttemptRateLimit(database)
  const recordFailure = createRecordFailedSignIn(database)
  const cookies = createSessionCookies({ secret, ...cookieScopeOf(baseUrl) })
  const oidc =
    provider && baseUrl !== undefined
      ? createOidc({ database, sessions, cookies, recordFailure, secret, baseUrl, log }, provider)
      : undefined

  metrics.watchSemaphore('password_hashes', hashPermits)
  const parser = openDefinitionParser({ blobs: parts.blobsLocation, limits: limits.jobs.definitions })
  const uploadSemaphore = createUploadSemaphore(limits.uploads)
  metrics.watchSemaphore('uploads', uploadSemaphore)
  metrics.watchSemaphore('definition_processes', parser.queue)
  const values = openValuesPool(parts.blobsLocation, limits.jobs.values)
  metrics.watchSemaphore('values_processes', values.queue)
  app.addHook('onClose', () => values[Symbol.asyncDispose]())
  const thumbnails = openThumbnailPool(parts.blobsLocation, limits.jobs.values)
  metrics.watchSemaphore('thumbnail_processes', thumbnails.queue)
  app.addHook('onClose', () => thumbnails[Symbol.asyncDispose]())
  const usesReader = openUsesReader(contents, parts.blobsLocation, limits.jobs.definitions)
  const indexer = {
    store: createUsesStore(database),
    reader: usesReader,
    version: findReaderVersion(),
    isAssigned: singletonJobs('index of uses'),
    log,
  }
  let stopIndexer = async () => {}
  app.addHook('onReady', async () => {
    stopIndexer = startIndexer(indexer)
  })
  app.addHook('onClose', async () => {
    await stopIndexer()
    await usesReader[Symbol.asyncDispose]()
  })
  const sendsMail = mail !== undefined
  const mailSender = startMailSender({
    database,
    server: mail,
    baseUrl,
    isAssigned: singletonJobs('mail'),
    log,
  })
  metrics.add(mailSender.instruments)
  app.addHook('onClose', () => mailSender[Symbol.asyncDispose]())
  const commentPace = createRateWindows(database)
  app.addHook('onClose', () => commentPace.close())
  const webhookKey = deriveKey(secret, 'webhooks')
  const targets = createTargets(webhooks, 'MEADOW_WEBHOOKS_ALLOW')
  const deliverySender = startDeliverySender({ database, targets, key: webhookKey, log })
  metrics.add(deliverySender.instruments)
  app.addHook('onClose', () => deliverySender[Symbol.asyncDispose]())
  const { exports } = parts
  const devices = createDeviceAuthorizations(database, secret)
  const chores = listChores({ database, blobs, singletonJobs, attempts, devices, exports, sendsMail, log })
  app.addHook('onClose', startHousekeeping({ database, log }, chores))
  app.addHook('onClose', () => parser[Symbol.asyncDispose]())

  const files = createFileStore(database)
  const documents = createAppDocumentStore(database)
  const versions = createVersionStore(database)
  const requestSolves = async (actor: Actor, documents: readonly DocumentKey[], cause: SolveCause) =>
    !('error' in (await parts.requestSolves(actor.team, documents, { actor, cause })))
  const askForSolves = async (actor: Actor, documents: readonly DocumentKey[]) => {
    for (const document of documents)
      await keepVersions({ database, blobs, history: contents.history }, document, 'solve')
    return requestSolves(actor, documents, 'asked')
  }
  const routes = [
    ...signInRoutes({
      ...{ oidc, sendsMail, attempts, store: me, readMe, sessions, factors, cookies, recordFailure },
      now: () => timeOf(database.read),
      passwords: {
        findUser: (typed) => findUserByPassword(database.read, typed),
        renewHash: (user, password) => renewHash(database, user, password),
        findFault: (person, password) => findNewPasswordFault(database.read, person, password),
        change: (person, passwords) => changePassword(database, person, passwords),
      },
    }),
    ...securityRoutes({
      ...{ attempts, readMe, sessions, factors, codes, recordFailure },
      isPasswordOf: (user, password) => isPasswordOf(database.read, user, password),
      passkeys: createPasskeys(secret, () => timeOf(database.read)),
      ownOrigin: parts.ownOrigin,
    }),
    ...addressRoutes({ store: createAddressStore(database), attempts, readMe, sendsMail }),
    ...teamSettingsRoutes({
      store: createTeamSettingsStore(database),
      creditUse: createCreditUseStore(database),
      database,
    }),
    ...invitationRoutes({
      store: createInvitationStore(database),
      database,
      baseUrl,
      readMe,
      sendsMail,
      countMail: (team) => attempts.count(invitationKeys(team)),
      limitTries: (ip, work) =>
        attempts.run(secretKeys(ip), work, (error) => error instanceof HttpError && error.status === 410),
      async startSession(user, userAgent, address) {
        const expiresAt = timeOf(database.read) + SESSION_IDLE_MS
        return cookies.set({
          token: await sessions.createSession({ user, expiresAt, userAgent, address, by: 'invitation' }),
          expiresAt,
        })
      },
    }),
    ...auditLogRoutes({ log: createAuditLog(database), database }),
    ...apiTokenRoutes({ store: createApiTokenStore(database), database, flushUse: parts.tokenUse.flush }),
    ...deviceRoutes({
      ...{ store: devices, database },
      limitGuesses: ({ ip, person }, work) =>
        attempts.run(
          userCodeKeys(ip, person.userId),
          work,
          (error) => error instanceof HttpError && error.code === 'device_code_not_found',
        ),
    }),
    ...webhookRoutes({ store: createWebhookStore(database), database, targets, key: webhookKey }),
    ...appFolderRoutes({
      ...{ store: createAppFolderStore(database), lists: createPersonalLists(database) },
      ...{ resourceAccess, database, requestSolves: askForSolves },
    }),
    ...appDocumentRoutes({
      store: documents,
      resourceAccess: resourceAccess,
      database,
      blobs,
      search: createSearch(database),
      searchFiles: files.search,
      facts: createFileFactsStore(database, blobs),
      readContent: async (document, reserve) => (await contents.read(document, { reserve }))?.value,
      async listUnsolvable({ team, document }, file, reserve) {
        const content = await contents.find(document, { reserve })
        return content && parser.listUnsolvable(content, file, String(team))
      },
      async readStored({ team, document }, file, reserve) {
        const content = await contents.find(document, { reserve })
        return content ? parser.readStored(file, content, String(team)) : null
      },
      requestSolve: (actor, document) => askForSolves(actor, [document]),
    }),
    ...versionRoutes({
      ...{ database, blobs, resourceAccess },
      requestSolve: (actor, document) => requestSolves(actor, [document], 'automatic'),
      history: contents.history,
      store: versions,
      readStored: ({ team }, file, content) => parser.readStored(file, content, String(team)),
      findOriginal: documents.findOriginal,
      readDocument: documents.readDocument,
      async readSolution({ team, documentId }, id) {
        const solution = await parts.solutions.findSolution(team, documentId, id)
        return solution && describeSolution(solution, blobs)
      },
    }),
    ...commentRoutes({ database, store: createCommentStore(database), pace: commentPace }),
    ...viewRoutes(createViewStore(database)),
    ...fileRoutes({
      store: files,
      resourceAccess,
      database,
      readContents: (digest, kind, team) =>
        parser.readContents(digest, kind, String(team)).catch(ignoreImportError),
      placing: {
        ...{ database, blobs },
        findContent: (document, reserve) => contents.find(document, { reserve }),
        readNode: (digest, kind, team) =>
          parser.readPlacedNode(digest, kind, String(team)).catch(ignoreImportError),
        readClusters: (content, team) =>
          parser.readPlacedClusters(content, String(team)).catch(ignoreImportError),
      },
    }),
    ...binRoutes({
      store: createBinStore(database),
      database,
      deletePermanently: (actor, item) => deletePermanently(database, actor, item),
    }),
    ...deletionRoutes({ database, cookies }),
    ...editorSolutionRoutes({
      solutions: parts.solutions,
      bodies: parts.bodies,
      values,
      blobs,
      contents,
      findName: async (document) => (await documents.findOriginal(document))?.name,
    }),
    ...appExportRoutes({
      ...parts.exports,
      baseUrl,
      findVersion: createFindVersion(database, blobs, versions),
    }),
    ...uploadRoutes({
      database,
      blobs,
      parser,
      semaphore: uploadSemaphore,
      prepareReplacement: (document, content) =>
        prepareReplacement({ database, blobs, history: contents.history }, document, content),
      log,
      discard: (digest) => database.transaction((write) => discardBlobs(write, [digest])),
    }),
    ...thumbnailRoutes({ store: createThumbnailStore(database), contents, pool: thumbnails }),
    ...librarySearchRoutes({ store: createFindUsesStore(database), reader: usesReader, resourceAccess }),
    ...mirrorRoutes(createMirrorStore(database)),
    ...paletteRoutes(),
  ]
  await mountAppApi(app, { routes, sessions, resourceAccess, blobs, log, ownOrigin: parts.ownOrigin })
  if (oidc) mountOidc(app, oidc)
  const countProgram = (ip: string) => attempts.count(deviceKeys(ip))
  mountOAuth(app, {
    ...{ store: devices, countProgram, baseUrl, ownOrigin: parts.ownOrigin, mcpUrl: oauth.mcpUrl, log },
    getClient: createGetClient(createTargets(oauth.clients, 'MEADOW_OAUTH_ALLOW').resolve),
  })
}

/** A library item that cannot be read has no contents. */
function ignoreImportError(error: unknown): undefined {
  if (!(error instanceof ImportError) || isKilled(error)) throw error
}
