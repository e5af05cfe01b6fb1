import { MAX_TOKEN_DAYS, type MemberRole, type UserId } from '@meadow/contract'
import {
  APP_ERRORS,
  type ApiToken,
  changeTokenPolicy,
  createApiToken,
  listApiTokens,
  type NewApiToken,
  replaceApiToken,
  revokeApiToken,
} from '@meadow/contract/web'
import { changeTeamFor } from '../../access/current-roles.ts'
import { createToken, replaceToken, revokeToken, TokenNotReplaceableError } from '../../access/team-tokens.ts'
import {
  defaultExpiry,
  readTokenPolicy,
  setTokenPolicy,
  type TokenPolicy,
  TokenPolicyError,
} from '../../access/token-policy.ts'
import { readOrigin } from '../../access/token-principal.store.ts'
import { createTokenSecret } from '../../access/tokens.ts'
import { type AppRequest, serveApp } from '../../http/app-api/app-route.ts'
import { rethrowFilingError } from '../../http/app-api/filing-errors.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import type { Database, Select } from '../../platform/database/database.ts'
import { timeOf } from '../../platform/database/database-clock.ts'
import type { TeamKey } from '../../platform/database/tables.ts'
import { isNetwork } from '../../platform/networks.ts'
import type { ApiTokenStore } from './api-tokens.store.ts'
import { needsFor } from './device-authorization.store.ts'

export interface ApiTokenParts {
  store: ApiTokenStore
  database: Database
  /** Writes the times of use that are still in memory, which the list shows. */
  flushUse(): Promise<void>
}

const DAY_MS = 86_400_000

export const apiTokenRoutes = ({ store, database, flushUse }: ApiTokenParts) => [
  serveApp(listApiTokens, async ({ access, person }) => {
    await flushUse()
    const maker = access.role === 'owner' ? undefined : person.userId
    const policy = await readTokenPolicy(database.read, access.team)
    return { tokens: await store.list(access.team, maker), policy }
  }),

  serveApp(createApiToken, async (request) => {
    const { token, actor } = await readNewToken(database.read, request, request.body)
    const secret = createTokenSecret()
    const { id } = await changeTeamFor(database, actor, (change) =>
      createToken(change, { ...token, secret, createdBy: actor.user }),
    ).catch(rethrowTokenError)
    return { token: (await store.find(actor.team, id))!, secret }
  }),

  serveApp(replaceApiToken, async ({ access, body, params, person, actor }) => {
    const { id, kind, createdBy } = await getVisible(store, access, params.tokenId, person.userId)
    // Whoever replaces a token learns the new secret, which acts for its maker.
    const mayReplace = kind === 'service' ? access.role === 'owner' : createdBy?.id === person.userId
    if (!mayReplace) throw new HttpError('role_missing')
    const needs = kind === 'service' ? 'owner' : actor.needs
    const replacement = await changeTeamFor(database, { ...actor, needs }, (change) =>
      replaceToken(change, id, body.overlapHours),
    ).catch(rethrowTokenError)
    if (!replacement) throw new HttpError('token_not_found')
    const [token, replaced] = await Promise.all(
      [replacement.token.id, id].map(async (each) => (await store.find(access.team, each))!),
    )
    return { token: token!, secret: replacement.secret, replaced: replaced! }
  }),

  serveApp(revokeApiToken, async ({ access, params, person, actor }) => {
    const { id, createdBy } = await getVisible(store, access, params.tokenId, person.userId)
    const needs = createdBy?.id === person.userId ? 'viewer' : 'owner'
    await changeTeamFor(database, { ...actor, needs }, (change) => revokeToken(change, id))
  }),

  serveApp(changeTokenPolicy, async ({ body: { longestDays, scopes, addresses }, actor }) =>
    changeTeamFor(database, actor, (change) =>
      setTokenPolicy(change, {
        ...(longestDays !== undefined && { longestDays }),
        ...(scopes && { scopes }),
        ...(addresses && { addresses: readNetworks(addresses) }),
      }),
    ),
  ),
]

/** Reads what a person has chosen for a new token, and returns it with the actor who may create that. */
export async function readNewToken(
  read: Select,
  { access, actor }: Pick<AppRequest<typeof createApiToken>, 'access' | 'actor'>,
  { kind = 'personal', ...body }: NewApiToken,
) {
  if (kind === 'service' && access.role !== 'owner') throw new HttpError('role_missing')
  const policy = await readTokenPolicy(read, access.team)
  const token = {
    kind,
    name: readNameInput(body.name),
    scopes: body.scopes ?? policy.scopes,
    expiresAt: readExpiry(body.expiresAt, policy, timeOf(read)),
    addresses: readNetworks(body.addresses ?? []),
    origins: readOrigins(body.origins ?? []),
    folders: body.folders ?? undefined,
  }
  return { token, actor: { ...actor, needs: needsFor(token) } }
}

/** Owners see all tokens. To others, those that they did not create look as if they did not exist. */
async function getVisible(
  store: ApiTokenStore,
  access: { team: TeamKey; role: MemberRole },
  id: string,
  user: UserId,
): Promise<ApiToken> {
  const token = await store.find(access.team, id)
  if (!token || (access.role !== 'owner' && token.createdBy?.id !== user))
    throw new HttpError('token_not_found')
  return token
}

/** Returns null for a token that never expires. */
function readExpiry(text: string | null | undefined, policy: TokenPolicy, now: number): number | null {
  if (text === undefined) return defaultExpiry(policy, now)
  if (text === null) return null
  const at = Date.parse(text)
  if (!(at > now && at <= now + MAX_TOKEN_DAYS * DAY_MS)) throw new HttpError('expiry_not_acceptable')
  return at
}

const readNetworks = (list: readonly string[]): string[] =>
  readEach(list, 'addresses_not_acceptable', (text) => {
    const network = text.trim().toLowerCase()
    return isNetwork(network) ? network : undefined
  })

const readOrigins = (list: readonly string[]): string[] =>
  readEach(list, 'origins_not_acceptable', readOrigin)

/** Reads what a person has listed, each once. The error names the first text that cannot be read. */
function readEach(
  list: readonly string[],
  code: 'addresses_not_acceptable' | 'origins_not_acceptable',
  read: (text: string) => string | undefined,
): string[] {
  const items = list.map((text) => {
    const item = read(text)
    if (item !== undefined) return item
    const sentence = `${JSON.stringify(text)} is not accepted. ${APP_ERRORS[code].sentence}`
    throw new HttpError(code, { sentence })
  })
  return [...new Set(items)]
}

/** Rethrows what `createToken` and `replaceToken` throw as an `HttpError`. */
export function rethrowTokenError(error: unknown): never {
  if (error instanceof TokenPolicyError)
    throw new HttpError(error.code, { sentence: error.message, cause: error })
  if (error instanceof TokenNotReplaceableError)
    throw new HttpError('token_not_replaceable', { cause: error })
  return rethrowFilingError('folder_not_found')(error)
}
