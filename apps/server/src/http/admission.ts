import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { FairSemaphore, type Permit } from '../platform/concurrency/fair-semaphore.ts'
import { TokenBucket } from '../platform/concurrency/token-bucket.ts'
import { createDisconnectSignal } from './abort-signal.ts'
import type { Metrics } from './metrics.ts'
import { ClientDisconnected } from './piece-writer.ts'

/** A limit for one caller, for all callers of one team, and for the process. */
export type ShareLimits = Readonly<Record<'caller' | 'team' | 'process', number>>

export interface AdmissionLimits {
  /** Requests that are worked on at once. Those whose answer is only being sent do not count. */
  requests: ShareLimits
  /** Megabytes of answers that are in memory, being made or sent. */
  answerMb: ShareLimits
  /** Megabytes of large answers that are sent each second, in the long run. */
  answerMbPerSecond: Readonly<Record<'caller' | 'team', number>>
  /** Files that are open because they are being sent. */
  openFiles: ShareLimits
  /** Requests that wait for their turn. */
  queued: ShareLimits
  /** How long one waits, in milliseconds. */
  queueMs: number
}

/** Whose share a request counts against (decision 37). */
export interface Principal {
  /** The team, or what stands for it where a caller belongs to none: the address of a visitor. */
  team: string
  /** A token, a session, or a page that a visitor asks for. */
  caller: string
}

/** The share of the service that one request takes. All of it is given back when its answer has left. */
export interface RequestShare {
  /** Waits until the request may be worked on. Rejects with a `SemaphoreFullError`, which becomes 429 or 503. */
  admit(principal: Principal): Promise<void>
  /**
   * Runs work that waits for something else, for a solve or another process: meanwhile the request does not count as
   * one that is worked on.
   */
  waitFor<T>(work: () => Promise<T>): Promise<T>
  /**
   * Waits until so much memory may be taken for the answer. Only the first call counts: it is for the whole answer.
   * Small answers never wait.
   */
  reserve(bytes: number): Promise<void>
  /** Waits until a file may be opened to be sent. */
  reserveFile(): Promise<void>
  /**
   * To be called when the answer is made and `bytes` of it have to be sent: the request does not count as one that is
   * worked on any more. Waits while other teams ask for something, and the caller or its team was sent more of late
   * than their rates allow.
   */
  finish(bytes: number): Promise<void>
}

export interface Admission {
  openShare(request: FastifyRequest, reply: FastifyReply): RequestShare
  /**
   * Waits until a request that has no answer of Fastify's may be worked on: one that is to become a socket. It counts
   * until the permit is released. Rejects as `RequestShare.admit` does, and with the signal's reason.
   */
  admit(principal: Principal, signal: AbortSignal): Promise<Permit>
}

const LEVELS = ['process', 'team', 'caller'] as const
const MB = 2 ** 20
/** So little is not counted: who reads small answers is not to wait for those who read large ones. */
const SMALL_ANSWER_BYTES = 64 * 1024
/** A caller that was sent nothing for so long may be sent as much at once. */
const BURST_SECONDS = 2
/** Callers and teams whose rates are remembered. */
const MAX_RATES = 10_000
/** What a file that is sent, or unpacked on its way, takes of memory. */
const SEND_BUFFER_BYTES = 512 * 1024

/** So long after its last request, a team counts as one that asks for something. */
const ACTIVE_MS = 1000

/** Tells whether a team has the service to itself. */
export class TeamActivity {
  readonly #now: () => number
  #latest = ''
  #latestAt = Number.NEGATIVE_INFINITY
  /** Of the latest request of any other team. */
  #otherAt = Number.NEGATIVE_INFINITY

  /** `now` in milliseconds, from any moment on. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Notes that a team asks for something. */
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

/** Divides what the process can do between those who ask, so that none of them can take it all (decision 0019). */
export function createAdmission(
  limits: AdmissionLimits,
  metrics: Metrics,
  activity: Pick<TeamActivity, 'note' | 'isAlone'>,
): Admission {
  const resources = {
    requests: createResource('requests', limits.requests),
    answers: createResource('answer_bytes', limits.answerMb, MB),
    files: createResource('open_files', limits.openFiles),
  }
  const rates = {
    team: createRates(limits.answerMbPerSecond.team),
    caller: createRates(limits.answerMbPerSecond.caller),
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

      /** Undefined where nothing is limited: for a request that nobody is asked to admit. */
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
        throw new ClientDisconnected('The client closed the connection.')
      }

      return {
        async admit({ team, caller }) {
          // It would never tell that it closed.
          if (request.raw.socket.destroyed) throw new ClientDisconnected('The client closed the connection.')
          path = [team, caller]
          activity.note(team)
          // The socket too: a response whose turn to be sent has not come hears nothing of its end.
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
          if (isReserved || bytes < SMALL_ANSWER_BYTES) return
          isReserved = true
          const permit = await acquire(resources.answers, bytes)
          if (permit) held.push(permit)
        },
        async reserveFile() {
          for (const [resource, weight] of [
            [resources.files, 1],
            [resources.answers, SEND_BUFFER_BYTES],
          ] as const) {
            const permit = await acquire(resource, weight)
            if (permit) held.push(permit)
          }
        },
        async finish(bytes) {
          working?.release()
          if (!path || bytes < SMALL_ANSWER_BYTES) return
          const [team, caller] = path as [string, string]
          // What nobody else needs is not held back.
          if (activity.isAlone(team)) return
          const buckets = [rates.team.memo(team), rates.caller.memo(`${team} ${caller}`)]
          const waitMs = Math.max(...buckets.map((bucket) => bucket.debtMs()))
          for (const bucket of buckets) bucket.spend(bytes)
          // Who sends an answer notices by itself that its client has gone.
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

/** A caller without token or session: what limits it is the address it comes from, page by page. */
export const anonymous = (request: FastifyRequest): Principal => ({
  team: `address ${request.ip}`,
  caller: request.routeOptions.url ?? 'none',
})
