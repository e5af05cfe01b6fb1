import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TeamId, TokenId } from '@meadow/contract'
import { LRUCache } from 'lru-cache'
import type { TokenPrincipal } from '../access/token-principal.store.ts'
import type { TokenUse } from '../access/token-use.ts'
import type { RequestLog } from '../platform/log.ts'
import { pathOf } from './address.ts'
import type { TeamActivity } from './admission.ts'
import type { Representation } from './json-body.ts'
import type { Metrics } from './metrics.ts'
import { requestId } from './request-id.ts'

/** An answer as it went out before, with all that its next time needs. */
interface ReadyAnswer {
  /** Of the last commit before the token was looked up and the answer was made. */
  mark: number
  /** When the token expires. */
  validUntilMs: number
  route: string
  team: TeamId
  token: TokenId
  tag: string
  headers: string[]
  /** The body's bytes, one letter for each: head and body then leave in one piece. Undefined: only 304 is ready. */
  latin1: string | undefined
  /** What its log lines have in common. */
  log: object
}

const TAGGED = ['cache-control', 'private, no-cache', 'vary', 'Authorization, Accept-Encoding']
/** Longer bodies leave as bytes: joining them to their head would cost more than it saves. */
const MAX_LATIN1_BYTES = 64 * 1024
/** What an answer takes beside its body and key, roughly. */
const OVERHEAD_BYTES = 1500

/** What a request answered here was checked against before: nothing has changed since, so it is not checked again. */
export interface Made {
  principal: TokenPrincipal
  mark: number
  route: string
  form: Representation
}

interface ReadyAnswerParts {
  metrics: Metrics
  log: RequestLog
  tokenUse: Pick<TokenUse, 'note'>
  activity: Pick<TeamActivity, 'note'>
}

/**
 * Answers that were given before, to the same token, under the same host name, for the same address: as long as
 * nothing at all was written to the database, they go out again without any of the checks being made again.
 * All else (other methods, unusual conditions, a change of the data) takes the ordinary way, which comes to the same.
 */
export class FastPathCache {
  readonly #answers: LRUCache<string, ReadyAnswer> | undefined
  readonly #readMark: () => number | undefined
  readonly #metrics: Metrics
  readonly #log: RequestLog
  readonly #tokenUse: Pick<TokenUse, 'note'>
  readonly #activity: Pick<TeamActivity, 'note'>

  /** `maxBytes` 0 keeps nothing. `readMark` tells one commit from the next; undefined: that cannot be told. */
  constructor(
    maxBytes: number,
    readMark: () => number | undefined,
    { metrics, log, tokenUse, activity }: ReadyAnswerParts,
  ) {
    if (maxBytes > 0)
      this.#answers = new LRUCache({ maxSize: maxBytes, maxEntrySize: Math.ceil(maxBytes / 4) })
    this.#readMark = readMark
    this.#metrics = metrics
    this.#log = log
    this.#tokenUse = tokenUse
    this.#activity = activity
  }

  /** To be asked before anything about a request is looked up. */
  readMark(): number | undefined {
    return this.#answers && this.#readMark()
  }

  keep(request: IncomingMessage, { principal, mark, route, form }: Made): void {
    if (!this.#answers || !isPlain(request)) return
    const key = keyOf(request)
    const answer: ReadyAnswer = {
      mark,
      validUntilMs: principal.expiresAt ?? Number.POSITIVE_INFINITY,
      route,
      team: principal.teamId,
      token: principal.tokenId,
      tag: form.tag,
      headers: [
        ...['etag', form.tag, ...TAGGED, 'content-type', 'application/json; charset=utf-8'],
        ...['content-length', String(form.bytes.length)],
        ...(form.encoding ? ['content-encoding', form.encoding] : []),
      ],
      latin1: toLatin1(form.bytes),
      log: {
        method: 'GET',
        route,
        path: pathOf(request.url!),
        team: principal.teamId,
        token: principal.tokenId,
      },
    }
    this.#answers.set(key, answer, { size: (answer.latin1?.length ?? 0) + key.length + OVERHEAD_BYTES })
  }

  /** True when the request was answered. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const answer = isPlain(request) ? this.#answers?.get(keyOf(request)) : undefined
    if (!answer || answer.mark !== this.#readMark() || answer.validUntilMs <= Date.now()) return false
    const condition = request.headers['if-none-match']
    if (condition === undefined ? answer.latin1 === undefined : condition !== answer.tag) return false
    const startedAt = performance.now()
    const id = requestId(request)
    const status = condition === undefined ? 200 : 304
    if (status === 200) {
      response.writeHead(200, ['x-request-id', id, ...answer.headers])
      response.end(answer.latin1, 'latin1')
    } else {
      response.writeHead(304, ['x-request-id', id, 'etag', answer.tag, ...TAGGED])
      response.end()
    }
    const durationMs = performance.now() - startedAt
    this.#tokenUse.note(answer.token)
    this.#activity.note(answer.team)
    this.#metrics.observeRequest(answer.route, status, durationMs)
    this.#log.line(id, status, durationMs, answer.log)
    return true
  }
}

function toLatin1(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_LATIN1_BYTES) return undefined
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/** A GET without a body, and with the host that it has to have; of other requests too little is known here. */
const isPlain = ({ method, headers }: IncomingMessage) =>
  method === 'GET' &&
  headers.host !== undefined &&
  headers.upgrade === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined

/**
 * Everything that an answer depends on, but for the condition. What is kept was asked for with an address and a host
 * that are in order, so that one which is not finds nothing.
 */
const keyOf = ({ url, headers }: IncomingMessage) =>
  `${headers.authorization}\n${headers.host}\n${headers['accept-encoding']}\n${url}`
