import type { IncomingHttpHeaders } from 'node:http'
import { ALL_SCOPES, API_PREFIX, type Endpoint, type ParamsOf, type ResponseOf } from '@meadow/contract'
import findMyWay from 'find-my-way'
import type { TokenPrincipal } from '../../access/token-principal.store.ts'
import type { MaybePromise } from '../../platform/database/database.ts'
import type { RequestQuota } from '../call.ts'
import type { GrowingBody, RewrittenBody, StoredBody, TaggedJson } from '../responses/response-body.ts'
import type { MountedRoute } from '../route-access.ts'

/** What the handler of a cached route receives of a request: all that its response may depend on. */
export interface CachedRequest<E extends Endpoint = Endpoint> {
  params: ParamsOf<E>
  query: URLSearchParams
  principal: TokenPrincipal
  /** The request's quota of the service: call it before memory is taken. */
  readonly quota: Pick<RequestQuota, 'reserve'>
}

/** What a response that is made at once may depend on. */
export interface PlainRequest<E extends Endpoint = Endpoint> extends CachedRequest<E> {
  /** The address of the client, or an empty string. */
  readonly clientAddress: string
  /** The public address of this server, without a closing slash, for links. */
  readonly publicAddress: string
}

/** What other handlers receive of a request, after token, team, route, method and scope were checked. */
export interface ApiRequest<E extends Endpoint = Endpoint> extends PlainRequest<E> {
  /** The id of the request. */
  readonly id: string
  headers: IncomingHttpHeaders
  /** Whether the body will not be sent: a handler that would need much work for it may then return `NO_BODY`. */
  isHead: boolean
  /** Aborts when the client has disconnected or the server stops: a request that is held back then ends. */
  readonly signal: AbortSignal
  /** The request's quota of the service: call it before memory is taken, and around work that only waits. */
  readonly quota: Pick<RequestQuota, 'waitFor' | 'reserve'>
}

/** What the handler of a cached route returns: a value to serialise, or JSON as bytes, or to be made when needed. */
export type CachedResult<E extends Endpoint = Endpoint> = ResponseOf<E> | Uint8Array | TaggedJson

/** What other handlers return: also JSON in the blob store, or no body. */
export type ApiResult<E extends Endpoint = Endpoint> =
  | CachedResult<E>
  | StoredBody
  | GrowingBody
  | RewrittenBody
  | typeof NO_BODY

/**
 * The response to a HEAD request whose body was not made: it lacks entity tag and length, which follow from the body.
 */
export const NO_BODY = Symbol('no body')

/**
 * An endpoint and its handler. `isCached` is true when the response depends on the resource scope, the address and the
 * team's version alone; with the query parameter `uncachedWith` it depends on more.
 */
export type Route = CachedRoute | OtherRoute

export interface CachedRoute {
  endpoint: Endpoint
  isCached: true
  uncachedWith?: string
  handle(request: CachedRequest): MaybePromise<CachedResult>
}

interface OtherRoute {
  endpoint: Endpoint
  isCached: false
  /** Makes the response to a request that was not parsed; undefined when that takes more than reading. */
  atOnce?(request: PlainRequest): MaybePromise<CachedResult | undefined>
  handle(request: ApiRequest): MaybePromise<ApiResult>
}

/** Binds an endpoint to its handler. The handler reads top to bottom: find, throw an error, return. */
export function serve<E extends Endpoint>(
  endpoint: E,
  handle: (request: ApiRequest<E>) => MaybePromise<ApiResult<E>>,
  options: {
    isCached: false
    atOnce?: (request: PlainRequest<E>) => MaybePromise<CachedResult<E> | undefined>
  },
): Route
export function serve<E extends Endpoint>(
  endpoint: E,
  handle: (request: CachedRequest<E>) => MaybePromise<CachedResult<E>>,
  options?: { uncachedWith: keyof E['query']['properties'] & string },
): Route
export function serve(endpoint: Endpoint, handle: (request: never) => unknown, options: object = {}): Route {
  return { endpoint, handle, isCached: true, ...options } as Route
}

/** Whether the response of a route to this query may be cached. */
export const isCachedFor = (route: Route, queryString: string): route is CachedRoute =>
  route.isCached &&
  // What is kept has no headers of its endpoint.
  !route.endpoint.deprecated &&
  (route.uncachedWith === undefined || !new URLSearchParams(queryString).has(route.uncachedWith))

export type FindRoute = (url: string) => FoundRoute | undefined

export interface FoundRoute {
  route: Route
  /** The pattern of the route's path, with the prefix. */
  pattern: string
  params: Record<string, string>
  queryString: string
}

/** Finds the route of an address as Fastify does: the whole path has to match, and parameters are decoded once. */
export function createRouter(routes: readonly Route[]): FindRoute {
  const router = findMyWay({
    // An id is any string that an address can hold (decision 5).
    maxParamLength: Number.POSITIVE_INFINITY,
    // The few handlers that take parameters parse the query themselves.
    querystringParser: (query) => query,
  })
  for (const route of routes) {
    requireScope(route)
    const pattern = pathOf(route)
    router.on('GET', pattern, () => {}, { route, pattern })
  }
  return (url) => {
    const found = router.find('GET', url)
    return found
      ? {
          ...(found.store as Pick<FoundRoute, 'route' | 'pattern'>),
          params: found.params as Record<string, string>,
          queryString: found.searchParams as unknown as string,
        }
      : undefined
  }
}

/** Returns the pattern of the path of a route. */
const pathOf = ({ endpoint }: Route): string => API_PREFIX + endpoint.path

/** Throws when the route has no scope, since every token could use it. The process does not start then. */
function requireScope(route: Route): void {
  const { scope } = route.endpoint
  if (!ALL_SCOPES.includes(scope))
    throw new Error(`The route GET ${pathOf(route)} needs a scope, and "${scope}" is none.`)
}

/** Lists the routes in the form of mounted ones, with who may use them. */
export const listApiRoutes = (routes: readonly Route[]): MountedRoute[] =>
  routes.map((route) => ({ method: 'GET', path: pathOf(route), access: route.endpoint.scope }))
