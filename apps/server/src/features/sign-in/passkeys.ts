import { createHash } from 'node:crypto'
import type { UserId } from '@meadow/contract'
import type { PasskeyProof } from '@meadow/contract/web'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { deriveKey, seal, unseal } from '../../access/seal.ts'
import { hasEnded } from '../../platform/database/database-clock.ts'
import type { AnsweredChallenge, NewFactor, PasskeyUse, StoredPasskey } from './second-factors.store.ts'

/** Passkeys as second factors (WebAuthn, level 2). */
export interface Passkeys {
  /** Begins to add a passkey at the page of this origin. `present` are those that the person has. */
  startAdding(
    person: { userId: UserId; email: string; name: string },
    origin: string,
    present: readonly StoredPasskey[],
  ): Promise<Ceremony>
  /** The new passkey; undefined when it does not answer this ceremony of this person, or too late. */
  finishAdding(
    user: UserId,
    proof: PasskeyProof,
  ): Promise<{ passkey: Omit<NewFactor, 'name'>; challenge: AnsweredChallenge } | undefined>
  /** Begins to ask for one of these passkeys. Undefined when none of them was made for the host of the origin. */
  startUse(user: UserId, origin: string, present: readonly StoredPasskey[]): Promise<Ceremony | undefined>
  /** The passkey that was used; undefined when the proof is not one of these passkeys for this ceremony. */
  finishUse(
    user: UserId,
    proof: PasskeyProof,
    present: readonly StoredPasskey[],
  ): Promise<PasskeyUse | undefined>
}

/** What a browser gets at the beginning of a ceremony. */
export interface Ceremony {
  /** The options of `navigator.credentials`, as JSON. */
  options: Record<string, unknown>
  /** The challenge and what it is for, encrypted: nothing is stored before the browser has answered. */
  ceremony: string
}

interface Challenge {
  challenge: string
  origin: string
  until: number
}

/** How long a person may take to answer. */
const CEREMONY_MS = 5 * 60_000

/** EdDSA, ES256 and RS256. By default the library adds what Node marks as experimental, with a warning. */
const ALGORITHMS = { supportedAlgorithmIDs: [-8, -7, -257] }

/**
 * `secret`: the one that session cookies are signed with. That the user was verified (with a PIN or a fingerprint) is
 * preferred and not required: as a second factor, a passkey proves possession, like the code of an app. A browser binds each answer to the origin of its page, which the
 * caller has checked to be one of this service, so that a passkey cannot be used through another site.
 */
export function createPasskeys(secret: string, now: () => number): Passkeys {
  const key = deriveKey(secret, 'second factors')

  function begin(use: string, origin: string, options: { challenge: string }): Ceremony {
    const challenge: Challenge = { challenge: options.challenge, origin, until: now() + CEREMONY_MS }
    return { options: { ...options }, ceremony: seal(key, use, JSON.stringify(challenge)) }
  }

  /** Returns undefined when the ceremony is not for this use, or has expired. */
  function readCeremony(use: string, ceremony: string): Challenge | undefined {
    const text = unseal(key, use, ceremony)
    const challenge = text === undefined ? undefined : (JSON.parse(text) as Challenge)
    return challenge && !hasEnded(challenge.until, CEREMONY_MS, now()) ? challenge : undefined
  }

  const toAnswered = ({ challenge, until }: Challenge): AnsweredChallenge => ({
    hash: createHash('sha256').update(challenge).digest(),
    until,
  })

  return {
    async startAdding({ userId, email, name }, origin, present) {
      const { generateRegistrationOptions } = await import('@simplewebauthn/server')
      const options = await generateRegistrationOptions({
        rpName: 'Meadow',
        rpID: hostOf(origin),
        userID: Buffer.from(userId),
        userName: email,
        userDisplayName: name,
        attestationType: 'none',
        excludeCredentials: present.map(toDescriptor),
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
        timeout: CEREMONY_MS,
        ...ALGORITHMS,
      })
      return begin(`add ${userId}`, origin, options)
    },
    async finishAdding(user, { ceremony, response }) {
      const expected = readCeremony(`add ${user}`, ceremony)
      if (!expected) return undefined
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
      const relyingParty = hostOf(expected.origin)
      const result = await orUndefined(async () => {
        const created = response as unknown as RegistrationResponseJSON
        if (!(await isAnonymous(created)))
          throw new Error('The response names the make of the authenticator.')
        return verifyRegistrationResponse({
          response: created,
          expectedChallenge: expected.challenge,
          expectedOrigin: expected.origin,
          expectedRPID: relyingParty,
          requireUserVerification: false,
          ...ALGORITHMS,
        })
      })
      if (!result?.verified) return undefined
      const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential
      return {
        passkey: {
          kind: 'passkey',
          credential_id: id,
          relying_party: relyingParty,
          public_key: publicKey,
          counter,
          transports: JSON.stringify(transports),
        },
        challenge: toAnswered(expected),
      }
    },
    async startUse(user, origin, present) {
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
      const relyingParty = hostOf(origin)
      const usable = present.filter((passkey) => passkey.relyingParty === relyingParty)
      if (usable.length === 0) return undefined
      const options = await generateAuthenticationOptions({
        rpID: relyingParty,
        allowCredentials: usable.map(toDescriptor),
        userVerification: 'preferred',
        timeout: CEREMONY_MS,
      })
      return begin(`use ${user}`, origin, options)
    },
    async finishUse(user, { ceremony, response }, present) {
      const expected = readCeremony(`use ${user}`, ceremony)
      if (!expected) return undefined
      const relyingParty = hostOf(expected.origin)
      const passkey = present.find(
        (one) => one.credentialId === response.id && one.relyingParty === relyingParty,
      )
      if (!passkey) return undefined
      const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
      const { credentialId, publicKey, counter, transports } = passkey
      const result = await orUndefined(() =>
        verifyAuthenticationResponse({
          response: response as unknown as AuthenticationResponseJSON,
          expectedChallenge: expected.challenge,
          expectedOrigin: expected.origin,
          expectedRPID: relyingParty,
          credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter, transports },
          requireUserVerification: false,
        }),
      )
      if (!result?.verified) return undefined
      return {
        id: passkey.id,
        before: counter,
        counter: result.authenticationInfo.newCounter,
        challenge: toAnswered(expected),
      }
    },
  }
}

const hostOf = (origin: string): string => new URL(origin).hostname

const toDescriptor = ({ credentialId, transports }: StoredPasskey) => ({ id: credentialId, transports })

/**
 * Whether no certificate vouches for the make of the authenticator. None was asked for, and the library downloads what
 * such a certificate names: requests to other services are not for callers to choose.
 */
async function isAnonymous({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** The library throws at whatever is wrong with an answer, which comes from outside. */
async function orUndefined<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}
