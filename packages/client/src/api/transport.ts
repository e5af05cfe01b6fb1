import { type Clock, sleep, startClock, untilAborted } from './clock.ts'
import { ApiError, BadAnswer, ConnectionFailed, MeadowError } from './errors.ts'
import { API_PREFIX } from './generated/endpoints.ts'
import { ERROR_CLASSES, RETRIED_STATUSES } from './generated/errors.ts'

/** The options that every call takes. */
export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** The deadline of the whole call with its retries, in milliseconds. */
  timeoutMs?: number | undefined
  /** Further headers, such as `{ prefer: 'wait=30' }`. */
  headers?: Readonly<Record<string, string>> | undefined
}

export interface RequestOptions extends CallOptions {
  method?: 'GET' | 'HEAD' | undefined
  query?: Readonly<Record<string, string>> | undefined
}

export interface TransportSettings {
  baseUrl: string
  token: string
  fetch: typeof globalThis.fetch
  /** The number of times that a call is repeated. */
  retries: number
  timeoutMs: number
  userAgent: string
}

export interface Transport {
  /** The address of the service, without a closing slash. */
  readonly baseUrl: string
  /** The address of a path of the API. Throws when the path leads out of it. */
  addressOf(path: string, query?: RequestOptions['query']): URL
  /**
   * Sends a request to the API and reads its answer. It repeats the request after 429, 503, 502 and 504 of a proxy, and
   * a broken connection, even while `read` reads. `read` gets any other answer, and the last one of those.
   */
  send<T>(
    path: string,
    options: RequestOptions,
    read: (response: Response, clock: Clock) => T,
  ): Promise<Awaited<T>>
  /** Sends a request to a download link, in the same way but without a token. */
  fetchLink<T>(
    url: string,
    options: RequestOptions,
    read: (response: Response, clock: Clock) => T,
  ): Promise<Awaited<T>>
}

/** A link may lead to an object store. The API redirects nowhere: a redirection would lose the token. */
interface SentOptions extends RequestOptions {
  redirect: 'follow' | 'manual'
}

/** The longest first pause in milliseconds. The limit doubles with each further pause, up to `MAX_PAUSE_MS`. */
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 20_000

export function createTransport(settings: TransportSettings): Transport {
  const baseUrl = readBaseUrl(settings.baseUrl)
  const authorization = `Bearer ${readToken(settings.token)}`
  const agent = { 'user-agent': settings.userAgent }

  function addressOf(path: string, query: RequestOptions['query'] = {}): URL {
    const url = new URL(`${baseUrl}${API_PREFIX}/${path.replace(/^\/+/, '')}`)
    if (!url.href.startsWith(`${baseUrl}${API_PREFIX}/`))
      throw new MeadowError(`The path ${path} leads out of the API: give one such as /team.`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }

  async function call<T>(
    url: URL,
    shown: string,
    { method = 'GET', headers, signal, timeoutMs = settings.timeoutMs, redirect }: SentOptions,
    read: (response: Response, clock: Clock) => T,
  ): Promise<Awaited<T>> {
    const clock = startClock(timeoutMs, signal, `${method} ${shown}`)
    try {
      for (let left = settings.retries; ; left--) {
        const outcome = await attempt(left <= 0)
        if ('value' in outcome) return outcome.value
        const { retryAfterSeconds = 0 } = outcome.error instanceof ApiError ? outcome.error : {}
        const pauseMs = 1000 * retryAfterSeconds + pauseBefore(settings.retries - left)
        if (left <= 0 || pauseMs >= clock.leftMs()) throw outcome.error
        await sleep(pauseMs, clock.signal)
      }
    } finally {
      clock.stop()
    }

    async function sendOnce(isLast: boolean): Promise<{ value: Awaited<T> } | { error: MeadowError }> {
      const response = await settings.fetch(url, {
        method,
        headers: { ...agent, ...headers },
        signal: clock.signal,
        redirect,
      })
      if (isPassing(response) && !isLast) return { error: await readError(response, shown) }
      return { value: await read(response, clock) }
    }

    async function attempt(isLast: boolean): ReturnType<typeof sendOnce> {
      try {
        return await untilAborted(sendOnce(isLast), clock.signal)
      } catch (error) {
        if (clock.signal.aborted) throw clock.signal.reason
        if (error instanceof MeadowError) throw error
        return { error: toConnectionFailed(url, error) }
      }
    }
  }

  return {
    baseUrl,
    addressOf,
    send(path, { query, headers, ...options }, read) {
      const url = addressOf(path, query)
      const sent = { ...options, headers: { ...headers, authorization }, redirect: 'manual' } as const
      return call(url, withoutQuery(url.href), sent, read)
    },
    // The path of a link is a credential.
    fetchLink: (url, options, read) =>
      call(new URL(url), `the link at ${new URL(url).host}`, { ...options, redirect: 'follow' }, read),
  }
}

/** Reads an address such as `https://meadow.example.org`, with or without the prefix of the API. */
function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new MeadowError(
      `baseUrl must be an address such as https://meadow.example.org, not ${JSON.stringify(text)}.`,
    )
  return (url.origin + url.pathname).replace(/\/+$/, '').replace(new RegExp(`${API_PREFIX}$`), '')
}

function readToken(text: string): string {
  // An environment variable that is not set is undefined.
  const token = (text ?? '').trim()
  // The token is checked here since the platform's own error would show it.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new MeadowError(
      'token must be an API token, from the settings of the team: it is empty, or has characters that no token has.',
    )
  return token
}

/** Returns the error for an unsuccessful answer from `address`. */
export async function readError(response: Response, address: string): Promise<ApiError> {
  const { status, headers } = response
  const isOurs = isJson(headers)
  if (!isOurs) await response.body?.cancel().catch(() => {})
  const message = isOurs
    ? // An answer to HEAD has no sentence.
      (readSentence(await readText(response, address)) ?? `${address} answers with status ${status}.`)
    : describeForeign(response, address)
  const retryAfter = headers.get('retry-after') ?? ''
  // A date, as a proxy may send it, is of no use: it needs a clock that is right.
  const retryAfterSeconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined
  const requestId = headers.get('x-request-id') ?? undefined
  const Class = (isOurs && ERROR_CLASSES[status]) || ApiError
  return new Class({ status, message, url: address, requestId, retryAfterSeconds })
}

/** Returns the error for an answer of 200 that is not one of the API. */
export const toBadAnswer = (address: string): BadAnswer =>
  new BadAnswer(`${withoutQuery(address)} does not answer as Meadow does: is baseUrl its address?`)

/** Describes an unsuccessful answer that does not come from Meadow. */
function describeForeign({ status, type, headers }: Response, address: string): string {
  // A browser does not say where a redirection leads.
  if (type !== 'opaqueredirect' && (status < 300 || status > 399))
    return `${address} answers with status ${status}, and not as Meadow does.`
  const location = headers.get('location')
  const target = location !== null && URL.canParse(location, address) ? new URL(location, address) : undefined
  return `${address} redirects${target ? ` to ${target.origin}` : ''}: give the address of Meadow itself as baseUrl.`
}

/** The maximum size of a text: longer ones do not fit into a string in Node or a browser. */
export const MAX_BYTES = 2 ** 29

/** Reads the body as text. Fails with `BadAnswer` as soon as it is too long, so that it does not fill the memory. */
export async function readText(response: Response, address: string): Promise<string> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  for (let bytes = 0; reader; ) {
    const { value, done } = await reader.read()
    if (done) break
    chunks.push(value)
    bytes += value.length
    if (bytes < MAX_BYTES) continue
    void reader.cancel().catch(() => {})
    throw new BadAnswer(`The answer of ${address} is too large to be read.`)
  }
  const decoder = new TextDecoder()
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
}

/**
 * Yields the bytes of a body as they come. Fails with the reason of the signal, and with `ConnectionFailed` when they
 * break off; `what` is the subject of the sentence.
 */
export async function* readBody(
  { body }: Response,
  signal: AbortSignal | undefined,
  what: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = body!.getReader()
  // A `fetch` of the caller's own may not end the body by itself.
  const cancel = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause) => {
        signal?.throwIfAborted()
        throw new ConnectionFailed(`${what} was interrupted.`, { cause })
      })
      signal?.throwIfAborted()
      if (done) return
      yield value
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    cancel()
  }
}

function readSentence(body: string): string | undefined {
  const json = parseJson(body)
  const { error } = (json ?? {}) as { error?: unknown }
  return typeof error === 'string' ? error : undefined
}

/** Parses JSON; undefined for other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns an address that may be shown: a query or the path of a link may be confidential. */
export const withoutQuery = (address: string): string => address.replace(/[?#].*/s, '')

/** Whether another attempt may give another answer. A 502 of the service itself means that a solve failed. */
function isPassing({ status, headers }: Response): boolean {
  if (RETRIED_STATUSES.includes(status)) return true
  return (status === 502 || status === 504) && !isJson(headers)
}

const isJson = (headers: Headers): boolean =>
  headers.get('content-type')?.startsWith('application/json') ?? false

/** Returns the pause in milliseconds, with full jitter: clients that failed at the same moment do not return at one. */
export const pauseBefore = (retry: number): number =>
  Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry)

function toConnectionFailed(url: URL, cause: unknown): ConnectionFailed {
  const { code } = ((cause as Error | undefined)?.cause ?? cause ?? {}) as { code?: unknown }
  const reason = typeof code === 'string' ? ` (${code})` : ''
  return new ConnectionFailed(
    `No answer from ${url.origin}${reason}. Check the address, and whether the service is running.`,
    { cause },
  )
}
