import { once } from 'node:events'
import { EXIT_CODES } from './interrupt.ts'

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
