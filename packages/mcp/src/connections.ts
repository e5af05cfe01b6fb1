import { createHash } from 'node:crypto'
import { createMemoryCache, Meadow, MeadowError, type MeadowOptions, VERSION } from '@meadow/client'
import { ENDPOINT_DESCRIPTIONS } from '@meadow/client/endpoints'

/** A client of the service for one token. */
export interface Connection {
  meadow: Meadow
  /**
   * The scopes of the token. Undefined where they could not be found out, since the service did not answer or refuses
   * everything.
   */
  scopes: ReadonlySet<string> | undefined
  /** Whether the service does not know the token. */
  isRejected: boolean
}

export interface Connections {
  /**
   * Resolves with the client of a token and what is known of the token. Rejects only when the text cannot be a token:
   * otherwise each call fails with its own reason.
   */
  open(token: string): Promise<Connection>
}

/**
 * The maximum number of tokens whose clients are kept. Each client has a cache of this size for the answers of the
 * service.
 */
const MAX_TOKENS = 32
const CACHE_BYTES = 16 * 2 ** 20
/**
 * The time after which the scopes of a token are probed again. If they could not be found out, that happens after
 * `UNKNOWN_MS`.
 */
const KNOWN_MS = 5 * 60_000
const UNKNOWN_MS = 5_000
/** The time in milliseconds in which a call of a tool ends, even when the service does not answer. */
const TIMEOUT_MS = 90_000
/** The number of retries, which is smaller than usual because someone waits for the answer. */
const RETRIES = 2
/**
 * The maximum size of an answer of the service, decoded: the objects of a larger one would not fit into the memory of a
 * small machine.
 */
const MAX_ANSWER_BYTES = 64 * 2 ** 20

/**
 * Creates the connections to one service. `ownToken` is the token of the process, if it has one. Throws `MeadowError`
 * for an address or a token that cannot be one.
 */
export function createConnections(
  baseUrl: string,
  ownToken?: string | undefined,
  maxAnswerBytes = MAX_ANSWER_BYTES,
): Connections {
  new Meadow({ baseUrl, token: ownToken ?? 'any' })
  const known = new Map<string, { connection: Promise<Connection>; untilMs: number }>()
  return {
    open(token) {
      const key = createHash('sha256').update(token).digest('base64')
      const current = known.get(key)
      const entry =
        current && performance.now() < current.untilMs
          ? current
          : { connection: connect(baseUrl, token, maxAnswerBytes), untilMs: Number.POSITIVE_INFINITY }
      // The connection that was used last is the last one to be removed.
      known.delete(key)
      known.set(key, entry)
      if (known.size > MAX_TOKENS) known.delete(known.keys().next().value!)
      if (entry !== current)
        entry.connection.then(
          ({ scopes }) => {
            entry.untilMs = performance.now() + (scopes ? KNOWN_MS : UNKNOWN_MS)
          },
          () => known.delete(key),
        )
      return entry.connection
    },
  }
}

async function connect(baseUrl: string, token: string, maxAnswerBytes: number): Promise<Connection> {
  const settings: MeadowOptions = {
    ...{ baseUrl, token, timeoutMs: TIMEOUT_MS, retries: RETRIES, userAgent: `meadow-mcp/${VERSION}` },
    cache: createMemoryCache({ maxBytes: CACHE_BYTES }),
    fetch: async (input, init) => limitAnswer(await fetch(input, init), maxAnswerBytes),
  }
  // Calls report why there is no answer, so this probe needs no retries.
  const statuses = await probeScopes(new Meadow({ ...settings, retries: 0 }))
  const all = [...statuses.values()]
  const allowed = [...statuses].filter(([, status]) => status !== 403).map(([scope]) => scope)
  const isKnown = allowed.length > 0 && all.every((status) => status !== undefined && status < 405)
  const isRejected = all.includes(401)
  return {
    meadow: new Meadow(settings),
    scopes: isKnown && !isRejected ? new Set(allowed) : undefined,
    isRejected,
  }
}

/**
 * Resolves with the status of a request for each scope, since the service does not list the scopes of a token. It
 * refuses a request without the scope of its endpoint before it looks for the resource, so a request for something that
 * does not exist is enough. The status is undefined when there was no answer.
 */
async function probeScopes(meadow: Meadow): Promise<Map<string, number | undefined>> {
  const paths = new Map(
    ENDPOINT_DESCRIPTIONS.map(({ scope, path }) => [scope, path.replace(/\{\w+\}/g, '-')]),
  )
  const statuses = [...paths].map(async ([scope, path]) => [scope, await probe(meadow, path)] as const)
  return new Map(await Promise.all(statuses))
}

async function probe(meadow: Meadow, path: string): Promise<number | undefined> {
  try {
    const { status } = await meadow.request(path, { method: 'HEAD' })
    return status
  } catch (error) {
    if (error instanceof MeadowError) return undefined
    throw error
  }
}

/** Returns the response with a body that fails when it becomes too long. */
function limitAnswer(response: Response, maxBytes: number): Response {
  if (!response.body) return response
  let bytes = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes <= maxBytes) controller.enqueue(chunk)
      else controller.error(new MeadowError(TOO_LARGE))
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers })
}

const TOO_LARGE =
  'This is too large to be read here. Use the API itself, or the command meadow: `meadow values` writes tables of any size.'
