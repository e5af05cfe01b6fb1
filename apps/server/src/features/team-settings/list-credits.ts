import type { CreditEntry } from '@meadow/contract/web'
import { sql } from 'kysely'
import { readAfter, writeAfter } from '../../http/app-api/read-input.ts'
import type { Database } from '../../platform/database/database.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import type { CreditPage } from './team-settings.store.ts'

const PAGE = 50

/** `TeamSettingsStore.listCredits`. */
export async function listCredits(
  read: Database['read'],
  team: TeamKey,
  after: string | undefined,
): Promise<CreditPage> {
  const [rows, { credits, spent }] = await Promise.all([
    read
      .selectFrom('credit_entry as entry')
      .leftJoin('document', (join) =>
        join.onRef('document.public_id', '=', 'entry.document_id').on('document.bin_id', 'is', null),
      )
      .where('entry.team_id', '=', team)
      .where('entry.id', '<', readAfter(after))
      .orderBy('entry.id', 'desc')
      .limit(PAGE + 1)
      .select([
        'entry.id as key',
        'entry.at',
        'entry.credits',
        'solution_id',
        'state',
        'duration_ms',
        'document_id',
        'document_name',
        'document.id as there',
      ])
      .execute(),
    read
      .selectFrom('team')
      .where('id', '=', team)
      .select(['credits', sumSpent(team, startOfMonth(new Date())).as('spent')])
      .executeTakeFirstOrThrow(),
  ])
  return {
    credits,
    spentThisMonth: spent,
    entries: rows.slice(0, PAGE).map(toEntry),
    next: rows.length > PAGE ? writeAfter(rows[PAGE - 1]!.key) : null,
  }
}

const sumSpent = (team: TeamKey, since: number) => sql<number>`(
  select cast(coalesce(-sum(credits), 0) as integer) from credit_entry
  where team_id = ${team} and at >= ${since} and credits < 0)`

const startOfMonth = (now: Date): number => Date.UTC(now.getUTCFullYear(), now.getUTCMonth())

interface Row {
  at: number
  credits: number
  solution_id: SolveOf['solutionId'] | null
  state: SolveOf['state'] | null
  duration_ms: number | null
  document_id: SolveOf['documentId'] | null
  document_name: string | null
  there: number | null
}

type SolveOf = NonNullable<CreditEntry['solve']>

/** With a solution, all about the solve is there: a check of the table. */
const toEntry = ({ at, credits, solution_id, ...row }: Row): CreditEntry => ({
  at: toTimestamp(at),
  credits,
  solve: solution_id && {
    solutionId: solution_id,
    state: row.state!,
    durationMs: row.duration_ms!,
    documentId: row.document_id!,
    documentName: row.document_name!,
    isThere: row.there !== null,
  },
})
