/** The exit codes after signals: by convention, 128 plus the number of the signal. */
const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143 } as const

/**
 * The time in milliseconds in which a second signal counts as the same Ctrl-C: a launcher forwards the one that the
 * terminal has sent to both.
 */
const SAME_KEY_MS = 500

/** Ends a command after a signal, until it is disposed of. */
interface Interrupt extends Disposable {
  /** Aborts with the first Ctrl-C (or SIGTERM); the second one ends the process at once. */
  readonly signal: AbortSignal
  readonly exitCode: number
}

export function watchInterrupt(): Interrupt {
  const controller = new AbortController()
  let exitCode: number = SIGNAL_CODES.SIGINT
  let stoppedAt = 0
  const stop = (signal: keyof typeof SIGNAL_CODES) => {
    exitCode = SIGNAL_CODES[signal]
    if (!controller.signal.aborted) {
      stoppedAt = performance.now()
      controller.abort()
    } else if (performance.now() - stoppedAt > SAME_KEY_MS) process.exit(exitCode)
  }
  const signals = Object.keys(SIGNAL_CODES) as (keyof typeof SIGNAL_CODES)[]
  for (const signal of signals) process.on(signal, stop)
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode
    },
    [Symbol.dispose]() {
      for (const signal of signals) process.off(signal, stop)
    },
  }
}
