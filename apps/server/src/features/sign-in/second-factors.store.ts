import { randomBytes } from 'node:crypto'
import type { UserId } from '@meadow/contract'
import type { KindsOfFactors, SecondFactor } from '@meadow/contract/web'
import { tellOfFactors } from '../../access/account-notices.ts'
import { recordEvent } from '../../audit/record-event.ts'
import type { Database, Select, Write } from '../../platform/database/database.ts'
import { endedAt, timeOf } from '../../platform/database/database-clock.ts'
import type { SecondFactorTable } from '../../platform/database/tables.ts'
import { lengthOf } from '../../platform/database/time-columns.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { isStorable } from '../../platform/public-ids.ts'
import { publishAccessChange } from '../../team/access-changes.ts'
import { type Codes, createRecoveryCodes, hashRecoveryCode, readCode } from './codes.ts'

/** A person in one of their sessions. */
export interface Enroller {
  userId: UserId
  sessionId: string
}

export interface AddedFactor {
  factor: SecondFactor
  /** The codes that come with the first factor; null for a later one. */
  recoveryCodes: string[] | null
}

/** A new factor without what all of them have. */
export type NewFactor = Pick<SecondFactorTable, 'kind' | 'name'> & Partial<SecondFactorTable>

export interface StoredPasskey {
  /** The id of the factor. */
  id: string
  credentialId: string
  /** The host name that it was made for. */
  relyingParty: string
  publicKey: Uint8Array
  counter: number
  transports: string[]
}

/** What counts once: the challenge of a ceremony that a passkey has answered, or a sign-in that has come back. */
export interface AnsweredChallenge {
  /** SHA-256. */
  hash: Uint8Array
  /** The time at which it expires, in milliseconds since 1970. */
  until: number
}

/** A use of a passkey whose signature was right. */
export interface PasskeyUse {
  /** The id of the factor. */
  id: string
  /** The counter that was compared with. */
  before: number
  counter: number
  challenge: AnsweredChallenge
}

/** The second factors and recovery codes of people. */
export interface SecondFactorStore {
  listKinds(user: UserId): Promise<KindsOfFactors>
  /** Lists the factors of a person, the oldest first, and counts the recovery codes. */
  list(user: UserId): Promise<{ factors: SecondFactor[]; recoveryCodes: number }>
  /**
   * Adds a factor. With the first one, this session counts as opened with it, all others end, and recovery codes are
   * created. Undefined when there is such a factor already, or when the challenge was answered before.
   */
  add(by: Enroller, factor: NewFactor, challenge?: AnsweredChallenge): Promise<AddedFactor | undefined>
  /** Removes a factor, and with the last one the recovery codes too; false when there is no such factor. */
  remove(user: UserId, id: string): Promise<boolean>
  /** Resolves with undefined when the person has no second factor. */
  replaceRecoveryCodes(user: UserId): Promise<string[] | undefined>
  /** Whether the code is right. A code is accepted once. */
  useCode(user: UserId, text: string): Promise<boolean>
  listPasskeys(user: UserId): Promise<StoredPasskey[]>
  /** Resolves with false when there was no such use, or when its challenge was answered before: it counts once. */
  usePasskey(user: UserId, use: PasskeyUse | undefined): Promise<boolean>
}

export function createSecondFactorStore(
  database: Database,
  codes: Pick<Codes, 'findStep'>,
  now: () => number = () => timeOf(database.read),
): SecondFactorStore {
  const { read } = database

  /** A code of an interval is accepted if none of it or of a later one was. */
  async function useAppCode(user: UserId, code: string): Promise<boolean> {
    const factor = await selectFactors(read, user)
      .where('kind', '=', 'totp')
      .select(['id', 'secret'])
      .executeTakeFirst()
    const step = factor && (await codes.findStep(user, factor.secret!, code))
    if (step === undefined) return false
    return database.transaction(async (write) => {
      const { numUpdatedRows } = await write
        .updateTable('second_factor')
        .set({ last_step: step, used_at: now() })
        .where('id', '=', factor!.id)
        .where(({ or, eb }) =>
          // A code of an interval after the next one was given to a clock that was ahead.
          or([eb('last_step', 'is', null), eb('last_step', '<', step), eb('last_step', '>', step + 2)]),
        )
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return false
      recordGiven(write, user, 'code')
      return true
    })
  }

  async function useRecoveryCode(user: UserId, hash: Uint8Array): Promise<boolean> {
    return database.transaction(async (write) => {
      const { numDeletedRows } = await write
        .deleteFrom('recovery_code')
        .where('user_id', '=', user)
        .where('hash', '=', hash)
        .executeTakeFirst()
      if (numDeletedRows !== 1n) return false
      recordGiven(write, user, 'recovery code')
      return true
    })
  }

  async function recordUse(write: Write, user: UserId, use: PasskeyUse): Promise<boolean> {
    if (!(await spendChallenge(write, use.challenge, now()))) return false
    const used = await write
      .updateTable('second_factor')
      .set({ counter: use.counter, used_at: now() })
      .where('user_id', '=', user)
      .where('id', '=', use.id)
      .where('counter', '=', use.before)
      .executeTakeFirst()
    if (used.numUpdatedRows !== 1n) return false
    recordGiven(write, user, 'passkey')
    return true
  }

  const recordFailure = (user: UserId) =>
    database.transaction(async (write) =>
      recordEvent(write, { action: 'second_factor.failed', actor: { kind: 'user', id: user } }),
    )

  return {
    async listKinds(user) {
      const rows = await selectFactors(read, user).select('kind').execute()
      const has = (kind: SecondFactor['kind']) => rows.some((row) => row.kind === kind)
      return { codes: has('totp'), passkeys: has('passkey') }
    },
    async list(user) {
      const factors = await selectFactors(read, user)
        .select(['id', 'kind', 'name', 'created_at', 'used_at'])
        .orderBy('created_at')
        .execute()
      const { count } = await read
        .selectFrom('recovery_code')
        .where('user_id', '=', user)
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return { factors: factors.map(showFactor), recoveryCodes: Number(count) }
    },
    add: ({ userId, sessionId }, factor, challenge) =>
      database.transaction(async (write) => {
        if (challenge && !(await spendChallenge(write, challenge, now()))) return undefined
        const isFirst = (await selectFactors(write, userId).select('id').executeTakeFirst()) === undefined
        const row = { ...EMPTY, ...factor, id: createFactorId(), user_id: userId, created_at: now() }
        const { numInsertedOrUpdatedRows } = await write
          .insertInto('second_factor')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
        if (numInsertedOrUpdatedRows !== 1n) return undefined
        recordEvent(write, { action: 'second_factor.added', target: targetOf(row) })
        await tellOfFactors(write, userId, 'added')
        if (isFirst) {
          await write
            .updateTable('session')
            .set({ factorAt: now() })
            .where('id', '=', sessionId)
            .where('userId', '=', userId)
            .execute()
          await write
            .deleteFrom('session')
            .where('userId', '=', userId)
            .where('id', '!=', sessionId)
            .execute()
        }
        return {
          factor: showFactor(row),
          recoveryCodes: isFirst ? await writeRecoveryCodes(write, userId) : null,
        }
      }),
    remove: async (user, id) =>
      isStorable(id) &&
      database.transaction(async (write) => {
        const removed = await write
          .deleteFrom('second_factor')
          .where('user_id', '=', user)
          .where('id', '=', id)
          .returning(['id', 'name'])
          .executeTakeFirst()
        if (!removed) return false
        recordEvent(write, { action: 'second_factor.removed', target: targetOf(removed) })
        await tellOfFactors(write, user, 'removed')
        const left = await selectFactors(write, user).select('id').executeTakeFirst()
        if (left) return true
        await write.deleteFrom('recovery_code').where('user_id', '=', user).execute()
        // Teams that require a factor are closed to them.
        await publishAccessChange(database, write)
        return true
      }),
    replaceRecoveryCodes: (user) =>
      database.transaction(async (write) => {
        const factor = await selectFactors(write, user).select('id').executeTakeFirst()
        if (!factor) return undefined
        recordEvent(write, { action: 'recovery_codes.replaced' })
        return writeRecoveryCodes(write, user)
      }),
    async useCode(user, text) {
      const typed = readCode(text)
      const isRight = await ('code' in typed
        ? useAppCode(user, typed.code)
        : useRecoveryCode(user, typed.recoveryHash))
      if (!isRight) await recordFailure(user)
      return isRight
    },
    async listPasskeys(user) {
      const rows = await selectFactors(read, user)
        .where('kind', '=', 'passkey')
        .select(['id', 'credential_id', 'relying_party', 'public_key', 'counter', 'transports'])
        .execute()
      return rows.map((row) => ({
        id: row.id,
        credentialId: row.credential_id!,
        relyingParty: row.relying_party!,
        publicKey: row.public_key!,
        counter: row.counter!,
        transports: JSON.parse(row.transports!),
      }))
    },
    async usePasskey(user, use) {
      const isRight =
        use !== undefined && (await database.transaction((write) => recordUse(write, user, use)))
      if (!isRight) await recordFailure(user)
      return isRight
    },
  }
}

/** Removes all second factors and recovery codes of a user. Returns how many factors there were. */
export async function resetSecondFactors(write: Write, user: UserId): Promise<number> {
  const { numDeletedRows } = await write
    .deleteFrom('second_factor')
    .where('user_id', '=', user)
    .executeTakeFirst()
  await write.deleteFrom('recovery_code').where('user_id', '=', user).execute()
  const count = Number(numDeletedRows)
  recordEvent(write, {
    action: 'second_factor.reset',
    target: { kind: 'user', id: user },
    details: { count },
  })
  if (count > 0) await tellOfFactors(write, user, 'reset')
  return count
}

const targetOf = ({ id, name }: Pick<SecondFactorTable, 'id' | 'name'>) => ({
  kind: 'second_factor',
  id,
  name,
})

/** Nobody is signed in yet when a sign-in is completed, so the actor is named. */
const recordGiven = (write: Write, user: UserId, by: 'code' | 'recovery code' | 'passkey') =>
  recordEvent(write, { action: 'second_factor.given', actor: { kind: 'user', id: user }, details: { by } })

/** Spends a challenge; false when it was spent before. Of concurrent calls, only one returns true. */
export async function spendChallenge(
  write: Write,
  challenge: AnsweredChallenge,
  now: number,
): Promise<boolean> {
  await write
    .deleteFrom('spent_challenge')
    .where(endedAt('until', lengthOf('spent_challenge.until'), now))
    .execute()
  const { numInsertedOrUpdatedRows } = await write
    .insertInto('spent_challenge')
    .values({ ...challenge })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

const selectFactors = (read: Select, user: UserId) =>
  read.selectFrom('second_factor').where('user_id', '=', user)

const createFactorId = (): string => `fac_${randomBytes(12).toString('base64url')}`

const EMPTY = {
  used_at: null,
  secret: null,
  last_step: null,
  credential_id: null,
  relying_party: null,
  public_key: null,
  counter: null,
  transports: null,
}

const showFactor = ({
  id,
  kind,
  name,
  created_at,
  used_at,
}: Pick<SecondFactorTable, 'id' | 'kind' | 'name' | 'created_at' | 'used_at'>): SecondFactor => ({
  id,
  kind,
  name,
  createdAt: toTimestamp(created_at),
  lastUsedAt: used_at === null ? null : toTimestamp(used_at),
})

/** Replaces the recovery codes of a person. */
async function writeRecoveryCodes(write: Write, user: UserId): Promise<string[]> {
  const codes = createRecoveryCodes()
  await write.deleteFrom('recovery_code').where('user_id', '=', user).execute()
  await write
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ user_id: user, hash: hashRecoveryCode(code) })))
    .execute()
  return codes
}
