import type { Write } from '../../platform/database/database.ts'
import { raiseVersion } from '../../team-writes/raise-version.ts'
import type { Turn } from './find-turn.ts'
import type { Claim } from './solve-record.ts'
import { isRunning, QUEUED, RUNNING, reservedBy } from './solve-states.ts'

/** What a solver claims on. */
export interface ClaimTerms {
  leaseMs: number
  /** What one solve may cost at most: nobody's solve takes longer. */
  maxCredits: number
}

interface ClaimNow extends ClaimTerms {
  claimedBy: string
  now: number
}

/** After so many solvers died of it, a solve is not begun again. */
const MAX_ATTEMPTS = 3

/**
 * Claims what `findTurn` found, or undefined when that cannot be: somebody else was faster, the team has no credits,
 * or too many solvers died of it. The state it leaves is such that the next look finds something else.
 */
export async function takeClaim(write: Write, turn: Turn, terms: ClaimNow): Promise<Claim | undefined> {
  await raiseVersion(write, turn.team)
  const isOver = turn.isLeft
    ? await failIfHopeless(write, turn, terms)
    : await giveUpWithoutCredits(write, turn)
  if (isOver) return undefined
  const [claimed] = await (turn.isLeft ? updateLeft(write, turn, terms.now) : updateWaiting(write, turn))
    .set(({ eb }) => ({
      state: 'running',
      claimed_by: terms.claimedBy,
      lease_until: terms.now + terms.leaseMs,
      started_at: terms.now,
      attempts: eb('attempts', '+', 1),
      credits: terms.maxCredits,
    }))
    .returning([
      'solve.id as key',
      'public_id as id',
      'team_id as team',
      'document_id as document',
      'attempts as attempt',
    ])
    .execute()
  if (!claimed) return undefined
  const { documentId } = await write
    .selectFrom('document')
    .where('id', '=', claimed.document)
    .select('public_id as documentId')
    .executeTakeFirstOrThrow()
  return { ...claimed, documentId, claimedBy: terms.claimedBy, maxCredits: terms.maxCredits }
}

const updateLeft = (write: Write, { key }: Turn, now: number) =>
  write.updateTable('solve').where('id', '=', key).where('state', '=', RUNNING).where('lease_until', '<', now)

/** Only while the team can pay for it besides what it has running, and nothing else runs for the document. */
const updateWaiting = (write: Write, { key, team }: Turn) =>
  write
    .updateTable('solve')
    .where('id', '=', key)
    .where('state', '=', QUEUED)
    .where(({ not, ref }) => not(isRunning(ref('solve.document_id'))))
    .where(
      ({ selectFrom }) => selectFrom('team').select('credits').where('id', '=', team),
      '>',
      ({ val }) => reservedBy(val(team)),
    )

async function failIfHopeless(write: Write, turn: Turn, { now }: ClaimNow): Promise<boolean> {
  const failed = await updateLeft(write, turn, now)
    .where('attempts', '>=', MAX_ATTEMPTS)
    .set({
      state: 'failed',
      ended_at: now,
      credits: 0,
      claimed_by: null,
      lease_until: null,
      reason: `The solver stopped ${MAX_ATTEMPTS} times while it solved this document.`,
    })
    .executeTakeFirst()
  return failed.numUpdatedRows > 0n
}

/** Decision 32: without credits there is no solve, and the documents stand as they did before. */
async function giveUpWithoutCredits(write: Write, { team }: Turn): Promise<boolean> {
  const givenUp = await write
    .deleteFrom('solve')
    .where('team_id', '=', team)
    .where('state', '=', QUEUED)
    .where(({ selectFrom }) => selectFrom('team').select('credits').where('id', '=', team), '<=', 0)
    .executeTakeFirst()
  return givenUp.numDeletedRows > 0n
}
