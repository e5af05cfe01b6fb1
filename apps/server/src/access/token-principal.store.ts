import type { Scope, TeamId, TokenId } from '@meadow/contract'
import { LRUCache } from 'lru-cache'
import type { Database } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { readScopes } from './tokens.ts'

/** A valid API token and its team. */
export interface TokenPrincipal {
  tokenId: TokenId
  scopes: ReadonlySet<Scope>
  team: TeamKey
  teamId: TeamId
  teamName: string
  /** Data that was read of the team is up to date while this number is the same. */
  teamVersion: number
  /** The request came under the host name of another team (decision 3). */
  atHostOfAnotherTeam: boolean
  /** When the token expires, in milliseconds since 1970; null: never. */
  expiresAt: number | null
}

export interface TokenPrincipalStore {
  /**
   * The principal of the token with this hash; undefined when there is none, or it has expired or was revoked. Called for
   * every request, so that a revoked token is rejected by the very next one. The result is cached until the next commit.
   * `host` is the request's host name in lower case, without the port.
   */
  findPrincipal(
    tokenHash: Uint8Array,
    host: string,
    nowMs: number,
  ): TokenPrincipal | undefined | Promise<TokenPrincipal | undefined>
}

export function createTokenPrincipalStore(database: Database): TokenPrincipalStore {
  const validToken = database.prepare((read, { hash, host, nowMs }: ValidTokenParameters) =>
    read
      .selectFrom('token')
      .innerJoin('team', 'team.id', 'token.team_id')
      .leftJoin('team as team_of_host', (join) => join.on('team_of_host.host', '=', host))
      .where('token.hash', '=', hash)
      .where('token.revoked_at', 'is', null)
      .where(({ or, eb }) => or([eb('token.expires_at', 'is', null), eb('token.expires_at', '>', nowMs)]))
      .select([
        'token.public_id as tokenId',
        'token.scopes',
        'token.expires_at as expiresAt',
        'team.id as team',
        'team.public_id as teamId',
        'team.name as teamName',
        'team.version as teamVersion',
        'team_of_host.id as teamOfHost',
      ]),
  )
  const scopesOf = createScopeSets()
  const cache = new LRUCache<string, CachedPrincipal>({ max: MAX_CACHED })

  async function readPrincipal(
    key: string,
    commitCounter: number | undefined,
    parameters: ValidTokenParameters,
  ): Promise<TokenPrincipal | undefined> {
    const row = await validToken.first(parameters)
    if (!row) return undefined
    const { scopes, teamOfHost, ...rest } = row
    const atHostOfAnotherTeam = teamOfHost !== null && teamOfHost !== row.team
    const principal = { ...rest, scopes: scopesOf(scopes), atHostOfAnotherTeam }
    if (commitCounter !== undefined)
      cache.set(key, { principal, expiresAt: row.expiresAt ?? Number.POSITIVE_INFINITY, commitCounter })
    return principal
  }

  return {
    findPrincipal(hash, requestHost, nowMs) {
      const host = requestHost.length > MAX_HOST_LENGTH ? NO_HOST : requestHost
      // Read before the row: after a commit in between, the cached row counts as outdated.
      const commitCounter = database.readCommitCounter()
      const key = host + Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('latin1')
      const cached = cache.get(key)
      if (cached && cached.commitCounter === commitCounter && cached.expiresAt > nowMs)
        return cached.principal
      return readPrincipal(key, commitCounter, { hash, host, nowMs })
    },
  }
}

const MAX_CACHED = 1000
/** No team has a longer host name. A caller may send tens of kilobytes, which are not cached. */
const MAX_HOST_LENGTH = 253
const NO_HOST = ''

interface CachedPrincipal {
  principal: TokenPrincipal
  expiresAt: number
  /** The commit counter before the principal was read. */
  commitCounter: number
}

interface ValidTokenParameters {
  hash: Uint8Array
  host: string
  nowMs: number
}

/** Tokens have few different lists of scopes; each is parsed once. */
function createScopeSets(): (list: string) => ReadonlySet<Scope> {
  const cached = new Map<string, ReadonlySet<Scope>>()
  return (list) => {
    const scopes = cached.get(list) ?? new Set(readScopes(list))
    cached.set(list, scopes)
    return scopes
  }
}
