import Type, { type Static } from 'typebox'
import { Timestamp, type TokenId as TokenIdType } from '../ids.ts'
import { TOKEN_END_REASONS } from '../members.ts'
import { ALL_SCOPES } from '../scopes.ts'
import { appEndpoint } from './app-endpoint.ts'
import { None, Nothing } from './bodies.ts'
import { PersonReference } from './people.ts'
import { TeamParams } from './team-settings.ts'

const TokenId = Type.Unsafe<TokenIdType>({ type: 'string' })

/** What each scope allows is in `SCOPES`. */
const ScopeList = Type.Array(Type.Enum([...ALL_SCOPES]), { minItems: 1 })
const OptionalTimestamp = Type.Union([Timestamp, Type.Null()])

export const ApiToken = Type.Object({
  id: TokenId,
  name: Type.String(),
  /** The first characters of the secret, to distinguish tokens. */
  prefix: Type.String({ examples: ['mdw_4f7k'] }),
  scopes: ScopeList,
  state: Type.Enum(['valid', 'expired', 'revoked']),
  createdAt: Timestamp,
  /** Null: by the operator, or by a deleted account. */
  createdBy: Type.Union([PersonReference, Type.Null()]),
  /** To the minute. Null: never used. */
  lastUsedAt: OptionalTimestamp,
  expiresAt: OptionalTimestamp,
  revokedAt: OptionalTimestamp,
  /** Why the server ended it at `revokedAt`: its creator left the team, or may not create tokens any more. */
  endReason: Type.Union([Type.Enum([...TOKEN_END_REASONS]), Type.Null()]),
})
export type ApiToken = Static<typeof ApiToken>

/** A viewer sees only the tokens that they created themselves, before they were a viewer. */
export const listApiTokens = appEndpoint({
  name: 'listApiTokens',
  method: 'GET',
  path: '/teams/:teamId/tokens',
  summary: "The team's API tokens, the newest first, revoked and expired ones too.",
  needs: 'viewer',
  params: TeamParams,
  query: None,
  body: undefined,
  response: Type.Object({ tokens: Type.Array(ApiToken) }),
  errors: [],
})

export const createApiToken = appEndpoint({
  name: 'createApiToken',
  method: 'POST',
  path: '/teams/:teamId/tokens',
  summary: 'Create an API token. Its secret is shown this once.',
  needs: 'member',
  params: TeamParams,
  query: None,
  body: Type.Object({
    name: Type.String(),
    /** All of them when left out. */
    scopes: Type.Optional(ScopeList),
    /** Null or left out: it does not expire. */
    expiresAt: Type.Optional(OptionalTimestamp),
  }),
  response: Type.Object({ token: ApiToken, secret: Type.String() }),
  status: 201,
  errors: ['role_missing', 'name_not_acceptable', 'expiry_not_acceptable'],
})

/** Owners revoke any token; others the tokens that they created, regardless of their current role. */
export const revokeApiToken = appEndpoint({
  name: 'revokeApiToken',
  method: 'DELETE',
  path: '/teams/:teamId/tokens/:tokenId',
  summary: 'Revoke an API token: the next request with it is rejected.',
  needs: 'viewer',
  params: Type.Object({ teamId: Type.String(), tokenId: Type.String() }),
  query: None,
  body: undefined,
  response: Nothing,
  errors: ['token_not_found', 'role_missing'],
})
