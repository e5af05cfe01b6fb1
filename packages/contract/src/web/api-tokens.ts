import Type, { type Static } from 'typebox'
import { FolderReference } from '../folders.ts'
import { FolderId, Timestamp, type TokenId as TokenIdType } from '../ids.ts'
import { ALL_SCOPES, MAX_TOKEN_FOLDERS } from '../scopes.ts'
import {
  MAX_TOKEN_ADDRESSES,
  MAX_TOKEN_DAYS,
  MAX_TOKEN_ORIGINS,
  TOKEN_END_REASONS,
  TOKEN_KINDS,
  TOKEN_OVERLAPS,
} from '../tokens.ts'
import { appEndpoint } from './app-endpoint.ts'
import { Nothing } from './bodies.ts'
import { PersonReference } from './people.ts'
import { TeamParams } from './team-settings.ts'

const TokenId = Type.Unsafe<TokenIdType>({ type: 'string' })

/** What each scope allows is in `SCOPES`. */
const ScopeList = Type.Array(Type.Enum([...ALL_SCOPES]), { minItems: 1 })
const OptionalTimestamp = Type.Union([Timestamp, Type.Null()])
/** IP addresses, and networks such as `10.0.0.0/8`. An empty list allows any address. */
const AddressList = Type.Array(Type.String({ maxLength: 64 }), { maxItems: MAX_TOKEN_ADDRESSES })

/** Origins such as `https://dashboard.example.org`, as browsers send them; `null` for pages in a sandbox. */
const OriginList = Type.Array(Type.String({ maxLength: 300 }), { maxItems: MAX_TOKEN_ORIGINS })

export const ApiToken = Type.Object({
  id: TokenId,
  name: Type.String(),
  kind: Type.Enum([...TOKEN_KINDS]),
  /** The first characters of the secret, to distinguish tokens. */
  prefix: Type.String({ examples: ['mdw_4f7k'] }),
  scopes: Type.Array(Type.Enum([...ALL_SCOPES])),
  /**
   * The folders that the token may read with everything below them, as far as they still exist. Null: the whole team.
   */
  folders: Type.Union([Type.Array(FolderReference), Type.Null()]),
  /** The addresses that the token works from, if the team's policy allows them too. */
  addresses: AddressList,
  /** The origins whose pages may read with the token in a browser (CORS). */
  origins: OriginList,
  state: Type.Enum(['valid', 'expired', 'revoked']),
  createdAt: Timestamp,
  /** The creator of the token. Null: the operator, or a deleted account. */
  createdBy: Type.Union([PersonReference, Type.Null()]),
  /** The time of the last use, to the minute. Null: never used. */
  lastUsedAt: OptionalTimestamp,
  /** The address of the client that used it last; null: not known. */
  lastUsedFrom: Type.Union([Type.String(), Type.Null()]),
  expiresAt: OptionalTimestamp,
  revokedAt: OptionalTimestamp,
  /** Why the server ended the token at `revokedAt`. */
  endReason: Type.Union([Type.Enum([...TOKEN_END_REASONS]), Type.Null()]),
  /** The id of the token that took its place. */
  replacedBy: Type.Union([Type.String(), Type.Null()]),
})
export type ApiToken = Static<typeof ApiToken>

/** What a team allows its tokens, those that exist included. */
export const TokenPolicy = Type.Object({
  /** The longest life in days; null: any, and tokens may have no end. */
  longestDays: Type.Union([Type.Integer({ minimum: 1, maximum: MAX_TOKEN_DAYS }), Type.Null()]),
  scopes: ScopeList,
  /** The addresses that all tokens of the team are limited to. */
  addresses: AddressList,
})
export type TokenPolicy = Static<typeof TokenPolicy>

/**
 * The team's API tokens, the newest first, revoked and expired ones too. Owners see all tokens, others those that they
 * created, regardless of their current role.
 */
export const listApiTokens = appEndpoint({
  method: 'GET',
  path: '/teams/:teamId/tokens',
  needs: 'viewer',
  params: TeamParams,
  response: Type.Object({ tokens: Type.Array(ApiToken), policy: TokenPolicy }),
})

/** What a person chooses for a new token. */
const NewApiToken = Type.Object({
  name: Type.String(),
  /** The token gets all scopes that the policy allows when this is left out. */
  scopes: Type.Optional(ScopeList),
  /** Limits the token to these folders with everything below. Null or left out: the whole team. */
  folders: Type.Optional(
    Type.Union([Type.Array(FolderId, { minItems: 1, maxItems: MAX_TOKEN_FOLDERS }), Type.Null()]),
  ),
  /**
   * The time at which the token expires. Null: never. Left out: after 90 days, or earlier where the policy says so.
   */
  expiresAt: Type.Optional(OptionalTimestamp),
  /** Only owners can make service tokens. */
  kind: Type.Optional(Type.Enum([...TOKEN_KINDS])),
  addresses: Type.Optional(AddressList),
  /** None when this is left out. */
  origins: Type.Optional(OriginList),
})
export type NewApiToken = Static<typeof NewApiToken>

const NEW_TOKEN_ERRORS = [
  'role_missing',
  'name_not_acceptable',
  'expiry_not_acceptable',
  'expiry_beyond_policy',
  'scope_not_in_policy',
  'addresses_not_acceptable',
  'origins_not_acceptable',
  'folder_not_found',
] as const

/** Create an API token. Its secret is shown this once. */
export const createApiToken = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/tokens',
  needs: 'member',
  needsFreshSignIn: true,
  params: TeamParams,
  body: NewApiToken,
  response: Type.Object({ token: ApiToken, secret: Type.String() }),
  status: 201,
  errors: NEW_TOKEN_ERRORS,
})

/** What a program shows its user, who types or compares it: case, hyphens and spaces do not matter. */
const UserCode = Type.String({ maxLength: 40, examples: ['WDJB-MJHT'] })

const DEVICE_ERRORS = ['device_code_not_found', 'too_many_attempts'] as const

/** Where the browser goes with the answer to a program that waits there (OAuth 2.1); null: the program fetches it. */
const DeviceDecision = Type.Object({ redirect: Type.Union([Type.String(), Type.Null()]) })

/** The program that waits with a code and asks for a token (RFC 8628, OAuth 2.1). It is a POST, so that the code is in no address. */
export const lookAtDevice = appEndpoint({
  method: 'POST',
  path: '/device/look',
  needs: 'person',
  body: Type.Object({ code: UserCode }),
  response: Type.Object({
    /** What the program calls itself, and the computer it says that it runs on. Neither is verified. */
    program: Type.String({ examples: ['meadow login on studio-7'] }),
    /** The network address that it asked from. */
    address: Type.String(),
    askedAt: Timestamp,
    expiresAt: Timestamp,
    /** What a program says that gets its answer in the browser; null for one that shows the code. */
    client: Type.Union([
      Type.Object({
        /** The address of the document that describes the program, which was read there: so its host is verified. */
        id: Type.String({ examples: ['https://assistant.example/oauth/client.json'] }),
        /** Where the answer goes: an address of https, or one on the computer of the browser. */
        redirectUri: Type.String(),
        /** The address at which the program says that it uses the token. */
        resource: Type.String(),
        /** What it asks for; empty: anything. */
        scopes: Type.Array(Type.Enum([...ALL_SCOPES])),
      }),
      Type.Null(),
    ]),
  }),
  errors: DEVICE_ERRORS,
})

/** Let the program that waits with the code fetch a token like this. A code is decided once. */
export const confirmDevice = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/device',
  needs: 'member',
  needsFreshSignIn: true,
  params: TeamParams,
  body: Type.Object({ code: UserCode, token: NewApiToken }),
  response: DeviceDecision,
  errors: [...NEW_TOKEN_ERRORS, ...DEVICE_ERRORS],
})

/** Refuse the program that waits with the code. A code is decided once. */
export const refuseDevice = appEndpoint({
  method: 'POST',
  path: '/device/refuse',
  needs: 'person',
  body: Type.Object({ code: UserCode }),
  response: DeviceDecision,
  errors: DEVICE_ERRORS,
})

const TokenParams = Type.Object({ teamId: Type.String(), tokenId: Type.String() })

/**
 * Create a token that takes the place of another, which goes on for the chosen hours. Its secret is shown this once.
 * People replace their own tokens, owners the service tokens.
 */
export const replaceApiToken = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/tokens/:tokenId/replacement',
  needs: 'member',
  needsFreshSignIn: true,
  params: TokenParams,
  body: Type.Object({ overlapHours: Type.Enum([...TOKEN_OVERLAPS]) }),
  response: Type.Object({ token: ApiToken, secret: Type.String(), replaced: ApiToken }),
  status: 201,
  errors: ['token_not_found', 'role_missing', 'token_not_replaceable'],
})

/**
 * The numbers of existing tokens that got an earlier end, that lost scopes, and that ended because no scope was left.
 */
const PolicyEffect = Type.Object({
  shortened: Type.Integer(),
  narrowed: Type.Integer(),
  ended: Type.Integer(),
})

/** Change what the team allows its API tokens. The policy applies at once, also to existing tokens. */
export const changeTokenPolicy = appEndpoint({
  method: 'PATCH',
  path: '/teams/:teamId/token-policy',
  needs: 'owner',
  needsFreshSignIn: true,
  params: TeamParams,
  body: Type.Partial(TokenPolicy),
  response: Type.Object({ policy: TokenPolicy, effect: PolicyEffect }),
  errors: ['addresses_not_acceptable'],
})

/**
 * Revoke an API token: the next request with it is rejected. Owners revoke any token; others the tokens that they
 * created, regardless of their current role.
 */
export const revokeApiToken = appEndpoint({
  method: 'DELETE',
  path: '/teams/:teamId/tokens/:tokenId',
  needs: 'viewer',
  params: TokenParams,
  response: Nothing,
  errors: ['token_not_found', 'role_missing'],
})
