import type { Log } from '../../platform/log.ts'
import type { Attempts } from './attempts.ts'

const EVERY_MS = 60 * 60 * 1000

/** Removes, every hour from now on, the counts of failures that are over. Returns what ends it. */
export function startForgetting(attempts: Pick<Attempts, 'forget'>, log: Log): () => Promise<void> {
  let forgetting = Promise.resolve()
  const forgetNext = () => {
    forgetting = forgetting
      .then(attempts.forget)
      .catch((err) => log.error({ err }, 'failures to sign in could not be forgotten'))
  }
  forgetNext()
  const timer = setInterval(forgetNext, EVERY_MS)
  return async () => {
    clearInterval(timer)
    await forgetting
  }
}
