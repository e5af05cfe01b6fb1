import { setTimeout as sleep } from 'node:timers/promises'

/** Nothing waits for so long but what fails. */
export const DEADLINE_MS = 60_000
/** Checked again after a twentieth of the time that it waits already, within these bounds: each question costs both sides. */
const MIN_POLL_MS = 20
const MAX_POLL_MS = 100

/** Waits for something that another process or thread does: checks again and again, and fails when it does not come. */
export async function until<T>(what: string, find: () => Promise<T | undefined | false>): Promise<T> {
  const start = performance.now()
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    const waitedMs = performance.now() - start
    if (waitedMs > DEADLINE_MS) throw new Error(`Waited ${DEADLINE_MS / 1000} s in vain until ${what}.`)
    await sleep(Math.min(Math.max(waitedMs / 20, MIN_POLL_MS), MAX_POLL_MS))
  }
}
