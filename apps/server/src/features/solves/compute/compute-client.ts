import { setTimeout as sleep } from 'node:timers/promises'
import { COMPUTE_OUTCOMES, ComputeFailure, type ComputeOutcome } from './compute-failure.ts'
import { type ComputeResponse, type ComputeServer, type PostRequest, post } from './post.ts'

/** The limits of requests, with their retries. */
export interface ComputeLimits {
  /** Aborts the request; the call then rejects with its reason. */
  signal: AbortSignal
  deadline: Deadline
  maxResponseBytes: number
}

/** The time at which requests that belong together have to be done. */
export interface Deadline {
  readonly signal: AbortSignal
  readonly afterMs: number
}

export const createDeadline = (afterMs: number): Deadline => ({
  signal: AbortSignal.timeout(afterMs),
  afterMs,
})

/** Sends requests to a Rhino.Compute server. Every call fails with a `ComputeFailure`. */
export interface ComputeClient {
  readonly server: ComputeServer
  readonly figures: ComputeFigures
  /**
   * Solves a definition: `body` is the JSON of `POST /grasshopper`. Passes the response, of status 200 or 500, to
   * `store`. Repeated only while the server cannot have begun, because scripts and plug-ins may have effects.
   */
  solve<T>(body: Uint8Array, store: StoreResponse<T>, limits: ComputeLimits): Promise<T>
  /** Whether the server can create components of a class, by its GUID. */
  hasComponent(classId: string, limits: ComputeLimits): Promise<boolean>
}

type StoreResponse<T> = (chunks: AsyncIterable<Uint8Array>) => Promise<T>

/** What all requests took, for metrics. */
export interface ComputeFigures {
  readonly requests: ReadonlyMap<ComputeOutcome, number>
  readonly seconds: number
  readonly sentBytes: number
  readonly receivedBytes: number
}

/** The pauses before the second, third and fourth try. */
const RETRY_DELAYS_MS = [250, 1000, 3000]
/** A component that a server has is seldom removed; one that is installed is found at once. */
const KNOWN_MS = 10 * 60_000
/** The maximum size of the answer about one component. */
const MAX_COMPONENT_BYTES = 4 * 2 ** 20

export function createComputeClient(server: ComputeServer): ComputeClient {
  const figures = {
    requests: new Map<ComputeOutcome, number>(COMPUTE_OUTCOMES.map((outcome) => [outcome, 0])),
    seconds: 0,
    sentBytes: 0,
    receivedBytes: 0,
  }
  /** The components that the server has, with the time until which that counts. */
  const known = new Map<string, number>()
  const count = (outcome: ComputeOutcome) => figures.requests.set(outcome, figures.requests.get(outcome)! + 1)

  /** Sends a request until it may not be repeated, and lets `take` consume the response before the deadline. */
  async function ask<T>(
    { path, body, isRepeatable }: Pick<PostRequest, 'path' | 'body'> & { isRepeatable: boolean },
    take: (response: ComputeResponse) => Promise<T>,
    { signal, deadline, maxResponseBytes }: ComputeLimits,
  ): Promise<T> {
    const start = performance.now()
    const either = AbortSignal.any([signal, deadline.signal])
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          const request = { server, path, body, signal: either, maxResponseBytes }
          const response = await post(request, (bytes) => {
            figures.receivedBytes += bytes
          })
          figures.sentBytes += body.length
          const result = await take(response).finally(response.close)
          count('answered')
          return result
        } catch (error) {
          const delayMs = RETRY_DELAYS_MS[attempt]
          const isOver = either.aborted || delayMs === undefined || !mayRepeat(error, isRepeatable)
          if (isOver) throw error
          await sleep(delayMs, undefined, { signal: either })
        }
      }
    } catch (error) {
      signal.throwIfAborted()
      const failure = deadline.signal.aborted ? createTimeout(deadline) : error
      if (failure instanceof ComputeFailure) count(failure.outcome)
      throw failure
    } finally {
      figures.seconds += (performance.now() - start) / 1000
    }
  }

  return {
    server,
    figures,
    solve: (body, store, limits) =>
      ask({ path: '/grasshopper', body, isRepeatable: false }, ({ chunks }) => store(chunks), limits),
    async hasComponent(classId, limits) {
      if ((known.get(classId) ?? 0) > performance.now()) return true
      const body = Buffer.from(JSON.stringify({ pointer: classId }))
      const terms = { ...limits, maxResponseBytes: MAX_COMPONENT_BYTES }
      const isThere = await ask({ path: '/io', body, isRepeatable: true }, isComponent, terms)
      if (isThere) known.set(classId, performance.now() + KNOWN_MS)
      return isThere
    },
  }
}

/** The server fails with 500 for a class that it does not have, and for a parameter. */
async function isComponent({ status, chunks }: ComputeResponse): Promise<boolean> {
  const text = Buffer.concat(await Array.fromAsync(chunks)).toString()
  return status === 200 && text.includes('"OutputNames"')
}

function mayRepeat(error: unknown, isRepeatable: boolean): boolean {
  if (!(error instanceof ComputeFailure)) return false
  const { outcome } = error
  return outcome === 'unreachable' || outcome === 'unavailable' || (outcome === 'lost' && isRepeatable)
}

const createTimeout = ({ afterMs }: Deadline) =>
  new ComputeFailure('timed_out', `The Rhino.Compute server took longer than ${afterMs / 1000} s.`)
