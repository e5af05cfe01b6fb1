import { sleep, startClock } from './clock.ts'
import { Solving } from './generated/errors.ts'
import type { Solution } from './generated/types.ts'
import type { Meadow } from './meadow.ts'
import type { CallOptions } from './transport.ts'

export interface WaitOptions extends CallOptions {
  /** Whether the solution has geometry, as in `readSolution`. */
  includeGeometry?: boolean | undefined
  /** The longest wait in all, in milliseconds: ten minutes unless given. */
  timeoutMs?: number | undefined
}

/** The longest wait of one request at the service, in seconds, and the time in which its answer has to arrive. */
const WAIT_SECONDS = 30
const ANSWER_MS = 90_000

export async function waitForSolution(
  meadow: Meadow,
  documentId: string,
  { includeGeometry = false, headers, signal, timeoutMs = 600_000 }: WaitOptions,
): Promise<Solution> {
  const clock = startClock(timeoutMs, signal, `Waiting for the solution of ${documentId}`)
  try {
    for (;;) {
      const waitSeconds = Math.min(WAIT_SECONDS, clock.leftMs() / 1000)
      try {
        return await meadow.readSolution(documentId, {
          includeGeometry,
          headers: { ...headers, prefer: `wait=${Math.ceil(waitSeconds)}` },
          signal: clock.signal,
          timeoutMs: 1000 * waitSeconds + ANSWER_MS,
        })
      } catch (error) {
        if (!(error instanceof Solving)) throw error
        // A request never follows at once: a proxy between here and the service may not hold requests back.
        await sleep(1000 * (error.retryAfterSeconds || 1), clock.signal)
      }
    }
  } finally {
    clock.stop()
  }
}
