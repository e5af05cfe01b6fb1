import type { UserId } from '@meadow/contract'
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  lookAtInvitation,
  type Me,
  withdrawInvitation,
} from '@meadow/contract/web'
import { hashPassword, isAcceptablePassword, type NewAccount } from '../../access/passwords.ts'
import { EmailTakenError, readEmailAddress } from '../../access/users.store.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { publicAddress } from '../../http/connection/public-address.ts'
import { HttpError } from '../../http/http-error.ts'
import { randomBase32 } from '../../platform/base32.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import type { InvitationStore } from './invitations.store.ts'

export interface InvitationParts {
  store: InvitationStore
  catalogue: Pick<Catalogue, 'changeTeamFor'>
  baseUrl: string | undefined
  /** Runs `work`, or throws a 429 after too many failed attempts. */
  limitTries<T>(ip: string, work: () => Promise<T>): Promise<T>
  /** Starts a session for the user. Resolves to the value of a `Set-Cookie` header. */
  startSession(user: UserId, userAgent: string): Promise<string>
  readMe(person: { userId: UserId; name: string; email: string }, host: string): Promise<Me>
}

const DAY_MS = 24 * 3600 * 1000
const DEFAULT_DAYS = 7

export const invitationRoutes = (parts: InvitationParts) => {
  const { store, catalogue } = parts
  return [
    serveApp(listInvitations, async ({ access }) => ({ invitations: await store.list(access.team) })),

    serveApp(createInvitation, async ({ body, person, raw, actor }) => {
      const { role, note = '', expiresInDays = DEFAULT_DAYS } = body
      const secret = createInvitationSecret()
      const createdAt = Date.now()
      const expiresAt = createdAt + expiresInDays * DAY_MS
      const id = await catalogue.changeTeamFor(actor, (change) =>
        change.createInvitation({ role, note, secret, createdBy: person.userId, createdAt, expiresAt }),
      )
      return {
        invitation: {
          id,
          role,
          note,
          createdAt: toTimestamp(createdAt),
          createdBy: { id: person.userId, name: person.name },
          expiresAt: toTimestamp(expiresAt),
        },
        url: `${publicAddress(parts.baseUrl, raw)}/invitation#${secret}`,
      }
    }),

    serveApp(withdrawInvitation, async ({ params, actor }) => {
      const isWithdrawn = await catalogue.changeTeamFor(actor, (change) =>
        change.withdrawInvitation(params.invitationId),
      )
      if (!isWithdrawn) throw new HttpError('invitation_not_found')
    }),

    serveApp(lookAtInvitation, ({ body, ip }) =>
      parts.limitTries(ip, async () => {
        const offer = await store.find(body.secret)
        if (!offer) throw new HttpError('invitation_not_valid')
        const { teamName, role, expiresAt } = offer
        return { teamName, role, expiresAt: toTimestamp(expiresAt) }
      }),
    ),

    serveApp(acceptInvitation, ({ body, person, headers, host, ip, setCookies }) =>
      parts.limitTries(ip, async () => {
        if (!person && !body.account) throw new HttpError('not_signed_in')
        const by = person ?? (await readAccount(body.account!))
        const accepted = await store.accept(body.secret, by).catch((error) => {
          throw error instanceof EmailTakenError ? new HttpError('email_taken') : error
        })
        if ('error' in accepted) throw new HttpError(accepted.error)
        const { teamId, user } = accepted
        if (!person) setCookies([await parts.startSession(user.userId, headers['user-agent'] ?? '')])
        return { teamId, me: await parts.readMe(user, host) }
      }),
    ),
  ]
}

async function readAccount({
  name,
  email,
  password,
}: {
  name: string
  email: string
  password: string
}): Promise<NewAccount> {
  const address = readEmailAddress(email)
  if (address === undefined) throw new HttpError('email_not_acceptable')
  if (!isAcceptablePassword(password)) throw new HttpError('password_not_acceptable')
  return {
    name: readNameInput(name),
    email: address,
    // The link does not prove that the address belongs to the person.
    isEmailVerified: false,
    passwordHash: await hashPassword(password),
  }
}

/** Identifies the kind of the secret. */
const PREFIX = 'mdi_'
/** 160 random bits, so that a fast hash is sufficient. */
const RANDOM_LENGTH = 32

export const createInvitationSecret = (): string => `${PREFIX}${randomBase32(RANDOM_LENGTH)}`
