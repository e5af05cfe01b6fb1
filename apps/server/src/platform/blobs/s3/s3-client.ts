import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { type Connections, keepConnections, openOutbound } from '../../outbound.ts'
import { addressOf, type S3Keys, type S3Location } from './location.ts'
import { explainRefusal, ObjectStoreError, ObjectStoreUnavailableError } from './store-errors.ts'
import { readXml, textOf } from './xml.ts'

/** How long to wait for an object store, in milliseconds. */
export interface S3Patience {
  /**
   * How long to wait for the first byte of an answer, and for the next ones. A request that waits longer is tried
   * again.
   */
  readMs: number
  /** How long to wait for an answer to a request with a body, and for the store to take the next bytes of the body. */
  writeMs: number
  /** How long to wait for the store to put parts together, or to copy an object. */
  assembleMs: number
  /** No request is tried again later than this. */
  totalMs: number
}

/** Stalled connections are noticed soon; a store whose every answer takes longer cannot be used. */
const PATIENCE: S3Patience = { readMs: 4000, writeMs: 15_000, assembleMs: 300_000, totalMs: 20_000 }

/**
 * The pauses before the second, third … attempt in milliseconds, of which the last one is repeated. Each takes between
 * half of its time and all of it.
 */
const PAUSES_MS = [100, 300, 1000, 2000]
const MAX_RETRY_AFTER_MS = 5000

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** The key of the object; without it the request is for the bucket. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  /** The body, whose `chunks` are called for each attempt. */
  body?: S3Body | undefined
  patienceMs?: number
  /** Statuses from 400 on that count as answers, not as failures. */
  accept?: readonly number[]
  signal?: AbortSignal | undefined
}

export interface S3Body {
  size: number
  /** The digest of the body in lower-case hex, which the store compares with what it gets. */
  sha256: string
  chunks: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

export interface S3Client {
  readonly patience: S3Patience
  /**
   * Sends a request until it is answered, for at most `totalMs`. The body of the answer has to be read or destroyed.
   * Rejects with an {@link ObjectStoreError} or an {@link ObjectStoreUnavailableError}.
   */
  request(request: S3Request): Promise<IncomingMessage>
  /** Sends a request like `request`, and reads its answer, which is in XML or has no body. */
  call(request: S3Request): Promise<Answer>
  /** Yields the chunks of an answer's body; rejects when the next one takes too long. */
  read(response: IncomingMessage): AsyncGenerator<Uint8Array>
  /** Resolves with an address at which anybody who has it can read an object for some seconds. */
  sign(key: string, query: Record<string, string>, seconds: number): Promise<string>
}

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  xml: ReturnType<typeof readXml>
}

export interface ClientOptions {
  getKeys: (isRefused?: boolean) => Promise<S3Keys>
  patience?: Partial<S3Patience> | undefined
}

/**
 * How many requests, except for reading, are sent at once: a larger burst would make a small store answer all of them
 * too late.
 */
const MAX_CALLS = 32

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const CHUNK_BYTES = 256 * 1024
const MAX_ANSWER_BYTES = 16 * 2 ** 20

export function createS3Client(location: S3Location, { getKeys, patience: given }: ClientOptions): S3Client {
  const patience = { ...PATIENCE, ...given }
  const { protocol } = new URL(location.endpoint)
  const forCalls = keepConnections(protocol, MAX_CALLS)
  // Callers limit how many objects they have open.
  const forReading = keepConnections(protocol, Number.POSITIVE_INFINITY)
  const signingKeys = new Map<string, ArrayBuffer>()

  async function signRequest({ method, key = '', query, headers, body }: S3Request) {
    const url = addressOf(location, key)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    const signer = new AwsV4Signer({
      ...(await getKeys()),
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? EMPTY_SHA256 },
      service: 's3',
      region: location.region,
      cache: signingKeys,
    })
    const signed = await signer.sign()
    return { url: signed.url, headers: Object.fromEntries(signed.headers) as Record<string, string | number> }
  }

  /** Makes one attempt. Resolves with the headers of the answer, whatever its status. */
  async function attempt(request: S3Request, connections: Connections): Promise<IncomingMessage> {
    const { method, body, signal } = request
    const { url, headers } = await signRequest(request)
    if (body || method === 'PUT' || method === 'POST') headers['content-length'] = body?.size ?? 0
    const message = openOutbound({ method, url, headers, connections, signal })
    const patienceMs = request.patienceMs ?? (body ? patience.writeMs : patience.readMs)
    let timer: NodeJS.Timeout | undefined
    // The timer starts when the request has a connection, not while it waits for one.
    message.once('socket', () => {
      timer = setTimeout(() => message.destroy(timeout()), patienceMs)
    })
    try {
      const answered = once(message, 'response') as Promise<[IncomingMessage]>
      // An answer may come before everything was sent.
      answered.catch(() => {})
      message.on('error', () => {})
      if (!body || (await send(body))) message.end()
      const [response] = await answered
      return response
    } catch (error) {
      message.destroy()
      throw error
    } finally {
      clearTimeout(timer)
    }

    /**
     * Sends the body; resolves to false when the store has answered, or the connection was lost, before all was sent.
     */
    async function send({ chunks }: S3Body): Promise<boolean> {
      let isOver = false
      const end = () => {
        isOver = true
      }
      message.once('response', end).once('close', end)
      for await (const chunk of chunks()) {
        for (let start = 0; start < chunk.length; start += CHUNK_BYTES) {
          if (isOver) return false
          if (!message.write(chunk.subarray(start, start + CHUNK_BYTES))) await drained()
          timer?.refresh()
        }
      }
      return true
    }

    async function drained(): Promise<void> {
      const settled = new AbortController()
      try {
        await Promise.race([
          once(message, 'drain', settled),
          once(message, 'close', settled),
          once(message, 'response', settled),
        ])
      } finally {
        settled.abort()
      }
    }
  }

  async function* read(response: IncomingMessage): AsyncGenerator<Uint8Array> {
    let isWaiting = true
    const timer = setTimeout(() => {
      if (isWaiting) response.destroy(timeout())
    }, patience.readMs)
    try {
      for await (const chunk of response as AsyncIterable<Uint8Array>) {
        isWaiting = false
        yield chunk
        isWaiting = true
        timer.refresh()
      }
    } finally {
      clearTimeout(timer)
      response.destroy()
    }
  }

  async function readText(response: IncomingMessage, patienceMs: number): Promise<string> {
    const chunks: Uint8Array[] = []
    let size = 0
    const timer = setTimeout(() => response.destroy(timeout()), patienceMs)
    try {
      for await (const chunk of response as AsyncIterable<Uint8Array>) {
        size += chunk.length
        if (size > MAX_ANSWER_BYTES) throw new ObjectStoreError(502, 'its answer is too long')
        chunks.push(chunk)
      }
      return Buffer.concat(chunks).toString()
    } finally {
      clearTimeout(timer)
    }
  }

  /** Makes one attempt and resolves with its answer. Throws when its status is that of a failure. */
  async function attemptOrThrow(request: S3Request, connections: Connections): Promise<IncomingMessage> {
    const response = await attempt(request, connections)
    const status = response.statusCode!
    if (status < 300 || request.accept?.includes(status)) return response
    const error = readXml(await readText(response, patience.readMs))
    // The connection of a request that was not sent to its end cannot be used again.
    const { req: sent } = response as IncomingMessage & { req: ClientRequest }
    if (!sent.writableFinished) sent.destroy()
    const refusal = explainRefusal(status, error?.name === 'Error' ? textOf(error.root, 'Code') : '')
    throw Object.assign(refusal, { retryAfterMs: Number(response.headers['retry-after']) * 1000 || 0 })
  }

  /** Repeats what fails for a reason that passes. */
  async function persist<T>(act: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const endsAt = performance.now() + patience.totalMs
    for (let failures = 0; ; failures++) {
      try {
        return await act()
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        if (failures === 0 && isExpired(error)) await getKeys(true)
        else if (!isPassing(error)) throw error
        const pauseMs = Math.max(retryAfterOf(error), pauseAfter(failures))
        if (performance.now() + pauseMs > endsAt) throw new ObjectStoreUnavailableError(error)
        await sleep(pauseMs, undefined, { signal })
      }
    }
  }

  const request = (asked: S3Request) => persist(() => attemptOrThrow(asked, forReading), asked.signal)

  const call = (asked: S3Request) =>
    persist(async () => {
      const response = await attemptOrThrow(asked, forCalls)
      const text = await readText(response, asked.patienceMs ?? patience.readMs)
      const xml = text === '' || response.statusCode! >= 300 ? undefined : readXml(text)
      // Copies and completed uploads are answered with 200 before they have succeeded.
      if (xml?.name === 'Error') throw explainRefusal(500, textOf(xml.root, 'Code'))
      return { status: response.statusCode!, headers: response.headers, xml }
    }, asked.signal)

  async function sign(key: string, query: Record<string, string>, seconds: number) {
    const url = addressOf(location, key)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    url.searchParams.set('X-Amz-Expires', String(seconds))
    const signer = new AwsV4Signer({
      ...(await getKeys()),
      method: 'GET',
      url: url.href,
      service: 's3',
      region: location.region,
      signQuery: true,
      cache: signingKeys,
    })
    const signed = (await signer.sign()).url
    // The query is written as it was signed (RFC 3986): `URLSearchParams` writes a space as `+`, which not every store
    // reads as one.
    signed.search = signed.search.replaceAll('+', '%20').replaceAll('*', '%2A')
    return signed.href
  }

  return { patience, request, call, read, sign }
}

const timeout = () => Object.assign(new Error('The object store does not answer.'), { code: 'ETIMEDOUT' })

const PASSING_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504])
/** Reasons of refusals that pass, whatever their status is. */
const PASSING_REASONS = new Set([
  'RequestTimeout',
  'SlowDown',
  'InternalError',
  'OperationAborted',
  'XAmzContentSHA256Mismatch',
  'BadDigest',
  'IncompleteBody',
])

/** Whether a failure may pass. Failures of the connection have a code of the system, or of Node's HTTP parser. */
function isPassing(error: unknown): boolean {
  if (error instanceof ObjectStoreError)
    return PASSING_STATUSES.has(error.status) || PASSING_REASONS.has(error.reason)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(E(CONN|TIMEDOUT|PIPE|HOST|NET|NOTFOUND|AI_AGAIN|PROTO)|HPE_|ERR_(STREAM|SSL|TLS)|ABORT_ERR)/.test(
    code,
  )
}

/** The reasons for which keys are refused. The answer to HEAD has no reason, so the empty one is among them. */
const EXPIRED = ['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired', '']

const isExpired = (error: unknown): boolean =>
  error instanceof ObjectStoreError &&
  [400, 401, 403].includes(error.status) &&
  EXPIRED.includes(error.reason)

const retryAfterOf = (error: unknown): number =>
  Math.min(MAX_RETRY_AFTER_MS, (error as { retryAfterMs?: number }).retryAfterMs ?? 0)

const pauseAfter = (failures: number): number =>
  PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)]! * (0.5 + Math.random() / 2)
