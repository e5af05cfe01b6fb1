import { setTimeout as sleep } from 'node:timers/promises'
import type { DocumentKey } from '../../platform/database/tables.ts'
import type { SolveEnds } from './solve-ends.ts'
import type { SolveStanding } from './stored-solution.ts'

/** How often to look for solves that end in other processes. A look is a point lookup. */
const POLL_MS = 250

export interface WaitParts {
  ends: Pick<SolveEnds, 'listen'>
  /** How the document stands now. */
  find(): Promise<SolveStanding | undefined>
  /** Ends the wait early. */
  hurry: AbortSignal
}

/** How a document whose solve runs stands when that has ended, or after `seconds`. */
export async function waitForSolve(
  document: DocumentKey,
  seconds: number,
  { ends, find, hurry }: WaitParts,
): Promise<SolveStanding | undefined> {
  const until = performance.now() + 1000 * seconds
  let woken = new AbortController()
  using _ = ends.listen(document, () => woken.abort())
  for (;;) {
    // Made before the look, so that what ends during it is not missed.
    woken = new AbortController()
    const standing = await find()
    const leftMs = until - performance.now()
    if (standing?.state !== 'running' || leftMs <= 0 || hurry.aborted) return standing
    const signal = AbortSignal.any([hurry, woken.signal])
    await sleep(Math.min(leftMs, POLL_MS), undefined, { signal }).catch(() => {})
  }
}
