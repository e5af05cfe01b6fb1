import Type, { type Static } from 'typebox'
import { FolderReference } from '../folders.ts'
import { FolderId, Timestamp, type TokenId as TokenIdType } from '../ids.ts'
import { ALL_SCOPES, MAX_TOKEN_FOLDERS } from '../scopes.ts'
import {
  MAX_TOKEN_ADDRESSES,
  MAX_TOKEN_DAYS,
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
/** IP addresses, and networks such as `10.0.0.0/8`. None: any address. */
const AddressList = Type.Array(Type.String({ maxLength: 64 }), { maxItems: MAX_TOKEN_ADDRESSES })

export const ApiToken = Type.Object({
  id: TokenId,
  name: Type.String(),
  kind: Type.Enum([...TOKEN_KINDS]),
  /** The first characters of the secret, to distinguish tokens. */
  prefix: Type.String({ examples: ['mdw_4f7k'] }),
  scopes: Type.Array(Type.Enum([...ALL_SCOPES])),
  /** What it may read, with everything below: of these folders, those that still exist. Null: the whole team. */
  folders: Type.Union([Type.Array(FolderReference), Type.Null()]),
  /** Where it works, if the team's policy allows that too. */
  addresses: AddressList,
  state: Type.Enum(['valid', 'expired', 'revoked']),
  createdAt: Timestamp,
  /** Null: by the operator, or by a deleted account. */
  createdBy: Type.Union([PersonReference, Type.Null()]),
  /** To the minute. Null: never used. */
  lastUsedAt: OptionalTimestamp,
  /** The address of the client that used it last; null: not known. */
  lastUsedFrom: Type.Union([Type.String(), Type.Null()]),
  expiresAt: OptionalTimestamp,
  revokedAt: OptionalTimestamp,
  /** Why the server ended it at `revokedAt`. */
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
  /** Where all tokens work. */
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

/** Create an API token. Its secret is shown this once. */
export const createApiToken = appEndpoint({
  method: 'POST',
  path: '/teams/:teamId/tokens',
  needs: 'member',
  needsFreshSignIn: true,
  params: TeamParams,
  body: Type.Object({
    name: Type.String(),
    /** All that the policy allows when left out. */
    scopes: Type.Optional(ScopeList),
    /** Limits the token to these folders with everything below. Null or left out: the whole team. */
    folders: Type.Optional(
      Type.Union([Type.Array(FolderId, { minItems: 1, maxItems: MAX_TOKEN_FOLDERS }), Type.Null()]),
    ),
    /** Null: it does not expire. Left out: 90 days, or less where the policy says so. */
    expiresAt: Type.Optional(OptionalTimestamp),
    /** Only owners make service tokens. */
    kind: Type.Optional(Type.Enum([...TOKEN_KINDS])),
    addresses: Type.Optional(AddressList),
  }),
  response: Type.Object({ token: ApiToken, secret: Type.String() }),
  status: 201,
  errors: [
    'role_missing',
    'name_not_acceptable',
    'expiry_not_acceptable',
    'expiry_beyond_policy',
    'scope_not_in_policy',
    'addresses_not_acceptable',
    'folder_not_found',
  ],
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

/** How many of the existing tokens got an earlier end, lost scopes, or ended because they had no other. */
const PolicyEffect = Type.Object({
  shortened: Type.Integer(),
  narrowed: Type.Integer(),
  ended: Type.Integer(),
})

/** Change what the team allows its API tokens. It holds at once, for those that exist too. */
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
