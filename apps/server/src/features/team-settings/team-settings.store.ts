import type { UserId } from '@meadow/contract'
import type { CreditEntry, Member, TeamSettings } from '@meadow/contract/web'
import type { TeamAccess } from '../../access/resource-access.store.ts'
import type { Database } from '../../platform/database/database.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { sortByName } from '../../platform/sort-by-name.ts'
import { listCredits } from './list-credits.ts'

/** What the web app shows of a team and its people. */
export interface TeamSettingsStore {
  /** Undefined when the team is not set up correctly. */
  read(place: TeamAccess): Promise<TeamSettings | undefined>
  /** By name. */
  listMembers(team: TeamKey): Promise<Member[]>
  findMember(team: TeamKey, user: UserId): Promise<Member | undefined>
  /** The newest first; `after` is what the caller sent. */
  listCredits(team: TeamKey, after: string | undefined): Promise<CreditPage>
}

export interface CreditPage {
  credits: number
  spentThisMonth: number
  entries: CreditEntry[]
  next: string | null
}

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
        'membership.created_at as since',
      ])
  type Row = Omit<Member, 'since' | 'isEmailConfirmed'> & { since: number; emailVerified: unknown }
  const toMember = ({ since, emailVerified, ...facts }: Row): Member => ({
    ...facts,
    isEmailConfirmed: Boolean(emailVerified),
    since: toTimestamp(since),
  })
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
          'team.credits',
          'team.stored_bytes',
          'team.document_count',
          'team.max_bytes',
          'team.max_documents',
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
          credits: row.credits,
          stored: { bytes: row.stored_bytes, documents: row.document_count },
          limits: { bytes: row.max_bytes, documents: row.max_documents },
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
    listCredits: (team, after) => listCredits(read, team, after),
  }
}
