import type { Write } from '../../platform/database/database.ts'
import type { ExportFileKey } from '../../platform/database/tables.ts'
import type { FileRecipe } from './exports.store.ts'

/** The right to make a file while its lease lasts. */
export interface FileClaim {
  key: ExportFileKey
  /** Tells this claim from all others of the same file. */
  claimedBy: string
}

interface ClaimNow {
  claimedBy: string
  now: number
  leaseMs: number
}

/** `ExportStore.claim`. One that was left behind is taken over. */
export async function claimFile(
  write: Write,
  { madeOf, document, seq, solve }: FileRecipe,
  { claimedBy, now, leaseMs }: ClaimNow,
): Promise<FileClaim | undefined> {
  const claimed = { claimed_by: claimedBy, lease_until: now + leaseMs }
  const row = await write
    .insertInto('export_file')
    .values({
      made_of: madeOf,
      document_id: document,
      seq,
      solve_id: solve,
      ...claimed,
      digest: null,
      bytes: null,
      warnings: null,
      kept_until: now,
    })
    .onConflict((conflict) =>
      conflict.column('made_of').doUpdateSet(claimed).where('export_file.lease_until', '<', now),
    )
    .returning('id as key')
    .executeTakeFirst()
  return row && { key: row.key, claimedBy }
}

/** The row of a claim, to be changed; none when the claim is lost. */
export const updateClaimed = (write: Write, { key, claimedBy }: FileClaim) =>
  write.updateTable('export_file').where('id', '=', key).where('claimed_by', '=', claimedBy)
