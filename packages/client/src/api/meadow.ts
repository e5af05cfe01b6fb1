import type { AnswerCache } from './cache.ts'
import { type Changes, type ChangesOptions, readChanges, type TeamState } from './changes.ts'
import { type Download, type DownloadOptions, type ExportRequest, openDownload } from './download.ts'
import { endpointPath } from './endpoint-path.ts'
import { API_PREFIX, ENDPOINTS, type EndpointName } from './generated/endpoints.ts'
import { EndpointMethods } from './generated/methods.ts'
import type { Solution } from './generated/types.ts'
import { type LinesOptions, readLines, type SolutionLine } from './lines.ts'
import { type Reach, readReach } from './reach.ts'
import {
  type CallOptions,
  createTransport,
  parseJson,
  type RequestOptions,
  readError,
  readText,
  type Transport,
  toBadAnswer,
  withoutQuery,
} from './transport.ts'
import { VERSION } from './version.ts'
import { type WaitOptions, waitForSolution } from './wait-for-solution.ts'
import { type FolderVisit, type WalkOptions, walk } from './walk.ts'

export interface MeadowOptions {
  /** The address of the service, such as `https://meadow.example.org`. */
  baseUrl: string
  /** An API token. It determines the team. */
  token: string
  /** Keeps answers, so that the service does not send unchanged ones again. Without a cache nothing is kept. */
  cache?: AnswerCache | undefined
  /** How often a call is repeated after 429, 503 or a broken connection: 4 times unless given. */
  retries?: number | undefined
  /** The deadline of a call with its repetitions, in milliseconds: two minutes unless given. */
  timeoutMs?: number | undefined
  /** Sends the requests in place of the platform's `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /** Names the program in the service's log. */
  userAgent?: string | undefined
}

/**
 * A team's folders, documents and solutions, as its API token sees them.
 * Fails: `ApiError` with a class for each status (`NotFound`, `NotSolved`, `Solving` …), `ConnectionFailed`, `TimedOut`,
 * `BadAnswer`, or the reason of the caller's signal.
 */
export class Meadow extends EndpointMethods<CallOptions> {
  readonly #transport: Transport
  readonly #cache: AnswerCache | undefined

  constructor({ baseUrl, token, cache, retries = 4, timeoutMs = 120_000, ...options }: MeadowOptions) {
    super()
    const { fetch = (input, init) => globalThis.fetch(input, init), userAgent = `meadow-client/${VERSION}` } =
      options
    this.#transport = createTransport({ baseUrl, token, retries, timeoutMs, fetch, userAgent })
    this.#cache = cache
  }

  /** The address of the service, without a closing slash. */
  get baseUrl(): string {
    return this.#transport.baseUrl
  }

  /**
   * Sends any request to the API, such as `request('/documents', { query: { q: 'tower' } })`. Resolves with the
   * platform's `Response`, whatever its status. Its body is still to be read, without a deadline: only the signal can
   * abort that.
   */
  async request(path: string, options: RequestOptions = {}): Promise<Response> {
    const rooted = path.replace(/^(?!\/)/, '/')
    const below = rooted.startsWith(`${API_PREFIX}/`) ? rooted.slice(API_PREFIX.length) : path
    return this.#transport.send(below, options, (response, clock) => {
      clock.release()
      return response
    })
  }

  /**
   * Resolves with what the token reads of its team: all of it, or `folders` when it is limited to some. For a limited
   * token, everything outside its folders is missing, as if it had been deleted.
   */
  readReach(options: CallOptions = {}): Promise<Reach> {
    return readReach(this.#transport, options)
  }

  /**
   * Resolves with the most recent solution, once no solve of the document runs. Rejects with `NotSolved` or
   * `SolveFailed` at once.
   */
  waitForSolution(documentId: string, options: WaitOptions = {}): Promise<Solution> {
    return waitForSolution(this, documentId, options)
  }

  /**
   * Iterates over the most recent solution without holding more than a line of it in memory: each port, and at the end the
   * solution itself, whose `data` has nothing but its id. When it breaks off before that, `ConnectionFailed` is thrown.
   */
  readSolutionLines(documentId: string, options: LinesOptions = {}): AsyncIterableIterator<SolutionLine> {
    const { query, ...others } = toRequest('readSolution', options)
    return readLines(this.#transport, endpointPath('readSolution', documentId), { query, ...others })
  }

  /** Visits every folder of the team, or every one inside `folderId`, each before those inside it. */
  walk(options: WalkOptions = {}): AsyncIterableIterator<FolderVisit> {
    return walk(this, options)
  }

  /**
   * Iterates over everything that is new, changed, renamed, moved or gone since a state; without one all documents are
   * new.
   */
  changedSince(state?: TeamState, options: ChangesOptions = {}): Changes {
    return readChanges(this, this.#transport, state, options)
  }

  /**
   * Opens the file of an export as a download that continues where it was interrupted. `@meadow/client/node` writes
   * files.
   */
  download(request: ExportRequest, options: DownloadOptions = {}): Promise<Download> {
    return openDownload(this, this.#transport.fetchLink, request, options)
  }

  protected override async call<Result>(
    name: EndpointName,
    ids: readonly string[],
    options: CallOptions | undefined,
  ): Promise<Result> {
    const endpoint: { query: readonly string[]; member?: string } = ENDPOINTS[name]
    const answer = await this.#read(endpointPath(name, ...ids), {
      ...{ ...toRequest(name, options), isKept: name !== 'requestExport' && name !== 'readChanges' },
      check: (json) => endpoint.member === undefined || endpoint.member in json,
    })
    return (endpoint.member === undefined ? answer : answer[endpoint.member]) as Result
  }

  /** Reads JSON through the cache, unless the answer differs each time. */
  async #read(
    path: string,
    { isKept, check, headers, ...options }: ReadOptions,
  ): Promise<Record<string, unknown>> {
    const address = this.#transport.addressOf(path, options.query).href
    const cache = isKept ? this.#cache : undefined
    const cached = await cache?.get(address)
    const condition = cached && { 'if-none-match': cached.tag }
    const { json, answer } = await this.#transport.send(
      path,
      { ...options, headers: { ...headers, ...condition } },
      async (response) => {
        const isKnown = response.status === 304 && cached !== undefined
        if (response.status !== 200 && !isKnown) throw await readError(response, withoutQuery(address))
        const body = isKnown ? cached.body : await readText(response, withoutQuery(address))
        const json = parseObject(body)
        if (!json || !check(json)) throw toBadAnswer(address)
        const tag = response.headers.get('etag')
        return { json, answer: tag !== null && !isKnown ? { tag, body } : undefined }
      },
    )
    if (answer) await cache?.set(address, answer)
    return json
  }
}

interface ReadOptions extends RequestOptions {
  isKept: boolean
  /** Whether the answer is one of this endpoint. */
  check(json: object): boolean
}

/** Splits the options of a method into the query and what every call takes. Lists are joined with commas. */
function toRequest(name: EndpointName, options: CallOptions | undefined): RequestOptions {
  const { signal, timeoutMs, headers, ...others } = options ?? {}
  const parameters: Readonly<Record<string, unknown>> = others
  const query: Record<string, string> = {}
  for (const parameter of ENDPOINTS[name].query)
    if (parameters[parameter] !== undefined) query[parameter] = String(parameters[parameter])
  return { query, headers, signal, timeoutMs }
}

/** Parses an object from JSON; undefined for anything else. */
function parseObject(body: string): Record<string, unknown> | undefined {
  const json = parseJson(body)
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined
}
