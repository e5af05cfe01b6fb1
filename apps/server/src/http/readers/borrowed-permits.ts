import {
  type AcquireOptions,
  type Permit,
  SemaphoreFullError,
} from '../../platform/concurrency/fair-semaphore.ts'
import type { SharedResource } from '../admission.ts'
import type { MainFunctions, PermitResult } from './protocol.ts'

/** A permit that was not used for this long is given back. */
const KEPT_MS = 1000
const SWEEP_MS = 250
/** After others had to wait, permits are given back at once for so long: longer than recalls are apart. */
const NOT_KEPT_MS = 100
/** For how long a permit is handed from request to request here while others wait. */
const HANDED_ON_MS = 10

/** Permits that a reader has of the main process. */
export interface BorrowedPermits {
  /** As that of a `FairSemaphore`. */
  acquire(
    resource: SharedResource,
    path: readonly string[],
    options?: AcquireOptions,
  ): Permit | Promise<Permit>
  /** Gives back what is kept. */
  recall(): void
}

interface Main {
  acquire(request: Parameters<MainFunctions['acquire']>[0]): Promise<PermitResult>
  release(permit: number): void
  abandon(permit: number): void
}

/** A permit for one path that the main process has granted. */
interface Grant {
  readonly id: number
  readonly key: string
  /** Heavier ones are given back after each use. */
  readonly weight: number
  sinceMs: number
}

interface Waiter {
  readonly id: number
  resolve(permit: Permit): void
}

/**
 * Asks the main process for permits. A permit of weight 1 is kept for the next request with the same path, so that the
 * requests of a caller ask once; it is given back when others wait for it, or when it is not used.
 */
export function createBorrowedPermits(
  main: Main,
  now: () => number = performance.now.bind(performance),
): BorrowedPermits {
  const kept = new Map<string, Grant[]>()
  const waiting = new Map<string, Set<Waiter>>()
  let lastId = 0
  let keepsFrom = 0

  setInterval(() => giveBackKept(now() - KEPT_MS), SWEEP_MS).unref()

  function giveBackKept(unusedSince: number): void {
    for (const [key, grants] of kept) {
      const left = grants.filter(({ sinceMs }) => sinceMs > unusedSince)
      for (const grant of grants) if (!left.includes(grant)) main.release(grant.id)
      if (left.length > 0) kept.set(key, left)
      else kept.delete(key)
    }
  }

  function use(grant: Grant): Permit {
    let isHeld = true
    const release = () => {
      if (isHeld) handOn(grant)
      isHeld = false
    }
    return { release, [Symbol.dispose]: release }
  }

  /** To the next request that waits here, if others have not waited for long; else it is kept or given back. */
  function handOn(grant: Grant): void {
    const [next] = grant.weight === 1 ? (waiting.get(grant.key) ?? []) : []
    if (next && now() - grant.sinceMs < HANDED_ON_MS) {
      settle(grant.key, next)
      main.abandon(next.id)
      next.resolve(use(grant))
    } else if (grant.weight === 1 && !next && now() >= keepsFrom) keep(grant)
    else main.release(grant.id)
  }

  function keep(grant: Grant): void {
    grant.sinceMs = now()
    const grants = kept.get(grant.key)
    if (grants) grants.push(grant)
    else kept.set(grant.key, [grant])
  }

  function settle(key: string, waiter: Waiter): boolean {
    const waiters = waiting.get(key)
    const wasWaiting = waiters?.delete(waiter) === true
    if (waiters?.size === 0) waiting.delete(key)
    return wasWaiting
  }

  function ask(
    resource: SharedResource,
    path: readonly string[],
    key: string,
    { weight = 1, signal }: AcquireOptions,
  ): Promise<Permit> {
    const { promise, resolve, reject } = Promise.withResolvers<Permit>()
    const waiter: Waiter = { id: ++lastId, resolve }
    const waiters = waiting.get(key) ?? new Set()
    waiting.set(key, waiters.add(waiter))
    const onAbort = () => {
      if (!settle(key, waiter)) return
      main.abandon(waiter.id)
      reject(signal!.reason)
    }
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    const finish = (result: PermitResult) => {
      signal?.removeEventListener('abort', onAbort)
      const isWaiting = settle(key, waiter)
      if (result === 'granted') {
        const grant = { id: waiter.id, key, weight, sinceMs: now() }
        if (isWaiting) resolve(use(grant))
        else handOn(grant)
      } else if (isWaiting) reject(new SemaphoreFullError(result === 'abandoned' ? 0 : result.full))
    }
    main.acquire({ permit: waiter.id, resource, path, weight }).then(finish, reject)
    return promise
  }

  return {
    acquire(resource, path, options = {}) {
      const { weight = 1 } = options
      const key = `${resource} ${weight} ${path.join('\n')}`
      const grants = kept.get(key)
      const grant = grants?.pop()
      if (!grant) return ask(resource, path, key, options)
      if (grants!.length === 0) kept.delete(key)
      grant.sinceMs = now()
      return use(grant)
    },
    recall() {
      keepsFrom = now() + NOT_KEPT_MS
      giveBackKept(Number.POSITIVE_INFINITY)
    },
  }
}
