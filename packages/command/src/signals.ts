import { setImmediate } from 'node:timers/promises'
import { createContext, Script } from 'node:vm'

/** The exit codes after signals: by convention, 128 plus the number of the signal. */
const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143 } as const

type Signal = keyof typeof SIGNAL_CODES

/** Lets a command end cleanly after a signal, until it is disposed of. */
export interface Interrupt extends Disposable {
  /** Aborts with the first Ctrl-C (or SIGTERM); the second one ends the process at once. */
  readonly signal: AbortSignal
  readonly exitCode: number
  /**
   * Runs work that does not wait for anything, and that Ctrl-C ends in the middle, though no handler of a signal can run
   * meanwhile. Rejects with the reason of the signal then. The work must not leave anything half done, since its
   * `finally` does not run.
   */
  run<T>(work: () => T): Promise<T>
}

/**
 * Watches for Ctrl-C and SIGTERM. A second signal within `sameKeyMs` milliseconds counts as the same Ctrl-C: a launcher
 * forwards the one that the terminal has sent to both.
 */
export function watchInterrupt(onFirst: () => void = () => {}, sameKeyMs = 0): Interrupt {
  const controller = new AbortController()
  const { signal } = controller
  let exitCode: number = SIGNAL_CODES.SIGINT
  let stoppedAt = 0
  const stop = (name: Signal) => {
    exitCode = SIGNAL_CODES[name]
    if (!signal.aborted) {
      stoppedAt = performance.now()
      controller.abort()
      onFirst()
    } else if (performance.now() - stoppedAt >= sameKeyMs) process.exit(exitCode)
  }
  const names = Object.keys(SIGNAL_CODES) as Signal[]
  for (const name of names) process.on(name, stop)
  return {
    signal,
    get exitCode() {
      return exitCode
    },
    async run<T>(work: () => T): Promise<T> {
      // A signal that has come already is handled first: in the second round, when the system has been asked for it.
      await setImmediate()
      await setImmediate()
      signal.throwIfAborted()
      try {
        return callInterruptibly(work) as T
      } catch (error) {
        if ((error as NodeJS.ErrnoException)?.code !== 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw error
        stop('SIGINT')
        throw signal.reason
      }
    },
    [Symbol.dispose]() {
      for (const name of names) process.off(name, stop)
    },
  }
}

const CALL = new Script('work()')
let realm: { work?: (() => unknown) | undefined } | undefined

/** Calls a function in a script of another realm, since Node ends only scripts when the signal comes. */
function callInterruptibly(work: () => unknown): unknown {
  realm ??= createContext({}) as object
  realm.work = work
  try {
    return CALL.runInContext(realm, { breakOnSigint: true })
  } finally {
    realm.work = undefined
  }
}

/**
 * Stops on Ctrl-C or SIGTERM; resolves when it has stopped. A second signal ends the process without waiting for running
 * work. `first` says what is waited for: "running requests finish first".
 */
export async function stopOnSignal(
  stop: () => Promise<void>,
  first: string,
  notify: (text: string) => void,
): Promise<void> {
  await new Promise<void>((resolve) => watchInterrupt(resolve))
  notify(`Stopping: ${first}. Press Ctrl-C again to stop at once.`)
  await stop()
}
