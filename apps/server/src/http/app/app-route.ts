import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { MemberRole } from '@meadow/contract'
import type { Access, AppBody, AppEndpoint, AppParams, AppQuery, AppResponse } from '@meadow/contract/web'
import type { Static } from 'typebox'
import type { Actor } from '../../access/current-roles.ts'
import type {
  BinItemAccess,
  DocumentAccess,
  FolderAccess,
  TeamAccess,
} from '../../access/resource-access.store.ts'
import type { Person } from '../../access/sessions.store.ts'
import type { RequestShare } from '../admission.ts'
import type { StoredBody } from '../stored-body.ts'

/** What a handler is told of a request that it may answer. */
export interface AppRequest<E extends AppEndpoint = AppEndpoint> {
  params: AppParams<E>
  query: AppQuery<E>
  /** What was checked against the declaration; of `Bytes` the stream. */
  body: AppBody<E> extends Uint8Array ? AsyncIterable<Uint8Array> : AppBody<E>
  headers: IncomingHttpHeaders
  raw: IncomingMessage
  /** The host name that the request came under: lower case, without a port. */
  host: string
  /** Of the client, or of the proxy in front of the server. */
  ip: string
  /** Who is signed in. */
  person: PersonOf<E['needs']>
  /** What the path names, and how the person stands to it. */
  here: PlaceOf<E>
  /** Who writes, for the transaction that does: access may have ended since it was checked here. */
  actor: E['needs'] extends MemberRole ? Actor : undefined
  /** Cookies to set, each as a `Set-Cookie` line. */
  setCookies(lines: readonly string[]): void
  /** Raised when nobody waits for the answer any more, or the server stops. */
  readonly hurry: AbortSignal
  /** What of the service the request takes: to be told before much memory is taken, and of work that only waits. */
  readonly share: Pick<RequestShare, 'waitFor' | 'reserve'>
}

type PersonOf<Needs extends Access> = Needs extends 'anyone' | 'visitor' ? Person | undefined : Person

/** What the parameters of the path name. */
type Named<Params> = Params extends { documentId: string }
  ? DocumentAccess
  : Params extends { folderId: string }
    ? FolderAccess
    : Params extends { binItemId: string }
      ? BinItemAccess
      : TeamAccess

type PlaceOf<E extends AppEndpoint> = E['needs'] extends MemberRole
  ? Named<Static<E['params']>> & { role: MemberRole }
  : E['needs'] extends 'visitor'
    ? Named<Static<E['params']>>
    : undefined

/** A place to go to, for `Redirect`. */
export class Redirection {
  readonly to: string
  constructor(to: string) {
    this.to = to
  }
}

/** A value to serialise, or JSON that exists already. */
export type AppAnswer<E extends AppEndpoint = AppEndpoint> =
  | AppResponse<E>
  | Uint8Array
  | StoredBody
  | Redirection

/** An endpoint of the web app and what the server does about it. */
export interface AppRoute<E extends AppEndpoint = AppEndpoint> {
  endpoint: E
  answer(request: AppRequest<E>): Promise<AppAnswer<E>> | AppAnswer<E>
}

/** Binds an endpoint to its handler. Who asks was checked before, so the handler does what was asked for. */
export const serveApp = <E extends AppEndpoint>(endpoint: E, answer: AppRoute<E>['answer']): AppRoute => ({
  endpoint,
  answer: answer as unknown as AppRoute['answer'],
})
