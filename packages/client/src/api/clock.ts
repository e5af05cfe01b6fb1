import { TimedOut } from './errors.ts'

/** The deadline of a call, and the signal of its caller, as one. Stop it when the call is over. */
export interface Clock {
  /** Aborts with `TimedOut` at the deadline, or with the reason of the caller's signal. */
  readonly signal: AbortSignal
  /** Returns the milliseconds that are left until the deadline. */
  leftMs(): number
  /** Stops the deadline until `restart`. */
  pause(): void
  /** Sets the deadline as far away as at the beginning. */
  restart(): void
  /** Keeps the caller's signal connected after `stop`. */
  release(): void
  /** Removes the deadline, and disconnects the caller's signal unless `release` was called. */
  stop(): void
}

/** The longest delay that `setTimeout` takes, in milliseconds: 24 days. */
const MAX_DELAY_MS = 2 ** 31 - 1

/** Starts a clock. `what` is what was not finished in time, for the error: the subject of a sentence. */
export function startClock(timeoutMs: number, caller: AbortSignal | undefined, what: string): Clock {
  caller?.throwIfAborted()
  const controller = new AbortController()
  const abort = () => controller.abort(caller!.reason)
  caller?.addEventListener('abort', abort, { once: true })
  let isReleased = false
  let endsAt: number
  let timer: ReturnType<typeof setTimeout>
  function start(): void {
    endsAt = performance.now() + timeoutMs
    timer = setTimeout(
      () => controller.abort(new TimedOut(`${what} took longer than ${timeoutMs / 1000} s.`)),
      Math.min(timeoutMs, MAX_DELAY_MS),
    )
  }
  start()
  return {
    signal: controller.signal,
    leftMs: () => Math.max(0, endsAt - performance.now()),
    pause: () => clearTimeout(timer),
    restart() {
      clearTimeout(timer)
      start()
    },
    release() {
      isReleased = true
    },
    stop() {
      clearTimeout(timer)
      if (!isReleased) caller?.removeEventListener('abort', abort)
    },
  }
}

/** Waits, for 24 days at most; rejects with the reason of the signal. */
export function sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', end)
        resolve()
      },
      Math.min(durationMs, MAX_DELAY_MS),
    )
    signal?.addEventListener('abort', end, { once: true })
  })
}

/**
 * Resolves with the result of work, or rejects with the reason of the signal as soon as it is aborted. In Node 20, a
 * body that is being read when its fetch is aborted may never end, and a `fetch` of the caller's own may not support
 * signals.
 */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
