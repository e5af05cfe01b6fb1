import { type Actor, checkActor } from '../../access/current-roles.ts'
import type { Dialect, Write } from '../../platform/database/database.ts'
import type { DocumentKey, TeamKey } from '../../platform/database/tables.ts'
import { createPublicId } from '../../platform/public-ids.ts'
import { raiseVersion } from '../../team-writes/raise-version.ts'
import type { Asked } from './solve-record.ts'
import { QUEUED } from './solve-states.ts'

/** `SolveStore.ask`. */
export async function askForSolves(
  dialect: Dialect,
  write: Write,
  team: TeamKey,
  documents: readonly DocumentKey[],
  now: number,
  actor: Actor | undefined,
): Promise<Asked> {
  const { credits } = await write
    .selectFrom('team')
    .where('id', '=', team)
    .select('credits')
    .executeTakeFirstOrThrow()
  if (credits <= 0) return { refusal: 'no_credits' }
  if (documents.length === 0) return { solves: [] }
  await raiseVersion(write, team)
  if (actor) await checkActor({ dialect }, write, actor)
  const current = await write
    .selectFrom('document')
    .where('team_id', '=', team)
    .where('id', 'in', documents)
    .where('bin_id', 'is', null)
    .select(['id as document_id', 'team_id', 'seq'])
    .execute()
  if (current.length === 0) return { solves: [] }
  const wanted = new Map(documents.map((document, at) => [document, at]))
  current.sort((a, b) => wanted.get(a.document_id)! - wanted.get(b.document_id)!)
  const solves = await write
    .insertInto('solve')
    .values(
      current.map((document) => ({
        ...document,
        public_id: createPublicId('sol'),
        state: 'queued' as const,
        asked_at: now,
      })),
    )
    // One that waits already keeps its place: it will solve the document as it is then.
    .onConflict((conflict) =>
      conflict
        .column('document_id')
        .where('state', '=', QUEUED)
        .doUpdateSet(({ ref }) => ({ seq: ref('excluded.seq') })),
    )
    .returning(['public_id as id', 'document_id as document'])
    .execute()
  return { solves }
}
