import type { Log } from '../../platform/log.ts'
import type { Claim } from './solve-record.ts'
import type { SolveStore } from './solves.store.ts'

/** Renewed so often that two renewals may fail. */
const RENEWALS_PER_LEASE = 3

/**
 * Keeps a claim until it is disposed of. `onLost` is called when somebody else may have it: then its work is worth
 * nothing any more, and would go on beside that of the other.
 */
export function keepLease(
  store: Pick<SolveStore, 'renew'>,
  claim: Claim,
  leaseMs: number,
  onLost: () => void,
  log: Log,
): Disposable {
  let keptUntil = performance.now() + leaseMs
  async function renew(): Promise<void> {
    const askedAt = performance.now()
    try {
      keptUntil = (await store.renew(claim, leaseMs)) ? askedAt + leaseMs : 0
    } catch (error) {
      log.warn({ err: error, solution: claim.id }, 'the lease of a solve could not be renewed')
    }
    if (performance.now() > keptUntil) onLost()
  }
  const timer = setInterval(() => void renew(), leaseMs / RENEWALS_PER_LEASE)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
