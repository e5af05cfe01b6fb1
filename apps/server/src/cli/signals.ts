import { once } from 'node:events'

/** What a process ends with that a signal ends: by custom, 128 and the number of the signal. */
export const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

/** Until it is disposed of, lets a command end in good order when it is told to stop. */
export interface Interrupt extends Disposable {
  /** Raised by the first Ctrl-C (or SIGTERM); the second one ends the process at once. */
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
 * Stops on Ctrl-C or SIGTERM; resolves when it has stopped. A second signal ends the process without waiting for what
 * runs. `first` says what that is: "running requests finish first".
 */
export async function stopOnSignal(
  stop: () => Promise<void>,
  first: string,
  say: (text: string) => void,
): Promise<void> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  for (const [name, code] of Object.entries(EXIT_CODES)) process.once(name, () => process.exit(code))
  say(`Stopping: ${first}. Press Ctrl-C again to stop at once.`)
  await stop()
}
