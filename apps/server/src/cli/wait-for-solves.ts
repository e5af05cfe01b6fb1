import { setTimeout as sleep } from 'node:timers/promises'
import type { SolveRecord, SolveStore } from '../features/solves/solves.store.ts'
import type { AskedSolve } from './ask-for-all.ts'

const POLL_MS = 250
/** They are begun in the order in which they were asked for: it is enough to look at the first ones. */
const LOOKED_AT = 200
/** Any solver that runs has looked for work by then. */
const SOLVER_EXPECTED_MS = 10_000

export interface Watcher {
  signal: AbortSignal
  /** Without a record it was given up: its team has no credits left, or its document is gone. */
  onEnd(asked: AskedSolve, record: SolveRecord | undefined): void
  /** Nothing was begun for so long that there seems to be no solver. Called once at most. */
  onNoSolver(): void
}

/** Waits until all have ended, or `signal` is raised. */
export async function waitForSolves(
  solves: Pick<SolveStore, 'listSolves'>,
  asked: readonly AskedSolve[],
  { signal, onEnd, onNoSolver }: Watcher,
): Promise<void> {
  const waiting = new Map(asked.map((solve) => [solve.id, solve]))
  const warnAt = performance.now() + SOLVER_EXPECTED_MS
  let isBegun = false
  let isWarned = false
  while (waiting.size > 0 && !signal.aborted) {
    const ids = [...waiting.keys().take(LOOKED_AT)]
    const records = new Map((await solves.listSolves(ids)).map((record) => [record.id, record]))
    for (const id of ids) {
      const record = records.get(id)
      if (record?.state !== 'queued') isBegun = true
      if (record?.state === 'queued' || record?.state === 'running') continue
      onEnd(waiting.get(id)!, record)
      waiting.delete(id)
    }
    if (!isBegun && !isWarned && performance.now() > warnAt) {
      isWarned = true
      onNoSolver()
    }
    if (waiting.size > 0) await sleep(POLL_MS, undefined, { signal }).catch(() => {})
  }
}
