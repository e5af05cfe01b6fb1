import { ALL_SCOPES, canMakeTokens } from '@meadow/contract'
import { createApiToken, listApiTokens, revokeApiToken } from '@meadow/contract/web'
import { createTokenSecret } from '../../access/tokens.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { serveApp } from '../../http/app-api/app-route.ts'
import { readNameInput } from '../../http/app-api/read-input.ts'
import { HttpError } from '../../http/http-error.ts'
import type { ApiTokenStore } from './api-tokens.store.ts'

export interface ApiTokenParts {
  store: ApiTokenStore
  catalogue: Pick<Catalogue, 'changeTeamFor'>
  /** Writes the times of use that are still in memory, which the list shows. */
  flushUse(): Promise<void>
}

const TEN_YEARS_MS = 3653 * 24 * 3600 * 1000

export const apiTokenRoutes = ({ store, catalogue, flushUse }: ApiTokenParts) => [
  serveApp(listApiTokens, async ({ access, person }) => {
    await flushUse()
    const maker = canMakeTokens(access.role) ? undefined : person.userId
    return { tokens: await store.list(access.team, maker) }
  }),

  serveApp(createApiToken, async ({ access, body, person, actor }) => {
    const name = readNameInput(body.name)
    const expiresAt = readExpiry(body.expiresAt ?? undefined)
    const secret = createTokenSecret()
    const scopes = body.scopes ?? ALL_SCOPES
    const { id } = await catalogue.changeTeamFor(actor, (change) =>
      change.createToken({ name, secret, scopes, expiresAt, createdBy: person.userId }),
    )
    return { token: (await store.find(access.team, id))!, secret }
  }),

  serveApp(revokeApiToken, async ({ access, params, person, actor }) => {
    const token = await store.find(access.team, params.tokenId)
    if (!token) throw new HttpError('token_not_found')
    const isOwn = token.createdBy?.id === person.userId
    if (access.role !== 'owner' && !isOwn) {
      // A viewer must not learn which tokens of others exist.
      throw new HttpError(canMakeTokens(access.role) ? 'role_missing' : 'token_not_found')
    }
    const needs = isOwn ? 'viewer' : 'owner'
    await catalogue.changeTeamFor({ ...actor, needs }, (change) => change.revokeToken(token.id))
  }),
]

function readExpiry(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const at = Date.parse(text)
  const now = Date.now()
  if (!(at > now && at <= now + TEN_YEARS_MS)) throw new HttpError('expiry_not_acceptable')
  return at
}
