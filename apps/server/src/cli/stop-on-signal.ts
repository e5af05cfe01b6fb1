import { once } from 'node:events'

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
  say(`Stopping: ${first}. Press Ctrl-C again to stop at once.`)
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130))
  await stop()
}
