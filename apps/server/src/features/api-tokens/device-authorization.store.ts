import { createHmac, randomInt } from 'node:crypto'
import type { Updateable } from 'kysely'
import { AccessEndedError, type Actor, changeTeamFor } from '../../access/current-roles.ts'
import { deriveKey } from '../../access/seal.ts'
import {
  checkToken,
  createToken,
  type NewToken,
  revokeToken,
  type TokenRecord,
} from '../../access/team-tokens.ts'
import { TokenPolicyError } from '../../access/token-policy.ts'
import { createTokenSecret, hashToken } from '../../access/tokens.ts'
import { runIn } from '../../audit/request-context.ts'
import { randomBase32 } from '../../platform/base32.ts'
import type { Database, Write } from '../../platform/database/database.ts'
import { endedAt, hasEnded, lastsAt, timeOf } from '../../platform/database/database-clock.ts'
import type { DeviceAuthorizationTable } from '../../platform/database/tables.ts'
import { lengthOf } from '../../platform/database/time-columns.ts'
import { FilingError } from '../../team/folders.ts'
import { changeTeam } from '../../team/team-transaction.ts'
import { type AuthorizationRequest, type CodeProof, isProofOf, redirectOf } from './authorization-request.ts'

/** How long the codes of a program work, in milliseconds. */
export const DEVICE_MS = lengthOf('device_authorization.expires_at')

/** How many seconds a program waits between two questions. It is a second less in effect, since clocks differ. */
export const POLL_SECONDS = 5
const POLL_MS = (POLL_SECONDS - 1) * 1000

/** How long an authorization code works, in milliseconds: a browser takes it to the program at once. */
const CODE_MS = 60_000

/** What a person chose for the token that a program is going to fetch. */
export type ChosenToken = Omit<NewToken, 'secret' | 'createdBy' | 'program'>

/** Why a program gets no token, or not yet: the errors of RFC 8628, 3.5. `invalid_grant`: the code is unknown or used. */
export type DeviceError =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_grant'

/** A token that a program fetched, with its secret, which nobody else gets. */
export interface FetchedToken {
  token: TokenRecord
  secret: string
}

/** A program that waits for a decision. */
export interface WaitingProgram
  extends Pick<DeviceAuthorizationTable, 'program' | 'address' | 'asked_at' | 'expires_at'> {
  /** What it asked for in a browser; undefined for a program that shows its code. */
  asked: AuthorizationRequest | undefined
}

/** What was decided. `redirect`: where the browser takes the answer; null when the program fetches it by itself. */
export interface Decided {
  redirect: string | null
}

/**
 * Programs that ask for an API token, which a person lets them fetch: with the code that they show (RFC 8628), or with
 * one that the browser of the person brings them (OAuth 2.1). Times are in milliseconds since 1970.
 */
export interface DeviceAuthorizations {
  /**
   * Creates the codes of a program that asks from a network address. Only hashes of them are stored. With `asked` the
   * device code is nobody's: the program gets a code when a person has confirmed.
   */
  begin(
    program: string,
    address: string,
    asked?: AuthorizationRequest,
  ): Promise<{ deviceCode: string; userCode: string }>
  /** Finds the program that waits with a code, as a person typed it. Undefined when that was decided, or has expired. */
  find(userCode: string): Promise<WaitingProgram | undefined>
  /**
   * Lets the program with a code fetch the token; undefined when none waits with it. Throws what `createToken` throws,
   * and an {@link AccessEndedError}.
   */
  confirm(actor: Actor, userCode: string, token: ChosenToken): Promise<Decided | undefined>
  /** Refuses the program with a code; undefined when none waits with it. */
  refuse(userCode: string): Promise<Decided | undefined>
  /**
   * Creates the token of a program that was confirmed, once, as the person who confirmed it. An authorization code
   * needs its proof; when it comes again, somebody has copied it, and the token that was made with it ends.
   */
  redeem(
    code: string,
    from: { address: string; request: string },
    proof?: CodeProof,
  ): Promise<FetchedToken | DeviceError>
  /** Deletes what nobody can use any more. */
  deleteExpired(): Promise<void>
}

export function createDeviceAuthorizations(
  database: Database,
  secret: string,
  now: () => number = () => timeOf(database.read),
): DeviceAuthorizations {
  const { read } = database
  const key = deriveKey(secret, 'user codes')
  const hashUserCode = (code: string): Uint8Array =>
    createHmac('sha256', key)
      .update(code.toUpperCase().replaceAll(/[^A-Z]/g, ''))
      .digest()

  /** Decides about the program that waits with a code; undefined when none does. */
  async function decide(
    write: Write,
    userCode: string,
    decision: Updateable<DeviceAuthorizationTable>,
  ): Promise<Decided | undefined> {
    const row = await write
      .updateTable('device_authorization')
      .set(decision)
      .where('user_hash', '=', hashUserCode(userCode))
      .where('state', '=', 'pending')
      .where(lastsAt('expires_at', DEVICE_MS, now()))
      .returning(['device_hash', 'request'])
      .executeTakeFirst()
    const asked = row && readAsked(row)
    if (!asked) return row && { redirect: null }
    if (decision.state === 'refused') return { redirect: redirectOf(asked, { error: 'access_denied' }) }
    const code = `mdc_${randomBase32(32)}`
    await write
      .updateTable('device_authorization')
      .set({ device_hash: hashToken(code), expires_at: now() + CODE_MS })
      .where('device_hash', '=', row.device_hash)
      .execute()
    return { redirect: redirectOf(asked, { code }) }
  }

  /** Refuses what was confirmed by someone who may not create the token any more. */
  const withdraw = (hash: Uint8Array) =>
    database.transaction((write) =>
      write
        .updateTable('device_authorization')
        .set({ state: 'refused' })
        .where('device_hash', '=', hash)
        .execute(),
    )

  /** Whether the program has waited since it asked before. */
  async function recordPoll(hash: Uint8Array): Promise<boolean> {
    const { numUpdatedRows } = await database.transaction((write) =>
      write
        .updateTable('device_authorization')
        .set({ polled_at: now() })
        .where('device_hash', '=', hash)
        .where(({ or, eb }) => or([eb('polled_at', 'is', null), eb('polled_at', '<=', now() - POLL_MS)]))
        .executeTakeFirst(),
    )
    return numUpdatedRows === 1n
  }

  /** Creates the token in the transaction that marks the row, so that one of several calls does. */
  async function deliver(
    hash: Uint8Array,
    actor: Actor,
    chosen: ChosenToken,
    program: string,
  ): Promise<FetchedToken | 'invalid_grant'> {
    const secret = createTokenSecret()
    const token = await changeTeamFor(database, actor, async (change) => {
      const { numUpdatedRows } = await change.write
        .updateTable('device_authorization')
        .set({ state: 'fetched' })
        .where('device_hash', '=', hash)
        .where('state', '=', 'confirmed')
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return undefined
      const created = await createToken(change, { ...chosen, secret, createdBy: actor.user, program })
      await change.write
        .updateTable('device_authorization')
        .set({ token_id: created.id })
        .where('device_hash', '=', hash)
        .execute()
      return created
    })
    return token ? { token, secret } : 'invalid_grant'
  }

  async function redeem(
    code: string,
    from: { address: string; request: string },
    proof?: CodeProof,
  ): Promise<FetchedToken | DeviceError> {
    const hash = hashToken(code)
    const row = await read
      .selectFrom('device_authorization')
      .leftJoin('user', 'user.id', 'device_authorization.user_id')
      .leftJoin('team', 'team.id', 'device_authorization.team_id')
      .where('device_hash', '=', hash)
      .select(['state', 'program', 'expires_at', 'team_id', 'user_id', 'session_id', 'token', 'user.email'])
      .select(['request', 'token_id', 'team.deleted_at'])
      .executeTakeFirst()
    if (!row || !isProofOf(proof, readAsked(row))) return 'invalid_grant'
    if (row.state === 'fetched') {
      const { team_id: team, token_id: id, deleted_at } = row
      if (proof && deleted_at === null)
        await changeTeam(database, team!, (change) => revokeToken(change, id!, 'leaked'))
      return 'invalid_grant'
    }
    if (hasEnded(row.expires_at, DEVICE_MS, now())) return 'expired_token'
    if (row.state === 'refused') return 'access_denied'
    if (row.state === 'pending') return (await recordPoll(hash)) ? 'authorization_pending' : 'slow_down'
    const chosen: ChosenToken = JSON.parse(row.token!)
    const [user, session] = [row.user_id!, row.session_id!]
    const actor = { user, session, team: row.team_id!, needs: needsFor(chosen) }
    try {
      const fetched = await runIn(
        { actor: { kind: 'user', id: user, name: row.email! }, session, ...from },
        () => deliver(hash, actor, chosen, row.program),
      )
      // Another call was faster, so that the code has come twice.
      return fetched === 'invalid_grant' ? redeem(code, from, proof) : fetched
    } catch (error) {
      if (!isRightLost(error)) throw error
      await withdraw(hash)
      return 'access_denied'
    }
  }

  return {
    async begin(program, address, asked) {
      const userCode = createUserCode()
      const deviceCode = `mdd_${randomBase32(32)}`
      const at = now()
      await database.transaction((write) =>
        write
          .insertInto('device_authorization')
          .values({
            device_hash: hashToken(deviceCode),
            user_hash: hashUserCode(userCode),
            state: 'pending',
            ...{ program, address, asked_at: at, expires_at: at + DEVICE_MS },
            request: asked ? JSON.stringify(asked) : null,
          })
          .execute(),
      )
      return { deviceCode, userCode }
    },
    async find(userCode) {
      const row = await read
        .selectFrom('device_authorization')
        .where('user_hash', '=', hashUserCode(userCode))
        .where('state', '=', 'pending')
        .where(lastsAt('expires_at', DEVICE_MS, now()))
        .select(['program', 'address', 'asked_at', 'expires_at', 'request'])
        .executeTakeFirst()
      return row && { ...row, asked: readAsked(row) }
    },
    confirm: (actor, userCode, token) =>
      changeTeamFor(database, actor, async (change) => {
        await checkToken(change, token)
        return decide(change.write, userCode, {
          state: 'confirmed',
          team_id: actor.team,
          user_id: actor.user,
          session_id: actor.session,
          token: JSON.stringify(token),
        })
      }),
    refuse: (userCode) => database.transaction((write) => decide(write, userCode, { state: 'refused' })),
    redeem,
    async deleteExpired() {
      await database.transaction((write) =>
        write
          .deleteFrom('device_authorization')
          .where(endedAt('expires_at', DEVICE_MS, now()))
          .execute(),
      )
    },
  }
}

const readAsked = ({
  request,
}: Pick<DeviceAuthorizationTable, 'request'>): AuthorizationRequest | undefined =>
  request === null ? undefined : JSON.parse(request)

/** The role that a person needs to create a token. */
export const needsFor = ({ kind }: Pick<NewToken, 'kind'>): 'owner' | 'member' =>
  kind === 'service' ? 'owner' : 'member'

const isRightLost = (error: unknown): boolean =>
  error instanceof AccessEndedError || error instanceof TokenPolicyError || error instanceof FilingError

/** Consonants: such codes are no words, and their letters are told apart. Source: RFC 8628, 6.1. */
const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

/** Creates a code such as `WDJB-MJHT`, one of 25 billion. */
function createUserCode(): string {
  const letters = Array.from({ length: 8 }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)])
  return letters.toSpliced(4, 0, '-').join('')
}
