import type { Database, Write } from '../../platform/database/database.ts'
import { raiseVersion } from '../../team-writes/raise-version.ts'
import type { Claim, Outcome } from './solve-record.ts'
import { updateClaimed } from './solve-selections.ts'

/** `SolveStore.end`. */
export function endSolve(database: Database, claim: Claim, outcome: Outcome, now: number): Promise<boolean> {
  return database.transaction(async (write) => {
    await raiseVersion(write, claim.team)
    const credits = creditsFor(outcome.durationMs, claim.maxCredits)
    const ended = await updateClaimed(write, claim)
      .set({
        ...columnsOf(outcome, now),
        credits,
        duration_ms: Math.round(outcome.durationMs),
        claimed_by: null,
        lease_until: null,
      })
      .executeTakeFirst()
    // The answer to an earlier try may have been lost with the connection, after it was committed.
    if (ended.numUpdatedRows === 0n) return wasEnded(write, claim, outcome)
    await noteSpent(write, claim, outcome, credits, now)
    await write
      .updateTable('team')
      .set(({ eb }) => ({ credits: eb('credits', '-', credits) }))
      .where('id', '=', claim.team)
      .execute()
    await supersedeOlder(write, claim, outcome, now)
    return true
  })
}

/** Whether the solve is stored with this outcome; its blobs are then in use. */
async function wasEnded(write: Write, { key, attempt }: Claim, outcome: Outcome): Promise<boolean> {
  const rows = write.selectFrom('solve').where('id', '=', key).where('state', '=', outcome.state)
  const same =
    outcome.state === 'failed'
      ? rows.where('attempts', '=', attempt).where('reason', '=', outcome.reason)
      : rows.where('values_gzip', '=', outcome.files.valuesGzip)
  return (await same.select('id').executeTakeFirst()) !== undefined
}

/** Decision 32: one for each second that was started. Ending a solver takes a moment, which is not the team's. */
function creditsFor(durationMs: number, maxCredits: number): number {
  return Math.min(Math.max(Math.ceil(durationMs / 1000), 1), maxCredits)
}

function columnsOf(outcome: Outcome, now: number) {
  if (outcome.state === 'failed') return { state: outcome.state, reason: outcome.reason, ended_at: now }
  const { state, seq, endedAt, files } = outcome
  const { valuesGzip, valuesZstd, valuesBytes, summary, model, modelFault } = files
  return {
    state,
    seq,
    ended_at: endedAt,
    values_gzip: valuesGzip,
    values_zstd: valuesZstd,
    values_bytes: valuesBytes,
    summary: summary ?? null,
    model_fault: modelFault ?? null,
    ...(model && {
      model: model.digest,
      model_bytes: model.bytes,
      model_objects: model.objects,
      units: model.units,
    }),
  }
}

/** A failure takes the place of earlier failures only: exports are made of the last solution (decision 27). */
async function supersedeOlder(write: Write, claim: Claim, { state }: Outcome, now: number): Promise<void> {
  await write
    .updateTable('solve')
    .set({ superseded_at: now })
    .where('document_id', '=', claim.document)
    .where('id', '<', claim.key)
    .where('superseded_at', 'is', null)
    .where('state', 'in', state === 'solved' ? ['solved', 'failed'] : ['failed'])
    .execute()
}

/** Tells the team's people what their credits went to, for longer than solves are remembered. */
async function noteSpent(
  write: Write,
  claim: Claim,
  { state, durationMs }: Outcome,
  credits: number,
  now: number,
): Promise<void> {
  const { name } = await write
    .selectFrom('document')
    .where('id', '=', claim.document)
    .select('name')
    .executeTakeFirstOrThrow()
  await write
    .insertInto('credit_entry')
    .values({
      team_id: claim.team,
      at: now,
      credits: -credits,
      solution_id: claim.id,
      state,
      duration_ms: Math.round(durationMs),
      document_id: claim.documentId,
      document_name: name,
    })
    .execute()
}
