import { once } from 'node:events'

/** The exit codes after signals: by convention, 128 plus the number of the signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

/** Lets a command end cleanly after a signal, until it is disposed of. */
export interface Interrupt extends Disposable {
  /** Aborts with the first Ctrl-C (or SIGTERM); the second one ends the process at once. */
  readonly signal: AbortSignal
  readonly exitCode: number
}

export function watchInterrupt(onFirst: () => void): Interrupt {
  const controller = new AbortController()
  let exitCode: number = EXIT_CODES.SIGINT
  const stop = (signal: keyof typeof EXIT_CODES) => {
    exitCode = EXIT_CODES[signal]
    if (controller.signal.aborted) process.exit(exitCode)
    controller.abort()
    onFirst()
  }
  const signals = Object.keys(EXIT_CODES) as (keyof typeof EXIT_CODES)[]
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

/**
 * Stops on Ctrl-C or SIGTERM; resolves when it has stopped. A second signal ends the process without waiting for running
 * work. `first` says what is waited for: "running requests finish first".
 */
export async function stopOnSignal(
  stop: () => Promise<void>,
  first: string,
  notify: (text: string) => void,
): Promise<void> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  for (const [name, code] of Object.entries(EXIT_CODES)) process.once(name, () => process.exit(code))
  notify(`Stopping: ${first}. Press Ctrl-C again to stop at once.`)
  await stop()
}
