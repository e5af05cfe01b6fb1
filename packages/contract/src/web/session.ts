import Type, { type Static } from 'typebox'
import { appEndpoint } from './app-endpoint.ts'
import { Nothing, Redirect } from './bodies.ts'
import { Email, Membership, Password, Person, PersonName } from './people.ts'

/** Which second factors a person has. */
export const KindsOfFactors = Type.Object({ codes: Type.Boolean(), passkeys: Type.Boolean() })
export type KindsOfFactors = Static<typeof KindsOfFactors>

/** The response instead of `Me` until the second factor was given. */
export const AwaitedFactor = Type.Object({ awaits: KindsOfFactors })

export const Me = Type.Object({
  person: Person,
  /** The teams by name. Under the host name of a team, only that team. */
  teams: Type.Array(Membership),
  /** False for people who sign in through another service only. */
  hasPassword: Type.Boolean(),
  secondFactors: KindsOfFactors,
  /** False when nobody has shown that the address is theirs. */
  isEmailConfirmed: Type.Boolean(),
  /** Whether the person gets a mail when a comment mentions them. */
  mentionMails: Type.Boolean(),
})
export type Me = Static<typeof Me>

/** The signed-in person and their teams. The status is 401 when nobody is signed in. */
export const readMe = appEndpoint({
  method: 'GET',
  path: '/me',
  needs: 'person',
  response: Me,
})

/** Change the own name, or which mails come; what is left out stays. */
export const changeMe = appEndpoint({
  method: 'PATCH',
  path: '/me',
  needs: 'person',
  body: Type.Object({ name: Type.Optional(PersonName), mentionMails: Type.Optional(Type.Boolean()) }),
  response: Me,
  errors: ['name_not_acceptable'],
})

/** The ways in which people can sign in here. */
export const readWaysToSignIn = appEndpoint({
  method: 'GET',
  path: '/sign-in',
  needs: 'anyone',
  response: Type.Object({
    password: Type.Boolean(),
    /** Whether mails are sent: to confirm addresses, to invite people, to set a new password. */
    mail: Type.Boolean(),
    /** The label of the button: the name of the service. Null: not configured. */
    oidc: Type.Union([Type.Object({ name: Type.String() }), Type.Null()]),
    /** The second factors that complete the sign-in of this browser. Null: it has not begun, or is complete. */
    awaits: Type.Union([KindsOfFactors, Type.Null()]),
  }),
})

/** Sign in with e-mail address and password. Sets the cookie of the session, which a second factor may have to open. */
export const signIn = appEndpoint({
  method: 'POST',
  path: '/sign-in',
  needs: 'anyone',
  body: Type.Object({ email: Email, password: Password }),
  response: Type.Union([Me, AwaitedFactor]),
  errors: ['sign_in_failed', 'too_many_attempts'],
})

/** Why a sign-in at the provider failed, as far as the user may know: the `error` parameter of the page. */
export const OIDC_FAILURES = {
  /** The provider does not vouch for their e-mail address. */
  notVerified: 'email_not_verified',
  /** There is an account with that address, and not both sides vouch that it is the same person's. */
  notLinked: 'account_not_linked',
} as const

/**
 * Go to the OpenID provider, and come back signed in. A link to follow, not to fetch. Ends at `to`, or at
 * `/sign-in?failed=oidc&error=…`.
 */
export const signInThroughOidc = appEndpoint({
  method: 'GET',
  path: '/sign-in/oidc',
  needs: 'anyone',
  query: Type.Object({
    to: Type.Optional(Type.String({ description: 'A path of the web app.' })),
    here: Type.Optional(
      Type.Enum(['yes'], { description: "This is the service's own address, regardless of the host name." }),
    ),
  }),
  response: Redirect,
  errors: ['oidc_not_set_up', 'oidc_not_reachable'],
})

/** End the session, if there is one. */
export const signOut = appEndpoint({
  method: 'POST',
  path: '/sign-out',
  needs: 'anyone',
  response: Nothing,
})

/** Change the own password. All other sessions end. */
export const changePassword = appEndpoint({
  method: 'POST',
  path: '/me/password',
  needs: 'person',
  body: Type.Object({ current: Password, next: Password }),
  response: Nothing,
  errors: ['password_not_right', 'password_not_acceptable', 'too_many_attempts'],
})
