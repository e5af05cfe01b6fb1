import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { MemberRole } from '@meadow/contract'
import type { Access, AppBody, AppEndpoint, AppParams, AppQuery, AppResponse } from '@meadow/contract/web'
import type { Static } from 'typebox'
import type { Actor } from '../../access/current-roles.ts'
import type {
  BinItemAccess,
  DocumentAccess,
  FileAccess,
  FolderAccess,
  TeamAccess,
} from '../../access/resource-access.store.ts'
import type { Person } from '../../access/sessions.store.ts'
import type { LinkedFile } from '../../platform/blobs/blob-links.ts'
import type { RequestQuota } from '../call.ts'
import type { StoredBody } from '../responses/response-body.ts'

/** What a handler receives of a request, after the caller was authorized. */
export interface AppRequest<E extends AppEndpoint = AppEndpoint> {
  params: AppParams<E>
  query: AppQuery<E>
  /** The body, checked against the declaration; a stream when that is `Bytes`. */
  body: AppBody<E> extends Uint8Array ? AsyncIterable<Uint8Array> : AppBody<E>
  headers: IncomingHttpHeaders
  raw: IncomingMessage
  /** The host name that the request came under: lower case, without a port. */
  host: string
  /** The address of the client, or of an untrusted proxy in front of the server. */
  ip: string
  /** The signed-in person. */
  person: PersonOf<E['needs']>
  /** The resource that the path names, and the person's access to it. */
  access: AccessOf<E>
  /** The actor whose access a transaction checks again before it writes, since it may have ended in the meantime. */
  actor: E['needs'] extends MemberRole ? Actor : undefined
  /** Sets cookies, each of which is a `Set-Cookie` line. */
  setCookies(lines: readonly string[]): void
  /** Lets the browser delete what it has stored of this service: solutions and files (APP-9). */
  clearBrowserCache(): void
  /** Aborts when the client has disconnected or the server stops. */
  readonly signal: AbortSignal
  /** The request's quota of the service: call it before memory is taken, and around work that only waits. */
  readonly quota: Pick<RequestQuota, 'waitFor' | 'reserve'>
}

type PersonOf<Needs extends Access> = Needs extends 'anyone' | 'player' | 'visitor'
  ? Person | undefined
  : Person

/** The access to the resource that the parameters of the path name. */
type Named<Params> = Params extends { documentId: string }
  ? DocumentAccess
  : Params extends { folderId: string }
    ? FolderAccess
    : Params extends { fileId: string }
      ? FileAccess
      : Params extends { binItemId: string }
        ? BinItemAccess
        : TeamAccess

type AccessOf<E extends AppEndpoint> = E['needs'] extends MemberRole
  ? Named<Static<E['params']>> & { role: MemberRole }
  : E['needs'] extends 'player' | 'visitor'
    ? Named<Static<E['params']>>
    : undefined

/** A redirect to another address. */
export class Redirection {
  readonly to: string
  constructor(to: string) {
    this.to = to
  }
}

/** A file in the blob store, to be sent as it is. */
export class StoredFile {
  readonly file: LinkedFile
  constructor(file: LinkedFile) {
    this.file = file
  }
}

/** What a handler returns: a value to serialise, JSON as bytes or in the blob store, a file, or a redirect. */
export type AppResult<E extends AppEndpoint = AppEndpoint> =
  | AppResponse<E>
  | Uint8Array
  | StoredBody
  | StoredFile
  | Redirection

/** An endpoint of the app API and its handler. */
export interface AppRoute<E extends AppEndpoint = AppEndpoint> {
  endpoint: E
  handle(request: AppRequest<E>): Promise<AppResult<E>> | AppResult<E>
}

/** Binds an endpoint to its handler. The caller was authorized before. */
export const serveApp = <E extends AppEndpoint>(endpoint: E, handle: AppRoute<E>['handle']): AppRoute => ({
  endpoint,
  handle: handle as unknown as AppRoute['handle'],
})
