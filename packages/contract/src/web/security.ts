import Type, { type Static } from 'typebox'
import { Timestamp } from '../ids.ts'
import { appEndpoint } from './app-endpoint.ts'
import { Nothing } from './bodies.ts'
import { Password } from './people.ts'
import { Me } from './session.ts'

/** What a person signs in with beside or in place of the password. */
export const SecondFactor = Type.Object({
  id: Type.String(),
  /** `totp` stands for the codes of an authenticator app, of which a person has at most one. */
  kind: Type.Enum(['totp', 'passkey']),
  name: Type.String(),
  createdAt: Timestamp,
  lastUsedAt: Type.Union([Timestamp, Type.Null()]),
})
export type SecondFactor = Static<typeof SecondFactor>

/** A browser or agent in which the person is signed in. */
export const OwnSession = Type.Object({
  id: Type.String(),
  /** True for the session of this request. */
  isThis: Type.Boolean(),
  /** The `User-Agent` of the sign-in; empty when there was none. */
  userAgent: Type.String(),
  /** The address of the sign-in. Null: not known, as for sessions of the operator's command. */
  address: Type.Union([Type.String(), Type.Null()]),
  signedInAt: Timestamp,
  /** The time of the last use, to the day. */
  lastUsedAt: Timestamp,
  /** The time at which the session ends if it is not used any more. */
  expiresAt: Timestamp,
})
export type OwnSession = Static<typeof OwnSession>

export const Security = Type.Object({
  factors: Type.Array(SecondFactor),
  /** How many recovery codes have not been used. */
  recoveryCodes: Type.Integer(),
  /** The sessions, the newest sign-in first. */
  sessions: Type.Array(OwnSession),
})
export type Security = Static<typeof Security>

/** The person's second factors, recovery codes and sessions. */
export const readSecurity = appEndpoint({
  method: 'GET',
  path: '/me/security',
  needs: 'person',
  response: Security,
})

const Code = Type.String({ minLength: 1, maxLength: 40, description: 'Spaces and hyphens do not count.' })

/** Recovery codes, which are shown once, right after they were created. */
const RecoveryCodes = Type.Array(Type.String())

/** Create a secret for an authenticator app. Nothing is stored before `addAuthenticator`. */
export const startAuthenticator = appEndpoint({
  method: 'POST',
  path: '/me/factors/authenticator',
  needs: 'person',
  needsFreshSignIn: true,
  response: Type.Object({
    /** The secret, for people who type it into the app. */
    secret: Type.String(),
    /** The address `otpauth://…`, to be shown as a QR code. */
    uri: Type.String(),
    /** The secret for `addAuthenticator`, encrypted; valid for half an hour. */
    enrolment: Type.String(),
  }),
  errors: ['authenticator_exists'],
})

/** Add the authenticator app, with a code that it shows. With the first factor, other sessions end. */
export const addAuthenticator = appEndpoint({
  method: 'POST',
  path: '/me/factors/authenticator/confirm',
  needs: 'person',
  needsFreshSignIn: true,
  body: Type.Object({ enrolment: Type.String({ maxLength: 1000 }), code: Code }),
  response: Type.Object({
    factor: SecondFactor,
    /** The recovery codes; null when the person had some before. */
    recoveryCodes: Type.Union([RecoveryCodes, Type.Null()]),
  }),
  status: 201,
  errors: ['authenticator_exists', 'enrolment_not_valid', 'code_not_right', 'too_many_attempts'],
})

/** What `navigator.credentials` takes or returns, in its JSON form (WebAuthn, level 3). */
const CredentialJson = Type.Unsafe<Record<string, unknown>>({ type: 'object' })

/** The beginning of a ceremony with a passkey. */
const Ceremony = Type.Object({
  options: CredentialJson,
  /** The state of the ceremony, which is sent back with the response of the browser; valid for five minutes. */
  ceremony: Type.String(),
})

const PasskeyProof = Type.Object({ ceremony: Type.String({ maxLength: 2000 }), response: CredentialJson })
export type PasskeyProof = Static<typeof PasskeyProof>

/** Begin to add a passkey. Nothing is stored before `addPasskey`. */
export const startPasskey = appEndpoint({
  method: 'POST',
  path: '/me/factors/passkey',
  needs: 'person',
  needsFreshSignIn: true,
  response: Ceremony,
  errors: ['passkey_without_page'],
})

/** Add the passkey that the browser has made. With the first factor, other sessions end. */
export const addPasskey = appEndpoint({
  method: 'POST',
  path: '/me/factors/passkey/confirm',
  needs: 'person',
  needsFreshSignIn: true,
  body: Type.Object({ name: Type.String(), passkey: PasskeyProof }),
  response: Type.Object({
    factor: SecondFactor,
    /** The recovery codes; null when the person had some before. */
    recoveryCodes: Type.Union([RecoveryCodes, Type.Null()]),
  }),
  status: 201,
  errors: ['name_not_acceptable', 'passkey_not_right', 'passkey_exists'],
})

/**
 * Ask for a passkey of the person who is signed in, or whose sign-in needs a second factor. For `giveSecondFactor` and
 * `signInAgain`.
 */
export const startPasskeyUse = appEndpoint({
  method: 'POST',
  path: '/sign-in/factor/passkey',
  needs: 'anyone',
  response: Ceremony,
  errors: ['not_signed_in', 'passkey_without_page', 'passkey_not_here'],
})

/** Remove a second factor. With the last factor, the recovery codes are deleted too. */
export const removeSecondFactor = appEndpoint({
  method: 'DELETE',
  path: '/me/factors/:factorId',
  needs: 'person',
  needsFreshSignIn: true,
  params: Type.Object({ factorId: Type.String() }),
  response: Nothing,
  errors: ['second_factor_not_found'],
})

/** Create new recovery codes. The old ones are not accepted any more. */
export const replaceRecoveryCodes = appEndpoint({
  method: 'POST',
  path: '/me/recovery-codes',
  needs: 'person',
  needsFreshSignIn: true,
  response: Type.Object({ recoveryCodes: RecoveryCodes }),
  errors: ['second_factor_not_found'],
})

const SecondFactorProof = Type.Union([
  Type.Object({
    /** A code of the authenticator app, or a recovery code. */
    code: Code,
  }),
  Type.Object({ passkey: PasskeyProof }),
])
export type SecondFactorProof = Static<typeof SecondFactorProof>

/** Complete a sign-in that needs a second factor. */
export const giveSecondFactor = appEndpoint({
  method: 'POST',
  path: '/sign-in/factor',
  needs: 'anyone',
  body: SecondFactorProof,
  response: Me,
  errors: ['not_signed_in', 'code_not_right', 'passkey_not_right', 'too_many_attempts'],
})

/** Prove again who uses the session. For ten minutes, endpoints that need a fresh sign-in are open. */
export const signInAgain = appEndpoint({
  method: 'POST',
  path: '/me/proof',
  needs: 'person',
  body: Type.Union([Type.Object({ password: Password }), ...SecondFactorProof.anyOf]),
  response: Nothing,
  errors: ['password_not_right', 'code_not_right', 'passkey_not_right', 'too_many_attempts'],
})

/** End one of the own sessions. Its open connections are closed. */
export const endSession = appEndpoint({
  method: 'DELETE',
  path: '/me/sessions/:sessionId',
  needs: 'person',
  params: Type.Object({ sessionId: Type.String() }),
  response: Nothing,
  errors: ['session_not_found'],
})

/** End all of the own sessions but this one. */
export const endOtherSessions = appEndpoint({
  method: 'DELETE',
  path: '/me/sessions',
  needs: 'person',
  response: Nothing,
})
