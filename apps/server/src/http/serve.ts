import type { IncomingHttpHeaders } from 'node:http'
import type { Endpoint, ParamsOf, ResponseOf } from '@meadow/contract'
import type { TokenPrincipal } from '../access/token-principal.store.ts'
import type { RequestShare } from './admission.ts'
import type { StoredBody } from './stored-body.ts'
import type { TaggedJson } from './tagged-json.ts'

/** What a handler is told of a request, after token, team, route, method and scope were checked. */
export interface ApiRequest<E extends Endpoint = Endpoint> {
  params: ParamsOf<E>
  query: URLSearchParams
  headers: IncomingHttpHeaders
  /** Nobody will see the body: where it takes much to make, `NO_BODY` is answer enough. */
  isHead: boolean
  principal: TokenPrincipal
  /** Raised when nobody waits for the answer any more, or the server stops: an answer that is held back ends then. */
  readonly signal: AbortSignal
  /** What of the service the request takes: to be told before much memory is taken, and of work that only waits. */
  readonly share: Pick<RequestShare, 'waitFor' | 'reserve'>
  /** The public address of this server, without a closing slash: for links that leave it. Only for answers not kept. */
  readonly publicAddress: string
}

/** A response body: a value to serialise, or JSON that exists already, as bytes or in the blob store, or can be made. */
export type ApiAnswer<E extends Endpoint = Endpoint> =
  | ResponseOf<E>
  | Uint8Array
  | StoredBody
  | TaggedJson
  | typeof NO_BODY

/** In answer to a HEAD request: there would be a body. Tag and length, which follow from it, are left out. */
export const NO_BODY = Symbol('no body')

/** An endpoint and what the server does about it. */
export interface Route<E extends Endpoint = Endpoint> {
  endpoint: E
  answer(request: ApiRequest<E>): Promise<ApiAnswer<E>> | ApiAnswer<E>
  /** Whether the answer follows from the address and the team's version alone, so that its bytes can be kept. */
  kept: boolean
}

/** Binds an endpoint to its handler. The handler reads top to bottom: find, refuse, answer. */
export const serve = <E extends Endpoint>(
  endpoint: E,
  answer: Route<E>['answer'],
  { kept = true }: { kept?: boolean } = {},
): Route => ({ endpoint, answer: answer as unknown as Route['answer'], kept })
