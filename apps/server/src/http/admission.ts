import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type AcquireOptions, FairSemaphore, type Permit } from '../platform/concurrency/fair-semaphore.ts'
import { TokenBucket } from '../platform/concurrency/token-bucket.ts'
import type { MaybePromise } from '../platform/database/database.ts'
import { limitEntries } from '../platform/limit-entries.ts'
import {
  type Call,
  ClientDisconnected,
  createDisconnectSignal,
  type QuotaOwner,
  type RequestQuota,
} from './call.ts'
import { createOverloaded } from './http-error.ts'
import type { Metrics } from './metrics.ts'

/** A limit for one caller, for all callers of one team, and for the process. */
export type QuotaLimits = Readonly<Record<'caller' | 'team' | 'process', number>>

export interface AdmissionLimits {
  /** Requests in progress. Those whose response is only being sent do not count. */
  requests: QuotaLimits
  /** Megabytes of responses in memory, being made or sent. */
  responseMb: QuotaLimits
  /** Megabytes of large responses sent per second, in the long run. */
  responseMbPerSecond: Readonly<Record<'caller' | 'team', number>>
  /** Files that are open to be sent. */
  openFiles: QuotaLimits
  /** Requests that wait to be admitted. */
  queued: QuotaLimits
  /** How long a request waits at most. */
  queueMs: number
}

export interface Admission {
  openQuota(call: RequestAndResponse): RequestQuota
  /**
   * Waits until a request that becomes a socket may begin. It counts until the
   * permit is released. Rejects as `RequestQuota.admit` does, and with the signal's reason.
   */
  admit(principal: QuotaOwner, signal: AbortSignal): Promise<Permit>
}

type RequestAndResponse = Pick<Call, 'request' | 'response'>

const LEVELS = ['process', 'team', 'caller'] as const
const MB = 2 ** 20
/** Smaller responses are not counted, so that they do not wait for large ones. */
export const SMALL_RESPONSE_BYTES = 64 * 1024
/** How many seconds of its rate a caller may be sent at once. */
const BURST_SECONDS = 2
/** Callers and teams whose rates are remembered. */
const MAX_RATES = 10_000
/** The memory that sending a file takes, also when it is decompressed on the way. */
const SEND_BUFFER_BYTES = 1280 * 1024

/**
 * How long a request waits for other work at most, in all. A connection without any traffic is closed after two minutes,
 * so that the client would get no response.
 */
const MAX_WORK_MS = 90_000

/** How long after its last request a team counts as active. */
const ACTIVE_MS = 1000

/** Knows whether a team has the service to itself. */
export class TeamActivity {
  readonly #now: () => number
  #latest = ''
  #latestAt = Number.NEGATIVE_INFINITY
  /** When a team other than `#latest` last sent a request, by `#now`. */
  #otherAt = Number.NEGATIVE_INFINITY

  /** `now` returns the milliseconds since any fixed moment. */
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

type LimitedResource = 'requests' | 'responses' | 'files'

/** The capacity that the requests of all teams share, and how it is divided between them. */
export interface Limits {
  /** Acquires a permit as {@link FairSemaphore.acquire} does; the path names a team and a caller. */
  acquire(
    resource: LimitedResource,
    path: readonly string[],
    options?: AcquireOptions,
  ): Permit | Promise<Permit>
  /** Takes the memory of a large response if it need not wait, also not for its rate. */
  trySend(team: string, caller: string, bytes: number): Permit | undefined
  /** Notes a large response. Returns how long it has to wait before it is sent, in milliseconds. */
  spend(team: string, caller: string, bytes: number): number
  /** Notes a request of a team. */
  note(team: string): void
}

/** Divides the capacity of the service between callers, so that none of them can take all of it (decision 0019). */
export function createLimits(
  limits: AdmissionLimits,
  metrics: Metrics,
  activity: Pick<TeamActivity, 'note' | 'isAlone'>,
): Limits {
  const resources = {
    requests: createResource('requests', limits.requests),
    responses: createResource('answer_bytes', limits.responseMb, MB),
    files: createResource('open_files', limits.openFiles),
  }
  const rates = {
    team: createRates(limits.responseMbPerSecond.team),
    caller: createRates(limits.responseMbPerSecond.caller),
  }

  function createResource(name: string, limit: QuotaLimits, unit = 1): FairSemaphore {
    const semaphore = new FairSemaphore({
      limits: LEVELS.map((level) => limit[level] * unit),
      maxWaiting: LEVELS.map((level) => limits.queued[level]),
      maxWaitMs: limits.queueMs,
    })
    metrics.watchSemaphore(name, semaphore)
    return semaphore
  }

  return {
    acquire: (resource, path, options) => resources[resource].acquire(path, options),
    trySend: (team, caller, bytes) =>
      activity.isAlone(team) ? resources.responses.tryAcquire([team, caller], bytes) : undefined,
    spend(team, caller, bytes) {
      // Without other active teams there is no reason to wait.
      if (activity.isAlone(team)) return 0
      const buckets = [rates.team.memo(team), rates.caller.memo(`${team} ${caller}`)]
      const waitMs = Math.max(...buckets.map((bucket) => bucket.debtMs()))
      for (const bucket of buckets) bucket.spend(bytes)
      return waitMs
    },
    note: (team) => activity.note(team),
  }
}

/** Creates the admission that gives each request its quota of these limits. */
export const createAdmission = (limits: Limits, maxWorkMs = MAX_WORK_MS): Admission => ({
  admit: async ({ team, caller }, signal) => limits.acquire('requests', [team, caller], { signal }),
  openQuota: (call) => new Quota(call, limits, maxWorkMs),
})

/**
 * The options of an acquisition, whose signal is created when it is needed. This is a class because V8 makes a hidden
 * class for each object literal with a getter, which would keep the request in memory until the next full garbage
 * collection.
 */
class QuotaOptions implements AcquireOptions {
  readonly weight: number
  readonly #call: RequestAndResponse

  constructor(weight: number, call: RequestAndResponse) {
    this.weight = weight
    this.#call = call
  }

  get signal(): AbortSignal {
    return createDisconnectSignal(this.#call)
  }
}

/** The quota of one request. Most requests hold one permit and wait for nothing. */
class Quota implements RequestQuota {
  readonly #call: RequestAndResponse
  readonly #limits: Limits
  /** How much longer the request may wait for other work, in milliseconds. */
  #workMs: number
  /** The team and the caller; undefined for a request that is not limited, since it was never admitted. */
  #path: readonly [team: string, caller: string] | undefined
  #working: Permit | undefined
  #held: Permit[] | undefined
  #isReserved = false
  #isOver = false

  constructor(call: RequestAndResponse, limits: Limits, maxWorkMs: number) {
    this.#call = call
    this.#limits = limits
    this.#workMs = maxWorkMs
  }

  admit({ team, caller }: QuotaOwner): MaybePromise<void> {
    const { request, response } = this.#call
    // A destroyed socket has no more 'close' event that would release the permits.
    if (request.socket.destroyed) throw new ClientDisconnected()
    this.#path = [team, caller]
    this.#limits.note(team)
    this.#releaseAtEnd(request.socket, response)
    const permit = this.#acquire('requests', 1)
    if (permit instanceof Promise) return this.#begin(permit)
    this.#working = permit
  }

  async #begin(permit: Promise<Permit>): Promise<void> {
    this.#working = await permit
  }

  async waitFor<T>(work: () => Promise<T>): Promise<T> {
    this.#working?.release()
    const startedAt = performance.now()
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(createOverloaded()), this.#workMs)
    try {
      return await Promise.race([work(), late.promise])
    } finally {
      clearTimeout(timer)
      this.#workMs -= performance.now() - startedAt
      this.#working = await this.#acquire('requests', 1)
    }
  }

  // This is an arrow function because handlers pass it on.
  readonly reserve = (bytes: number): MaybePromise<void> => {
    if (this.#isReserved || bytes < SMALL_RESPONSE_BYTES) return
    this.#isReserved = true
    return this.#hold('responses', bytes)
  }

  async reserveFile(): Promise<void> {
    await this.#hold('files', 1)
    await this.#hold('responses', SEND_BUFFER_BYTES)
  }

  finish(bytes: number): MaybePromise<void> {
    this.#working?.release()
    if (!this.#path || bytes < SMALL_RESPONSE_BYTES) return
    const [team, caller] = this.#path
    const waitMs = this.#limits.spend(team, caller, bytes)
    if (waitMs <= 0) return
    // After a disconnect the code that sends the response fails by itself.
    return sleep(waitMs, undefined, { signal: createDisconnectSignal(this.#call) }).catch(() => {})
  }

  async #hold(resource: LimitedResource, weight: number): Promise<void> {
    const permit = await this.#acquire(resource, weight)
    if (!permit) return
    this.#held ??= []
    this.#held.push(permit)
  }

  /** Acquires a permit; returns undefined for a request that is not limited. */
  #acquire(resource: LimitedResource, weight: number): Permit | undefined | Promise<Permit> {
    if (!this.#path) return undefined
    const acquired = this.#limits.acquire(resource, this.#path, new QuotaOptions(weight, this.#call))
    return acquired instanceof Promise ? acquired.then((permit) => this.#keep(permit)) : this.#keep(acquired)
  }

  /** Returns the permit, or releases it and throws when the request has ended meanwhile. */
  #keep(permit: Permit): Permit {
    if (!this.#isOver) return permit
    permit.release()
    throw new ClientDisconnected()
  }

  #releaseAtEnd(socket: Socket, response: ServerResponse): void {
    const end = () => {
      this.#isOver = true
      socket.off('close', end)
      this.#working?.release()
      if (this.#held) for (const permit of this.#held) permit.release()
    }
    response.once('close', end)
    // A response that waits behind another one of its connection has no 'close' event.
    if (response.socket !== socket) socket.once('close', end)
  }
}

const createRates = (mbPerSecond: number) =>
  new LRUCache<string, TokenBucket>({
    ...limitEntries(MAX_RATES),
    memoMethod: () =>
      new TokenBucket({ burst: BURST_SECONDS * mbPerSecond * MB, perSecond: mbPerSecond * MB }),
  })

/** Returns the owner for a caller without token or session, who is limited by address, separately for each page. */
export const anonymousOwner = (request: FastifyRequest): QuotaOwner => ({
  team: `address ${request.ip}`,
  caller: request.routeOptions.url ?? 'none',
})
