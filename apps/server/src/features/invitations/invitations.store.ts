import type { MemberRole, TeamId, UserId } from '@meadow/contract'
import type { Invitation } from '@meadow/contract/web'
import { findMembership, setMember } from '../../access/members.ts'
import { createAccount, type NewAccount } from '../../access/passwords.ts'
import { hashToken } from '../../access/tokens.ts'
import { confirmAddressOf } from '../../access/users.store.ts'
import { recordEvent } from '../../audit/record-event.ts'
import { currentContext, runIn } from '../../audit/request-context.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { askForConfirmation } from '../../platform/mail/outbox.ts'
import { raiseVersion } from '../../team/raise-version.ts'

/** The team and role that an invitation offers. */
export interface Offer {
  team: TeamKey
  teamId: TeamId
  teamName: string
  role: MemberRole
  /** The address that it was mailed to. */
  email: string | null
  /** Milliseconds since 1970. */
  expiresAt: number
}

export type Accepted =
  | { teamId: TeamId; user: { userId: UserId; name: string; email: string } }
  | { error: 'invitation_not_valid' | 'already_a_member' }

/** The queries about invitations. `access/members.ts` creates and withdraws them. */
export interface InvitationStore {
  /** Lists the invitations that can still be accepted, newest first. */
  list(team: TeamKey): Promise<Invitation[]>
  /** The offer of the invitation with this secret; undefined when it can no longer be accepted. */
  find(secret: string): Promise<Offer | undefined>
  /**
   * Makes a new account or the signed-in person a member, in one transaction and once per invitation. Throws an
   * `EmailTakenError` when there is an account with that address. An address that the invitation was mailed to is
   * confirmed by that; to another address of a new account a mail is sent that asks for it, where mails are sent.
   */
  accept(
    secret: string,
    by: NewAccount | { userId: UserId; name: string; email: string },
    options?: { sendsMail?: boolean },
  ): Promise<Accepted>
}

export function createInvitationStore(
  database: Database,
  now: () => number = () => timeOf(database.read),
): InvitationStore {
  const { read } = database
  return {
    async list(team) {
      const rows = await read
        .selectFrom('invitation')
        .innerJoin('user', 'user.id', 'invitation.created_by')
        .where('team_id', '=', team)
        .where('expires_at', '>', now())
        .orderBy('invitation.id', 'desc')
        .select([
          'invitation.public_id as id',
          'invitation.role',
          'note',
          'invitation.email',
          'created_at',
          'expires_at',
          'user.id as userId',
          'user.name as userName',
        ])
        .execute()
      return rows.map(({ id, role, note, email, ...row }) => ({
        id,
        role,
        note,
        email,
        createdAt: toTimestamp(row.created_at),
        createdBy: { id: row.userId, name: row.userName },
        expiresAt: toTimestamp(row.expires_at),
      }))
    },
    find: (secret) =>
      read
        .selectFrom('invitation')
        .innerJoin('team', 'team.id', 'invitation.team_id')
        .where('invitation.hash', '=', hashToken(secret))
        .where('team.deleted_at', 'is', null)
        .where('invitation.expires_at', '>', now())
        .select([
          'team.id as team',
          'team.public_id as teamId',
          'team.name as teamName',
          'invitation.role',
          'invitation.email',
          'invitation.expires_at as expiresAt',
        ])
        .executeTakeFirst(),
    async accept(secret, by, { sendsMail = false } = {}) {
      const offer = await this.find(secret)
      if (!offer) return { error: 'invitation_not_valid' }
      return database.transaction(async (write): Promise<Accepted> => {
        await raiseVersion(write, offer.team)
        if ('userId' in by && (await findMembership(write, offer.team, by.userId)) !== undefined)
          return { error: 'already_a_member' }
        if (!(await useUp(write, secret, now()))) return { error: 'invitation_not_valid' }
        const user = 'userId' in by ? by : await createPerson(write, by)
        const actor = { kind: 'user', id: user.userId, name: user.email } as const
        await runIn({ ...currentContext(), actor }, async () => {
          const target = { kind: 'invitation', name: user.email }
          const details = { role: offer.role, isNewAccount: !('userId' in by) }
          recordEvent(write, { action: 'invitation.accepted', team: offer.team, target, details })
          if (user.email === offer.email) await confirmAddressOf(write, user.userId)
          else if (sendsMail && !('userId' in by)) await askForConfirmation(write, user.userId, user.email)
          await setMember({ write, team: offer.team }, user.userId, offer.role)
        })
        return { teamId: offer.teamId, user }
      })
    },
  }
}

/** Deletes the invitation. Of concurrent calls only one returns true. */
async function useUp(write: Write, secret: string, now: number): Promise<boolean> {
  const { numDeletedRows } = await write
    .deleteFrom('invitation')
    .where('hash', '=', hashToken(secret))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

async function createPerson(write: Write, account: NewAccount) {
  const { id, name, email } = await createAccount(write, account)
  return { userId: id, name, email }
}
