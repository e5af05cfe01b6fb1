import { createHash } from 'node:crypto'
import type { UserId } from '@meadow/contract'
import { deriveKey, seal, unseal } from '../../access/seal.ts'
import { randomBase32 } from '../../platform/base32.ts'
import { hasEnded } from '../../platform/database/database-clock.ts'

/** The codes of authenticator apps (RFC 6238), whose secrets are stored encrypted. */
export interface Codes {
  /** A new secret for the authenticator app of a person. */
  enrol(person: { userId: UserId; email: string }): Promise<Enrolment>
  /** The encrypted secret of an enrolment of this person, to be stored; undefined when it has expired or is another's. */
  readEnrolment(user: UserId, enrolment: string): string | undefined
  /** The number of the interval that a code belongs to: now, the one before, or the next; undefined when it is wrong. */
  findStep(user: UserId, sealed: string, code: string): Promise<number | undefined>
}

export interface Enrolment {
  secret: string
  uri: string
  /** The secret and an expiry, encrypted. */
  enrolment: string
}

const PERIOD_S = 30

const ENROLMENT_MS = 30 * 60 * 1000

/** What every app supports. */
const FORM = { issuer: 'Meadow', algorithm: 'SHA1', digits: 6, period: PERIOD_S }

/** `secret`: the one that session cookies are signed with; the key of the encryption is derived from it. */
export function createCodes(secret: string, now: () => number): Codes {
  const key = deriveKey(secret, 'second factors')
  return {
    async enrol({ userId, email }) {
      const { Secret, TOTP } = await import('otpauth')
      const { base32 } = new Secret({ size: 20 })
      const enrolment = { secret: base32, until: now() + ENROLMENT_MS }
      return {
        secret: base32,
        uri: new TOTP({ ...FORM, label: email, secret: base32 }).toString(),
        enrolment: seal(key, `enrolment ${userId}`, JSON.stringify(enrolment)),
      }
    },
    readEnrolment(user, enrolment) {
      const text = unseal(key, `enrolment ${user}`, enrolment)
      if (text === undefined) return undefined
      const { secret, until } = JSON.parse(text)
      return hasEnded(until, ENROLMENT_MS, now()) ? undefined : seal(key, user, secret)
    },
    async findStep(user, sealed, code) {
      const { TOTP } = await import('otpauth')
      const secret = unseal(key, user, sealed)
      if (secret === undefined) return undefined
      const timestamp = now()
      const delta = new TOTP({ ...FORM, secret }).validate({ token: code, timestamp, window: 1 })
      return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_S) + delta
    },
  }
}

const RECOVERY_CODES = 10
/** 120 random bits: from 112 on a fast hash is sufficient (ASVS 6.5.2). */
const RECOVERY_LENGTH = 24

/** New recovery codes, in readable groups. */
export const createRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => randomBase32(RECOVERY_LENGTH).replace(/.{4}(?=.)/g, '$&-'))

/** A code as a person typed it: digits for those of an app, otherwise a recovery code. */
export function readCode(text: string): { code: string } | { recoveryHash: Uint8Array } {
  const typed = text.replace(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(typed)) return { code: typed }
  // The letters that Crockford's digits leave out look like these.
  const digits = typed.replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return { recoveryHash: hashRecoveryCode(digits) }
}

export const hashRecoveryCode = (code: string): Uint8Array =>
  createHash('sha256').update(code.replaceAll('-', '')).digest()
