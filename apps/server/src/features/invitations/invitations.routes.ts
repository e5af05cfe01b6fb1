import type { UserId } from '@meadow/contract'
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  lookAtInvitation,
  type Me,
  withdrawInvitation,
} from '@meadow/contract/web'
import { findPasswordFault, PASSWORD_FAULTS } from '@meadow/passwords'
import { changeTeamFor } from '../../access/current-roles.ts'
import { addInvitation, removeInvitation } from '../../access/members.ts'
import { createInvitationSecret } from '../../access/one-time-links.ts'
import { hashPassword } from '../../access/password-hashes.ts'
import type { NewAccount } from '../../access/passwords.ts'
import { EmailTakenError, readEmailAddress } from '../../access/users.store.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { publicAddress } from '../../http/connection/public-address.ts'
import { HttpError } from '../../http/http-error.ts'
import type { Database } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import { cleanName } from '../../platform/database/names.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import type { InvitationStore } from './invitations.store.ts'

export interface InvitationParts {
  store: InvitationStore
  database: Database
  baseUrl: string | undefined
  /** Whether mails are sent. */
  sendsMail: boolean
  /** Counts an invitation that is mailed, or throws a 429 after too many. */
  countMail(team: TeamKey): Promise<void>
  /** Runs `work`, or throws a 429 after too many failed attempts. */
  limitTries<T>(ip: string, work: () => Promise<T>): Promise<T>
  /** Starts a session for the user. Resolves to the value of a `Set-Cookie` header. */
  startSession(user: UserId, userAgent: string, address: string): Promise<string>
  readMe(person: { userId: UserId; name: string; email: string }, host: string): Promise<Me>
}

const DAY_MS = 24 * 3600 * 1000
const DEFAULT_DAYS = 7

export const invitationRoutes = (parts: InvitationParts) => {
  const { store, database } = parts

  /** The address that an invitation is mailed to, if it is. */
  async function readRecipient(email: string | undefined, team: TeamKey): Promise<string | undefined> {
    if (email === undefined) return undefined
    if (!parts.sendsMail) throw new HttpError('mail_not_set_up')
    const address = readEmailAddress(email)
    if (address === undefined) throw new HttpError('email_not_acceptable')
    await parts.countMail(team)
    return address
  }

  return [
    serveApp(listInvitations, async ({ access }) => ({ invitations: await store.list(access.team) })),

    serveApp(createInvitation, async ({ access, body, person, raw, actor }) => {
      const email = await readRecipient(body.email ?? undefined, access.team)
      const { role, expiresInDays = DEFAULT_DAYS } = body
      const note = cleanName(body.note?.trim() ?? '')
      const secret = createInvitationSecret()
      const here = publicAddress(parts.baseUrl, raw, access.teamOfHost !== null)
      const createdAt = timeOf(database.read)
      const expiresAt = createdAt + expiresInDays * DAY_MS
      const id = await changeTeamFor(database, actor, (change) =>
        addInvitation(change, {
          role,
          note,
          secret,
          email,
          createdBy: person.userId,
          createdAt,
          expiresAt,
        }),
      )
      return {
        invitation: {
          id,
          role,
          note,
          email: email ?? null,
          createdAt: toTimestamp(createdAt),
          createdBy: { id: person.userId, name: person.name },
          expiresAt: toTimestamp(expiresAt),
        },
        // Whoever invites does not see a link that is mailed: following it proves who reads the address.
        url: email === undefined ? `${here}/invitation#${secret}` : null,
      }
    }),

    serveApp(withdrawInvitation, async ({ params, actor }) => {
      const isWithdrawn = await changeTeamFor(database, actor, (change) =>
        removeInvitation(change, params.invitationId),
      )
      if (!isWithdrawn) throw new HttpError('invitation_not_found')
    }),

    serveApp(lookAtInvitation, ({ body, ip }) =>
      parts.limitTries(ip, async () => {
        const offer = await store.find(body.secret)
        if (!offer) throw new HttpError('invitation_not_valid')
        const { teamName, role, email, expiresAt } = offer
        return { teamName, role, email, expiresAt: toTimestamp(expiresAt) }
      }),
    ),

    serveApp(acceptInvitation, ({ body, person, headers, host, ip, setCookies }) =>
      parts.limitTries(ip, async () => {
        if (!person && !body.account) throw new HttpError('not_signed_in')
        // The invitation comes first, because only people who have one may make the server check and hash a password.
        const offer = await store.find(body.secret)
        if (!offer) throw new HttpError('invitation_not_valid')
        const by = person ?? (await readAccount(body.account!, offer.teamName))
        const accepted = await store
          .accept(body.secret, by, { sendsMail: parts.sendsMail })
          .catch((error) => {
            throw error instanceof EmailTakenError ? new HttpError('email_taken') : error
          })
        if ('error' in accepted) throw new HttpError(accepted.error)
        const { teamId, user } = accepted
        if (!person) setCookies([await parts.startSession(user.userId, headers['user-agent'] ?? '', ip)])
        return { teamId, me: await parts.readMe(user, host) }
      }),
    ),
  ]
}

async function readAccount(
  { name, email, password }: { name: string; email: string; password: string },
  team: string,
): Promise<NewAccount> {
  const address = readEmailAddress(email)
  if (address === undefined) throw new HttpError('email_not_acceptable')
  const fault = await findPasswordFault(password, { name, email, teams: [team] })
  if (fault) throw new HttpError('password_not_acceptable', { sentence: PASSWORD_FAULTS[fault] })
  return {
    name: readNameInput(name),
    email: address,
    // Unless the link was mailed to it, it does not prove that the address belongs to the person.
    isEmailVerified: false,
    passwordHash: await hashPassword(password),
  }
}
