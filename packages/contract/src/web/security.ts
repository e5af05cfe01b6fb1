import Type, { type Static } from 'typebox'
import { Timestamp } from '../ids.ts'
import { appEndpoint } from './app-endpoint.ts'
import { None, Nothing } from './bodies.ts'
import { Password } from './people.ts'
import { Me } from './session.ts'

/** What a person signs in with beside or in place of the password. */
export const SecondFactor = Type.Object({
  id: Type.String(),
  /** `totp`: the codes of an authenticator app, at most one. */
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
  /** To the day. */
  lastUsedAt: Timestamp,
  /** If it is not used any more. */
  expiresAt: Timestamp,
})
export type OwnSession = Static<typeof OwnSession>

export const Security = Type.Object({
  factors: Type.Array(SecondFactor),
  /** How many recovery codes have not been used. */
  recoveryCodes: Type.Integer(),
  /** The newest sign-in first. */
  sessions: Type.Array(OwnSession),
})
export type Security = Static<typeof Security>

export const readSecurity = appEndpoint({
  name: 'readSecurity',
  method: 'GET',
  path: '/me/security',
  summary: "The person's second factors, recovery codes and sessions.",
  needs: 'person',
  params: None,
  query: None,
  body: undefined,
  response: Security,
  errors: [],
})

const Code = Type.String({ minLength: 1, maxLength: 40, description: 'Spaces and hyphens do not count.' })

/** Shown once, right after they were created. */
const RecoveryCodes = Type.Array(Type.String())

/** Nothing is stored before `addAuthenticator`. */
export const startAuthenticator = appEndpoint({
  name: 'startAuthenticator',
  method: 'POST',
  path: '/me/factors/authenticator',
  summary: 'Create a secret for an authenticator app.',
  needs: 'person',
  needsFreshSignIn: true,
  params: None,
  query: None,
  body: undefined,
  response: Type.Object({
    /** To be typed into the app. */
    secret: Type.String(),
    /** `otpauth://…`, to be shown as a QR code. */
    uri: Type.String(),
    /** The secret for `addAuthenticator`, encrypted; valid for half an hour. */
    enrolment: Type.String(),
  }),
  errors: ['authenticator_exists'],
})

export const addAuthenticator = appEndpoint({
  name: 'addAuthenticator',
  method: 'POST',
  path: '/me/factors/authenticator/confirm',
  summary: 'Add the authenticator app, with a code that it shows. With the first factor, other sessions end.',
  needs: 'person',
  needsFreshSignIn: true,
  params: None,
  query: None,
  body: Type.Object({ enrolment: Type.String({ maxLength: 1000 }), code: Code }),
  response: Type.Object({
    factor: SecondFactor,
    /** Null when the person had recovery codes before. */
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
  /** To be sent back with what the browser answers; valid for five minutes. */
  ceremony: Type.String(),
})

const PasskeyProof = Type.Object({ ceremony: Type.String({ maxLength: 2000 }), response: CredentialJson })
export type PasskeyProof = Static<typeof PasskeyProof>

/** Nothing is stored before `addPasskey`. */
export const startPasskey = appEndpoint({
  name: 'startPasskey',
  method: 'POST',
  path: '/me/factors/passkey',
  summary: 'Begin to add a passkey.',
  needs: 'person',
  needsFreshSignIn: true,
  params: None,
  query: None,
  body: undefined,
  response: Ceremony,
  errors: ['passkey_without_page'],
})

export const addPasskey = appEndpoint({
  name: 'addPasskey',
  method: 'POST',
  path: '/me/factors/passkey/confirm',
  summary: 'Add the passkey that the browser has made. With the first factor, other sessions end.',
  needs: 'person',
  needsFreshSignIn: true,
  params: None,
  query: None,
  body: Type.Object({ name: Type.String(), passkey: PasskeyProof }),
  response: Type.Object({
    factor: SecondFactor,
    /** Null when the person had recovery codes before. */
    recoveryCodes: Type.Union([RecoveryCodes, Type.Null()]),
  }),
  status: 201,
  errors: ['name_not_acceptable', 'passkey_not_right', 'passkey_exists'],
})

/** For `giveSecondFactor` and `signInAgain`. */
export const startPasskeyUse = appEndpoint({
  name: 'startPasskeyUse',
  method: 'POST',
  path: '/sign-in/factor/passkey',
  summary: 'Ask for a passkey of the person who is signed in, or whose sign-in needs a second factor.',
  needs: 'anyone',
  params: None,
  query: None,
  body: undefined,
  response: Ceremony,
  errors: ['not_signed_in', 'passkey_without_page', 'passkey_not_here'],
})

/** With the last factor, the recovery codes are deleted too. */
export const removeSecondFactor = appEndpoint({
  name: 'removeSecondFactor',
  method: 'DELETE',
  path: '/me/factors/:factorId',
  summary: 'Remove a second factor.',
  needs: 'person',
  needsFreshSignIn: true,
  params: Type.Object({ factorId: Type.String() }),
  query: None,
  body: undefined,
  response: Nothing,
  errors: ['second_factor_not_found'],
})

export const replaceRecoveryCodes = appEndpoint({
  name: 'replaceRecoveryCodes',
  method: 'POST',
  path: '/me/recovery-codes',
  summary: 'Create new recovery codes. The old ones are not accepted any more.',
  needs: 'person',
  needsFreshSignIn: true,
  params: None,
  query: None,
  body: undefined,
  response: Type.Object({ recoveryCodes: RecoveryCodes }),
  errors: ['second_factor_not_found'],
})

const SecondFactorProof = Type.Union([
  Type.Object({
    /** Of the authenticator app, or a recovery code. */
    code: Code,
  }),
  Type.Object({ passkey: PasskeyProof }),
])
export type SecondFactorProof = Static<typeof SecondFactorProof>

export const giveSecondFactor = appEndpoint({
  name: 'giveSecondFactor',
  method: 'POST',
  path: '/sign-in/factor',
  summary: 'Complete a sign-in that needs a second factor.',
  needs: 'anyone',
  params: None,
  query: None,
  body: SecondFactorProof,
  response: Me,
  errors: ['not_signed_in', 'code_not_right', 'passkey_not_right', 'too_many_attempts'],
})

export const signInAgain = appEndpoint({
  name: 'signInAgain',
  method: 'POST',
  path: '/me/proof',
  summary: 'Prove again who uses the session. For ten minutes, endpoints that need a fresh sign-in are open.',
  needs: 'person',
  params: None,
  query: None,
  body: Type.Union([Type.Object({ password: Password }), ...SecondFactorProof.anyOf]),
  response: Nothing,
  errors: ['password_not_right', 'code_not_right', 'passkey_not_right', 'too_many_attempts'],
})

export const endSession = appEndpoint({
  name: 'endSession',
  method: 'DELETE',
  path: '/me/sessions/:sessionId',
  summary: 'End one of the own sessions. What it has open is closed.',
  needs: 'person',
  params: Type.Object({ sessionId: Type.String() }),
  query: None,
  body: undefined,
  response: Nothing,
  errors: ['session_not_found'],
})

export const endOtherSessions = appEndpoint({
  name: 'endOtherSessions',
  method: 'DELETE',
  path: '/me/sessions',
  summary: 'End all of the own sessions but this one.',
  needs: 'person',
  params: None,
  query: None,
  body: undefined,
  response: Nothing,
  errors: [],
})
