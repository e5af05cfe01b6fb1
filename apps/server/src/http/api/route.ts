import type { IncomingHttpHeaders } from 'node:http'
import type { Endpoint, ParamsOf, ResponseOf } from '@meadow/contract'
import type { TokenPrincipal } from '../../access/token-principal.store.ts'
import type { RequestQuota } from '../call.ts'
import type { StoredBody, TaggedJson } from '../responses/response-body.ts'

/** What a handler receives of a request, after token, team, route, method and scope were checked. */
export interface ApiRequest<E extends Endpoint = Endpoint> {
  /** The id of the request. */
  readonly id: string
  /** The address of the client, or an empty string. */
  readonly clientAddress: string
  params: ParamsOf<E>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** Whether the body will not be sent: a handler that would need much work for it may then return `NO_BODY`. */
  isHead: boolean
  principal: TokenPrincipal
  /** Aborts when the client has disconnected or the server stops: a request that is held back then ends. */
  readonly signal: AbortSignal
  /** The request's quota of the service: call it before memory is taken, and around work that only waits. */
  readonly quota: Pick<RequestQuota, 'waitFor' | 'reserve'>
  /** The public address of this server, without a closing slash, for links. Only for responses that are not cached. */
  readonly publicAddress: string
}

/** What a handler returns: a value to serialise, or JSON as bytes, in the blob store, or to be made when needed. */
export type ApiResult<E extends Endpoint = Endpoint> =
  | ResponseOf<E>
  | Uint8Array
  | StoredBody
  | TaggedJson
  | typeof NO_BODY

/**
 * The response to a HEAD request whose body was not made: it lacks entity tag and length, which follow from the body.
 */
export const NO_BODY = Symbol('no body')

/** An endpoint and its handler. */
export interface Route<E extends Endpoint = Endpoint> {
  endpoint: E
  handle(request: ApiRequest<E>): Promise<ApiResult<E>> | ApiResult<E>
  /** Whether the response depends on the resource scope, the address and the team's version alone, so that it can be cached. */
  isCached: boolean
}

/** Binds an endpoint to its handler. The handler reads top to bottom: find, throw an error, return. */
export const serve = <E extends Endpoint>(
  endpoint: E,
  handle: Route<E>['handle'],
  { isCached = true }: { isCached?: boolean } = {},
): Route => ({ endpoint, handle: handle as unknown as Route['handle'], isCached })
