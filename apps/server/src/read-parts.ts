import { createTokenPrincipalStore } from './access/token-principal.store.ts'
import type { TokenUse } from './access/token-use.ts'
import type { Config } from './config.ts'
import { createContentIndexes } from './content/content-index.ts'
import type { DocumentContents } from './content/document-contents.ts'
import { changesRoutes } from './features/changes/changes.routes.ts'
import { createChangesStore } from './features/changes/changes.store.ts'
import { documentRoutes } from './features/documents/documents.routes.ts'
import { createDocumentStore } from './features/documents/documents.store.ts'
import { createSearch } from './features/documents/search.store.ts'
import { folderRoutes } from './features/folders/folders.routes.ts'
import { createFolderStore } from './features/folders/folders.store.ts'
import { teamRoutes } from './features/folders/team.routes.ts'
import { createTeamStore } from './features/folders/team.store.ts'
import type { Limits } from './http/admission.ts'
import { ResponseCache } from './http/api/response-cache.ts'
import { createFindClientAddress } from './http/connection/address.ts'
import type { RequestLog } from './http/request-log.ts'
import { createSecurityHeaders } from './http/responses/security-headers.ts'
import type { BlobStore } from './platform/blobs/blobs.ts'
import { cacheSmallBlobs } from './platform/blobs/small-blobs.ts'
import type { Database } from './platform/database/database.ts'
import type { Log } from './platform/log.ts'

/** The part of the memory for responses that is for links to exports. */
export const bytesForLinks = (cacheBytes: number): number => Math.floor(cacheBytes / 32)

export interface ReadParts {
  database: Database
  blobs: BlobStore
  contents: DocumentContents
  log: Log
  requestLog: RequestLog
  tokenUse: Pick<TokenUse, 'note' | 'count'>
  limits: Pick<Limits, 'note' | 'acquire' | 'trySend'>
}

/**
 * Creates what answers reads of the API: the routes, the response cache, where blobs come from, and the indexes of
 * contents.
 */
export function createReadParts(
  config: Pick<Config, 'baseUrl' | 'cacheBytes' | 'hsts' | 'rateLimit' | 'sendsTiming' | 'trustedProxies'>,
  { database, blobs, contents, log, requestLog, tokenUse, limits }: ReadParts,
) {
  const bytesForBlobs = Math.floor(config.cacheBytes / 4)
  const bytesForIndexes = Math.floor(config.cacheBytes / 8)
  const cachedBlobs = cacheSmallBlobs(blobs, bytesForBlobs)
  const indexes = createContentIndexes(cachedBlobs, bytesForIndexes)
  const securityHeaders = createSecurityHeaders(config)
  const findClientAddress = createFindClientAddress(config.trustedProxies)
  const responseCache = new ResponseCache(
    {
      maxBytes: config.cacheBytes - bytesForBlobs - bytesForIndexes - bytesForLinks(config.cacheBytes),
      // With a rate limit each request has to be counted, so none may take the fast path. Nor with timing.
      keepsResponses: config.rateLimit === undefined && !config.sendsTiming,
    },
    {
      readCommitCounter: database.readCommitCounter,
      ...{ findClientAddress, securityHeaders, requestLog, tokenUse, limits },
    },
  )
  const routes = [
    ...teamRoutes(createTeamStore(database)),
    ...folderRoutes(createFolderStore(database)),
    ...documentRoutes(createDocumentStore(database), createSearch(database), contents, { indexes, blobs }),
    ...changesRoutes(createChangesStore(database)),
  ]
  const api = {
    principals: createTokenPrincipalStore(database),
    ...{ tokenUse, responseCache, limits, findClientAddress },
    ...{ baseUrl: config.baseUrl, sendsTiming: config.sendsTiming },
    securityHeaders,
    blobs: cachedBlobs,
    log,
  }
  return { routes, api, indexes }
}
