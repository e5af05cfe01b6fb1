import { setTimeout as sleep } from 'node:timers/promises'
import type { MirrorKey } from '../../platform/database/tables.ts'
import { keepLease } from '../../platform/queue.ts'
import { type ChangeList, createChangeList, type RecordedChange } from './mirror-changes.ts'
import {
  type EndedRun,
  MIRROR_LEASE_MS,
  MirrorError,
  type MirrorLease,
  type MirrorStore,
} from './mirrors.store.ts'

export interface MirrorRunRequest<Result extends WorkResult> {
  mirror: MirrorKey
  /** Ends the run after what was read so far is written. */
  signal: AbortSignal
  /** Imports the folder. Its signal aborts when another process has taken over, too. */
  work(run: { signal: AbortSignal; record(change: RecordedChange): void }): Promise<Result>
  /** Returns the sentence that is recorded of an error. */
  describe(error: unknown): string
}

export interface WorkResult {
  /** How many files have not changed since the last run. */
  unchanged: number
  /** Whether the run was stopped before its end. */
  interrupted: boolean
  /** What was not done although every file was read: a sentence. */
  reason?: string | undefined
}

/** Another process runs the mirror. */
export class MirrorBusyError extends MirrorError {
  override readonly name = 'MirrorBusyError'
}

type RunStore = Pick<MirrorStore, 'lease' | 'renew' | 'complete'>

/**
 * Runs a mirror and records the run. Throws a {@link MirrorBusyError} when another process runs it; one that was killed is
 * waited for until its lease has expired.
 */
export async function runMirror<Result extends WorkResult>(
  store: RunStore,
  { mirror, signal, work, describe }: MirrorRunRequest<Result>,
): Promise<Result> {
  const lease = await takeLease(store, mirror, signal)
  const lost = new AbortController()
  using _ = keepLease({
    leaseMs: MIRROR_LEASE_MS,
    renew: () => store.renew(lease),
    // An outage of the database may be over before another process takes an expired lease.
    onEnd: (why) => why === 'lost' && lost.abort(),
  })
  const changes = createChangeList()
  const complete = (ended: EndedRun) => store.complete(lease, { ...ended, changes: changes.list() })
  try {
    const result = await work({ signal: AbortSignal.any([signal, lost.signal]), record: changes.add })
    if (!(await complete(toEnd(result, changes)))) lost.abort()
    if (lost.signal.aborted)
      throw new MirrorError('Another process has taken over the mirror, or it was removed.')
    return result
  } catch (error) {
    // The error that ended the run is the one to report, also when the database is unavailable.
    await complete({ state: 'failed', reason: describe(error) }).catch(() => {})
    throw error
  }
}

async function takeLease(store: RunStore, mirror: MirrorKey, signal: AbortSignal): Promise<MirrorLease> {
  const first = await store.lease(mirror)
  if ('leaseId' in first) return first
  await sleep(first.expiresInMs + MARGIN_MS, undefined, { signal })
  const second = await store.lease(mirror)
  if ('leaseId' in second) return second
  throw new MirrorBusyError('Another process runs the mirror at the moment.')
}

/** A lease can be taken this long after it has expired. */
const MARGIN_MS = 100

function toEnd({ unchanged, interrupted, reason }: WorkResult, changes: ChangeList): EndedRun {
  const counts = { ...changes.counts(), unchanged }
  if (interrupted) return { state: 'stopped', reason: 'It was stopped before its end.', counts }
  const isPartial = reason !== undefined || counts.failed + counts.conflict > 0
  return { state: isPartial ? 'partial' : 'done', reason, counts }
}
