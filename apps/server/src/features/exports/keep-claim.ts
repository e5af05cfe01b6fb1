import type { Log } from '../../platform/log.ts'
import type { ExportStore } from './exports.store.ts'
import type { FileClaim } from './file-claims.ts'

/** Renewed so often that two renewals may fail. */
const RENEWALS_PER_LEASE = 3

/** Keeps a claim until it is disposed of. If it is lost all the same, the file is made twice, with the same bytes. */
export function keepClaim(
  store: Pick<ExportStore, 'renew'>,
  claim: FileClaim,
  leaseMs: number,
  log: Log,
): Disposable {
  const renew = () =>
    store
      .renew(claim, leaseMs)
      .catch((err: unknown) => log.warn({ err }, 'the claim of an export is not renewed'))
  const timer = setInterval(renew, leaseMs / RENEWALS_PER_LEASE)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
