import type { UserId } from '@meadow/contract'
import type { CreditEntry, Member, TeamSettings } from '@meadow/contract/web'
import { sql } from 'kysely'
import { hasSecondFactor } from '../../access/required-factors.ts'
import type { TeamAccess } from '../../access/resource-access.store.ts'
import { readAfter, writeAfter } from '../../http/app-api/read-input.ts'
import type { Database } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { sortByName } from '../../platform/sort-by-name.ts'

/** The queries of the web app about a team and its members. */
export interface TeamSettingsStore {
  /** Resolves with undefined when the team is not set up correctly. */
  read(team: TeamAccess): Promise<TeamSettings | undefined>
  /** Lists the members of a team by name. */
  listMembers(team: TeamKey): Promise<Member[]>
  findMember(team: TeamKey, user: UserId): Promise<Member | undefined>
  /** Lists the entries of the credit list, newest first; `after` is what the caller sent. */
  listCredits(team: TeamKey, after: string | undefined): Promise<CreditPage>
}

export interface CreditPage {
  left: number
  spentThisMonth: number
  entries: CreditEntry[]
  next: string | null
}

const CREDIT_PAGE = 50

export function createTeamSettingsStore({ read }: Pick<Database, 'read'>): TeamSettingsStore {
  const selectMembers = (team: TeamKey) =>
    read
      .selectFrom('membership')
      .innerJoin('user', 'user.id', 'membership.user_id')
      .where('membership.team_id', '=', team)
      .select([
        'user.id',
        'user.name',
        'user.email',
        'user.emailVerified',
        'membership.role',
        'membership.by_provider as byProvider',
        'membership.created_at as since',
      ])
      .select(hasSecondFactor('user.id').as('hasSecondFactor'))
  const selectCreditEntries = (team: TeamKey, after: string | undefined) =>
    read
      .selectFrom('credit_entry as entry')
      .leftJoin('document', (join) =>
        join.onRef('document.public_id', '=', 'entry.document_id').on('document.bin_id', 'is', null),
      )
      .where('entry.team_id', '=', team)
      .where('entry.id', '<', readAfter(after))
      .orderBy('entry.id', 'desc')
      .limit(CREDIT_PAGE + 1)
      .select([
        'entry.id as key',
        'entry.at',
        'entry.credit_tenths as change',
        'solution_id',
        'state',
        'cause',
        'duration_ms',
        'document_id',
        'document_name',
        'document.id as there',
      ])
  return {
    async read({ team, teamId, role }) {
      const row = await read
        .selectFrom('team')
        .innerJoin('folder as root', (join) =>
          join.onRef('root.team_id', '=', 'team.id').on('root.parent_id', 'is', null),
        )
        .where('team.id', '=', team)
        .select([
          'team.name',
          'team.host',
          'team.credit_tenths',
          'team.stored_bytes',
          'team.document_count',
          'team.max_bytes',
          'team.max_documents',
          'team.units',
          'team.requires_second_factor',
          'team.public_documents',
          'team.public_days',
          'team.versions_all_days',
          'team.versions_daily_days',
          'team.versions_weekly_days',
          'team.created_at',
          'root.public_id as rootFolderId',
        ])
        .executeTakeFirst()
      return (
        row && {
          id: teamId,
          name: row.name,
          role: role!,
          rootFolderId: row.rootFolderId,
          hostName: row.host,
          // People who need a second factor do not see the settings.
          needsSecondFactor: false,
          creditTenths: row.credit_tenths,
          stored: { bytes: row.stored_bytes, documents: row.document_count },
          limits: { bytes: row.max_bytes, documents: row.max_documents },
          units: row.units,
          requiresSecondFactor: row.requires_second_factor === 1,
          publicDocuments: { allowed: row.public_documents === 1, days: row.public_days },
          versionPolicy: {
            allDays: row.versions_all_days,
            dailyDays: row.versions_daily_days,
            weeklyDays: row.versions_weekly_days,
          },
          history: await readHistoryUse(read, team),
          createdAt: toTimestamp(row.created_at),
        }
      )
    },
    async listMembers(team) {
      return sortByName((await selectMembers(team).execute()).map(toMember))
    },
    async findMember(team, user) {
      const row = await selectMembers(team).where('user.id', '=', user).executeTakeFirst()
      return row && toMember(row)
    },
    async listCredits(team, after) {
      const now = timeOf(read)
      // One statement, so that the sums are those of the entries.
      const rows = await read
        .selectFrom('team')
        .leftJoin(selectCreditEntries(team, after).as('entry'), (join) => join.onTrue())
        .where('team.id', '=', team)
        .orderBy('entry.key', 'desc')
        .selectAll('entry')
        .select(['team.credit_tenths as left', sumSpent(team, startOfMonth(new Date(now)), now).as('spent')])
        .execute()
      const [{ left, spent } = { left: 0, spent: 0 }] = rows
      const entries = rows.filter(isCreditRow)
      return {
        left,
        spentThisMonth: spent,
        entries: entries.slice(0, CREDIT_PAGE).map(toCreditEntry),
        next: entries.length > CREDIT_PAGE ? writeAfter(entries[CREDIT_PAGE - 1]!.key) : null,
      }
    },
  }
}

/** Counts the versions of a team, and the bytes of them and of their bases. */
async function readHistoryUse(read: Database['read'], team: TeamKey): Promise<TeamSettings['history']> {
  const versions = await read
    .selectFrom('document_version')
    .where('team_id', '=', team)
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      fn.sum<number | string | null>('bytes').as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  const bases = await read
    .selectFrom('version_base')
    .innerJoin('document', 'document.id', 'version_base.document_id')
    .where('document.team_id', '=', team)
    .select(({ fn }) => fn.sum<number | string | null>('version_base.bytes').as('bytes'))
    .executeTakeFirstOrThrow()
  return {
    versions: Number(versions.count),
    bytes: Number(versions.bytes ?? 0) + Number(bases.bytes ?? 0),
  }
}

type MemberRow = Omit<Member, 'since' | 'isRoleFromProvider' | 'isEmailConfirmed' | 'hasSecondFactor'> & {
  since: number
  byProvider: 0 | 1
  emailVerified: unknown
  hasSecondFactor: unknown
}

const toMember = ({ since, byProvider, emailVerified, hasSecondFactor, ...member }: MemberRow): Member => ({
  ...member,
  isRoleFromProvider: byProvider === 1,
  hasSecondFactor: Boolean(hasSecondFactor),
  isEmailConfirmed: Boolean(emailVerified),
  since: toTimestamp(since),
})

const sumSpent = (team: TeamKey, since: number, now: number) => sql<number>`(
  select cast(coalesce(-sum(credit_tenths), 0) as bigint) from credit_entry
  where team_id = ${team} and at >= ${since} and at <= ${now} and credit_tenths < 0)`

const startOfMonth = (now: Date): number => Date.UTC(now.getUTCFullYear(), now.getUTCMonth())

type EntrySolve = NonNullable<CreditEntry['solve']>

interface CreditRow {
  key: number
  at: number
  change: number
  solution_id: EntrySolve['solutionId'] | null
  state: EntrySolve['state'] | null
  cause: EntrySolve['cause']
  duration_ms: number | null
  document_id: EntrySolve['documentId'] | null
  document_name: string | null
  there: number | null
}

/** Whether a row has an entry: without entries there is one row, of the team alone. */
const isCreditRow = <T extends { key: number | null }>(row: T): row is T & CreditRow => row.key !== null

/** A check of the table guarantees that all columns about the solve are set together. */
const toCreditEntry = ({ at, change, solution_id, ...row }: CreditRow): CreditEntry => ({
  at: toTimestamp(at),
  tenths: change,
  solve: solution_id && {
    solutionId: solution_id,
    state: row.state!,
    cause: row.cause,
    durationMs: row.duration_ms!,
    documentId: row.document_id!,
    documentName: row.document_name!,
    isThere: row.there !== null,
  },
})
