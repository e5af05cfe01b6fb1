import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { FairSemaphore, type Permit } from '../platform/concurrency/fair-semaphore.ts'
import { TokenBucket } from '../platform/concurrency/token-bucket.ts'
import { ClientDisconnected, createDisconnectSignal } from './abort-signal.ts'
import type { Metrics } from './metrics.ts'

/** A limit for one caller, for all callers of one team, and for the process. */
export type ShareLimits = Readonly<Record<'caller' | 'team' | 'process', number>>

export interface AdmissionLimits {
  /** Requests in progress. Those whose response is only being sent do not count. */
  requests: ShareLimits
  /** Megabytes of responses in memory, being made or sent. */
  responseMb: ShareLimits
  /** Megabytes of large responses sent per second, in the long run. */
  responseMbPerSecond: Readonly<Record<'caller' | 'team', number>>
  /** Files that are open to be sent. */
  openFiles: ShareLimits
  /** Requests that wait to be admitted. */
  queued: ShareLimits
  /** How long a request waits at most. */
  queueMs: number
}

/** The caller and team whose shares a request counts against (decision 37). */
export interface ShareOwner {
  /** The team; for a caller without one, the address it comes from. */
  team: string
  /** A token, a session, or for a caller without either, the page it requests. */
  caller: string
}

/** The share of the service that one request takes. All of it is released when the response has been sent. */
export interface RequestShare {
  /** Waits until the request may begin. Rejects with a `SemaphoreFullError`, which becomes 429 or 503. */
  admit(principal: ShareOwner): Promise<void>
  /**
   * Runs work that only waits, for a solve or another process: meanwhile the request does not count as one in
   * progress.
   */
  waitFor<T>(work: () => Promise<T>): Promise<T>
  /**
   * Waits until so much memory may be taken for the response. Only the first call counts: it is for the whole
   * response. Small responses never wait.
   */
  reserve(bytes: number): Promise<void>
  /** Waits until a file may be opened to be sent. */
  reserveFile(): Promise<void>
  /**
   * To be called when the response is made and `bytes` of it have to be sent: the request is no longer in progress.
   * Waits while other teams are active and the caller or its team has recently been sent more than their rates allow.
   */
  finish(bytes: number): Promise<void>
}

export interface Admission {
  openShare(request: FastifyRequest, reply: FastifyReply): RequestShare
  /**
   * Waits until a request that Fastify does not handle may begin: one that becomes a socket. It counts until the
   * permit is released. Rejects as `RequestShare.admit` does, and with the signal's reason.
   */
  admit(principal: ShareOwner, signal: AbortSignal): Promise<Permit>
}

const LEVELS = ['process', 'team', 'caller'] as const
const MB = 2 ** 20
/** Smaller responses are not counted, so that they do not wait for large ones. */
const SMALL_RESPONSE_BYTES = 64 * 1024
/** How many seconds of its rate a caller may be sent at once. */
const BURST_SECONDS = 2
/** Callers and teams whose rates are remembered. */
const MAX_RATES = 10_000
/** The memory that sending a file takes, also when it is decompressed on the way. */
const SEND_BUFFER_BYTES = 512 * 1024

/** How long after its last request a team counts as active. */
const ACTIVE_MS = 1000

/** Knows whether a team has the service to itself. */
export class TeamActivity {
  readonly #now: () => number
  #latest = ''
  #latestAt = Number.NEGATIVE_INFINITY
  /** When any other team last sent a request. */
  #otherAt = Number.NEGATIVE_INFINITY

  /** `now` in milliseconds since any fixed moment. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Records a request of a team. */
  note(team: string): void {
    if (team !== this.#latest) {
      this.#otherAt = this.#latestAt
      this.#latest = team
    }
    this.#latestAt = this.#now()
  }

  isAlone(team: string): boolean {
    const otherAt = team === this.#latest ? this.#otherAt : this.#latestAt
    return this.#now() - otherAt > ACTIVE_MS
  }
}

/** Divides the capacity of the process between callers, so that none of them can take all of it (decision 0019). */
export function createAdmission(
  limits: AdmissionLimits,
  metrics: Metrics,
  activity: Pick<TeamActivity, 'note' | 'isAlone'>,
): Admission {
  const resources = {
    requests: createResource('requests', limits.requests),
    responses: createResource('answer_bytes', limits.responseMb, MB),
    files: createResource('open_files', limits.openFiles),
  }
  const rates = {
    team: createRates(limits.responseMbPerSecond.team),
    caller: createRates(limits.responseMbPerSecond.caller),
  }

  function createResource(name: string, limit: ShareLimits, unit = 1): FairSemaphore {
    const semaphore = new FairSemaphore({
      limits: LEVELS.map((level) => limit[level] * unit),
      maxWaiting: LEVELS.map((level) => limits.queued[level]),
      maxWaitMs: limits.queueMs,
    })
    metrics.watchSemaphore(name, semaphore)
    return semaphore
  }

  return {
    admit: async ({ team, caller }, signal) => resources.requests.acquire([team, caller], { signal }),
    openShare(request, reply) {
      let path: readonly string[] | undefined
      let working: Permit | undefined
      let isReserved = false
      const held: Permit[] = []
      let isOver = false

      const end = () => {
        isOver = true
        request.raw.socket.off('close', end)
        working?.release()
        for (const permit of held) permit.release()
      }

      /** Undefined for a request that is not limited, since it was never admitted. */
      async function acquire(semaphore: FairSemaphore, weight = 1): Promise<Permit | undefined> {
        if (!path) return undefined
        const permit = await semaphore.acquire(path, {
          weight,
          get signal() {
            return createDisconnectSignal(request, reply)
          },
        })
        if (!isOver) return permit
        permit.release()
        throw new ClientDisconnected()
      }

      return {
        async admit({ team, caller }) {
          // There would be no 'close' event any more.
          if (request.raw.socket.destroyed) throw new ClientDisconnected()
          path = [team, caller]
          activity.note(team)
          // The socket too: a response that waits behind another one of its connection has no 'close' event.
          reply.raw.once('close', end)
          request.raw.socket.once('close', end)
          working = await acquire(resources.requests)
        },
        async waitFor(work) {
          working?.release()
          try {
            return await work()
          } finally {
            working = await acquire(resources.requests)
          }
        },
        async reserve(bytes) {
          if (isReserved || bytes < SMALL_RESPONSE_BYTES) return
          isReserved = true
          const permit = await acquire(resources.responses, bytes)
          if (permit) held.push(permit)
        },
        async reserveFile() {
          for (const [resource, weight] of [
            [resources.files, 1],
            [resources.responses, SEND_BUFFER_BYTES],
          ] as const) {
            const permit = await acquire(resource, weight)
            if (permit) held.push(permit)
          }
        },
        async finish(bytes) {
          working?.release()
          if (!path || bytes < SMALL_RESPONSE_BYTES) return
          const [team, caller] = path as [string, string]
          // Without other active teams there is no reason to wait.
          if (activity.isAlone(team)) return
          const buckets = [rates.team.memo(team), rates.caller.memo(`${team} ${caller}`)]
          const waitMs = Math.max(...buckets.map((bucket) => bucket.debtMs()))
          for (const bucket of buckets) bucket.spend(bytes)
          // After a disconnect the code that sends the response fails by itself.
          if (waitMs > 0)
            await sleep(waitMs, undefined, { signal: createDisconnectSignal(request, reply) }).catch(() => {})
        },
      }
    },
  }
}

const createRates = (mbPerSecond: number) =>
  new LRUCache<string, TokenBucket>({
    max: MAX_RATES,
    memoMethod: () =>
      new TokenBucket({ burst: BURST_SECONDS * mbPerSecond * MB, perSecond: mbPerSecond * MB }),
  })

/** A caller without token or session is limited by the address it comes from, separately for each page. */
export const anonymousOwner = (request: FastifyRequest): ShareOwner => ({
  team: `address ${request.ip}`,
  caller: request.routeOptions.url ?? 'none',
})
