import { setTimeout as sleep } from 'node:timers/promises'

/** Nothing waits for it but what fails: ten runs at once on two cores take minutes for what takes seconds. */
const DEADLINE_MS = 300_000
const POLL_MS = 20

/** Waits for something that another process or thread does: asks again and again, and fails when it does not come. */
export async function until<T>(what: string, find: () => Promise<T | undefined | false>): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    if (performance.now() > deadline) throw new Error(`Waited in vain until ${what}.`)
    await sleep(POLL_MS)
  }
}
