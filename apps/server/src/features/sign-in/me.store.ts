import type { UserId } from '@meadow/contract'
import type { Me, Membership } from '@meadow/contract/web'
import { hasPassword } from '../../access/passwords.ts'
import { isMembershipOpen } from '../../access/required-factors.ts'
import type { Person } from '../../access/sessions.store.ts'
import { recordEvent } from '../../audit/record-event.ts'
import type { Database } from '../../platform/database/database.ts'
import { sortByName } from '../../platform/sort-by-name.ts'
import type { SecondFactorStore } from './second-factors.store.ts'

/** The queries of the web app about the signed-in person. */
export interface MeStore {
  /** Lists the teams of a person by name; under the host name of a team, only that team (decision 3). */
  listTeams(user: UserId, host: string): Promise<Membership[]>
  hasPassword(user: UserId): Promise<boolean>
  readAccount(user: UserId): Promise<Pick<Me, 'isEmailConfirmed' | 'mentionMails'>>
  rename(user: UserId, name: string): Promise<void>
  setMentionMails(user: UserId, areSent: boolean): Promise<void>
}

export function createMeStore(database: Database): MeStore {
  const { read } = database
  return {
    async listTeams(user, host) {
      const teams = await read
        .selectFrom('membership')
        .innerJoin('team', 'team.id', 'membership.team_id')
        .innerJoin('folder as root', (join) =>
          join.onRef('root.team_id', '=', 'team.id').on('root.parent_id', 'is', null),
        )
        .leftJoin('team as team_of_host', (join) => join.on('team_of_host.host', '=', host))
        .where('membership.user_id', '=', user)
        .where('team.deleted_at', 'is', null)
        .where(({ or, eb }) =>
          or([eb('team_of_host.id', 'is', null), eb('team_of_host.id', '=', eb.ref('team.id'))]),
        )
        .select([
          'team.public_id as id',
          'team.name',
          'membership.role',
          'root.public_id as rootFolderId',
          'team.host as hostName',
        ])
        .select(isMembershipOpen().as('isOpen'))
        .execute()
      // A flag is a number on SQLite and a boolean on PostgreSQL.
      return sortByName(teams.map(({ isOpen, ...team }) => ({ ...team, needsSecondFactor: !isOpen })))
    },
    hasPassword: (user) => hasPassword(read, user),
    async readAccount(user) {
      const row = await read
        .selectFrom('user')
        .where('id', '=', user)
        .select(['emailVerified', 'mention_mails as mentionMails'])
        .executeTakeFirst()
      return { isEmailConfirmed: Boolean(row?.emailVerified), mentionMails: row?.mentionMails === 1 }
    },
    rename: (user, name) =>
      database.transaction(async (write) => {
        const updatedAt = new Date().toISOString()
        await write.updateTable('user').set({ name, updatedAt }).where('id', '=', user).execute()
        recordEvent(write, { action: 'user.renamed', details: { to: name } })
      }),
    async setMentionMails(user, areSent) {
      await database.transaction((write) =>
        write
          .updateTable('user')
          .set({ mention_mails: areSent ? 1 : 0 })
          .where('id', '=', user)
          .execute(),
      )
    },
  }
}

/** The signed-in person with their teams: the first request of the web app. */
export type ReadMe = (person: Pick<Person, 'userId' | 'name' | 'email'>, host: string) => Promise<Me>

export const createReadMe =
  (store: MeStore, factors: Pick<SecondFactorStore, 'listKinds'>): ReadMe =>
  async ({ userId, name, email }, host) => {
    const [teams, hasPassword, account, secondFactors] = await Promise.all([
      store.listTeams(userId, host),
      store.hasPassword(userId),
      store.readAccount(userId),
      factors.listKinds(userId),
    ])
    return { person: { id: userId, name, email }, teams, hasPassword, ...account, secondFactors }
  }
