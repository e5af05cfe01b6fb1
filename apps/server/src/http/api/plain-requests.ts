import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import type { TokenPrincipal, TokenPrincipalStore } from '../../access/token-principal.store.ts'
import { readBearer } from '../../access/tokens.ts'
import { type Limits, SMALL_RESPONSE_BYTES } from '../admission.ts'
import { type FindClientAddress, hostNameOf } from '../connection/address.ts'
import { publicAddress } from '../connection/public-address.ts'
import { bytesOfRequest, type RepeatedRequests } from '../connection/repeated-requests.ts'
import { readOwnRequestId } from '../request-log.ts'
import {
  type BlobJson,
  JsonBody,
  negotiateEncoding,
  type Representation,
  TaggedJson,
} from '../responses/response-body.ts'
import type { RequestHead, ResponseCache } from './response-cache.ts'
import { type FindRoute, type FoundRoute, isCachedFor, type PlainRequest, type Route } from './route.ts'

const GET = 'GET '

/** Addresses that mean what they say: nothing in them is decoded, resolved or cut off before they are routed. */
const PLAIN_ADDRESS = /^\/[\w/?=&.~-]*$/

/** A request that waits longer for others of its caller goes the ordinary way, which knows what to answer then. */
const TRIAL = { trialMs: 1000 }

/** The total length of the heads that are remembered. */
const MAX_HEADS_LENGTH = 1024 * 1024

export interface PlainParts {
  findRoute: FindRoute
  principals: TokenPrincipalStore
  responseCache: ResponseCache
  limits: Pick<Limits, 'acquire'>
  findClientAddress: FindClientAddress
  baseUrl: string | undefined
}

/**
 * Responds to requests whose bytes differ from those of one that Node has parsed in the address alone, without parsing
 * them: scripts that read one folder or document after the other send such requests. The checks are those of the
 * ordinary path, in its order. Whatever is not a small body at once, such as an error, is left to the ordinary path,
 * which begins anew; so this path never responds with anything but 200.
 */
export class PlainRequests implements RepeatedRequests {
  /** What the bytes behind the address say. */
  readonly #heads = new LRUCache<string, RequestHead>({
    maxSize: MAX_HEADS_LENGTH,
    sizeCalculation: (_, bytes) => bytes.length,
  })
  readonly #parts: PlainParts

  constructor(parts: PlainParts) {
    this.#parts = parts
  }

  /** Reads the bytes and the head of a request that Node has parsed; undefined when others cannot be compared with it. */
  read(request: IncomingMessage): { bytes: string; head: RequestHead } | undefined {
    const { headers, socket } = request
    const bytes = isPlain(request) ? bytesOfRequest(request) : undefined
    const secret = readBearer(headers.authorization)
    // What is kept has no headers for pages of other origins.
    if (headers.origin !== undefined) return undefined
    // The bytes are what grants access: they have to be the request itself, with its token.
    if (!bytes?.startsWith(GET) || secret === undefined || !bytes.includes(headers.authorization!))
      return undefined
    const sender = socket.remoteAddress
    const forwardedFor = headers['x-forwarded-for'] as string | undefined
    const head: RequestHead = {
      secret,
      host: headers.host!,
      hostName: hostNameOf(headers.host),
      sender,
      forwardedFor,
      address: this.#parts.findClientAddress(sender, forwardedFor),
      requestId: readOwnRequestId(request),
      acceptEncoding: headers['accept-encoding'] as string | undefined,
    }
    const end = endOfAddress(bytes)
    // A condition is about one address. An address in another form may name the host.
    if (headers['if-none-match'] === undefined && bytes.slice(GET.length, end) === request.url)
      this.#heads.set(bytes.slice(end), head)
    return { bytes, head }
  }

  respond(bytes: string, socket: Socket): boolean | Promise<boolean> {
    const end = endOfAddress(bytes)
    const head = bytes.startsWith(GET) ? this.#heads.get(bytes.slice(end)) : undefined
    const url = head && bytes.slice(GET.length, end)
    if (!url || !PLAIN_ADDRESS.test(url)) return false
    const found = this.#parts.findRoute(url)
    if (!found || !isMadeAtOnce(found)) return false
    // The ordinary path meets the same error, and says what it is.
    return this.#answer({ bytes, url, head, socket }, found).catch(() => false)
  }

  async #answer(
    { bytes, url, head, socket }: { bytes: string; url: string; head: RequestHead; socket: Socket },
    { route, pattern, params, queryString }: FoundRoute,
  ): Promise<boolean> {
    const startedAt = performance.now()
    const { principals, responseCache, limits, baseUrl } = this.#parts
    const principal = await principals.findPrincipal(head.secret, head.hostName)
    const address = responseCache.addressOf(head, socket)
    if (!principal || !mayRead(principal, route, address)) return false
    const permit = await limits.acquire('requests', [principal.teamId, principal.tokenId], TRIAL)
    try {
      if (socket.destroyed) return false
      const form = await this.#makeForm(url, head, route, {
        ...{ principal, params, clientAddress: address, quota: SMALL_ONLY },
        get query() {
          return new URLSearchParams(queryString)
        },
        get publicAddress() {
          return publicAddress(baseUrl, { headers: head, socket }, principal.atHostOfTeam)
        },
      })
      if (!form) return false
      const sent = { principal, url, route: pattern, tag: form.tag, form }
      const response = route.isCached
        ? responseCache.keep(bytes, head, sent)
        : responseCache.describe(head, sent)
      return responseCache.send(response, address, socket, startedAt)
    } finally {
      permit.release()
    }
  }

  /** Returns the body in the encoding that the request accepts; undefined when it is large or not made yet. */
  async #makeForm(
    url: string,
    { acceptEncoding }: RequestHead,
    route: Route,
    request: PlainRequest,
  ): Promise<Representation | undefined> {
    const { responseCache } = this.#parts
    const { principal } = request
    let body = route.isCached ? responseCache.findBody(principal, url) : undefined
    if (!body) {
      const made = route.isCached ? route.handle(request) : route.atOnce?.(request)
      const result = (await made) as TaggedJson | object | undefined
      body =
        result instanceof TaggedJson
          ? (responseCache.findTagged(principal, url, result.tag) ?? toJsonBody(await result.make()))
          : result && new JsonBody(result)
      if (!body) return undefined
      if (route.isCached) responseCache.addBody(principal, url, body)
    }
    if (body.size >= SMALL_RESPONSE_BYTES) return undefined
    return body.in(negotiateEncoding(acceptEncoding))
  }
}

const isMadeAtOnce = ({ route, queryString }: FoundRoute): boolean =>
  route.isCached ? isCachedFor(route, queryString) : route.atOnce !== undefined && !route.endpoint.deprecated

const SMALL_ONLY: PlainRequest['quota'] = {
  reserve(bytes) {
    if (bytes >= SMALL_RESPONSE_BYTES)
      throw new Error('A large response is made on the ordinary path, which waits for memory.')
  },
}

const toJsonBody = (made: JsonBody | BlobJson): JsonBody | undefined =>
  made instanceof JsonBody ? made : undefined

const endOfAddress = (bytes: string): number => bytes.indexOf(' ', GET.length)

const mayRead = (
  { atHostOfAnotherTeam, allowsAddress, scopes }: TokenPrincipal,
  { endpoint }: Route,
  address: string,
): boolean => !atHostOfAnotherTeam && allowsAddress?.(address) !== false && scopes.has(endpoint.scope)

/** Whether a request is a GET with a host and without a body, whose connection stays open. */
const isPlain = ({ method, headers, httpVersion }: IncomingMessage) =>
  method === 'GET' &&
  headers.host !== undefined &&
  headers.upgrade === undefined &&
  headers.expect === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  (headers.connection === undefined
    ? httpVersion === '1.1'
    : headers.connection.toLowerCase() === 'keep-alive')
