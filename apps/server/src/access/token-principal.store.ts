import type { Scope, TeamId, TokenId } from '@meadow/contract'
import { LRUCache } from 'lru-cache'
import type { Database } from '../platform/database/database.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import { readScopes } from './tokens.ts'

/** Who reads: a token that is valid now, and its team. */
export interface TokenPrincipal {
  tokenId: TokenId
  scopes: ReadonlySet<Scope>
  team: TeamKey
  teamId: TeamId
  teamName: string
  /** What was read of the team stays true for as long as this number does. */
  teamVersion: number
  /** The request came to the host name of a team that is not the token's (decision 3). */
  atHostOfAnotherTeam: boolean
  /** When the token expires, in milliseconds since 1970; null: never. */
  expiresAt: number | null
}

export interface TokenPrincipalStore {
  /**
   * The reader whose token has this hash, or undefined when there is none or it is expired or revoked.
   * Asked for every request, so that a revoked token is refused by the very next one: one prepared statement, or
   * what it said before, as long as nothing was committed since.
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
  const known = new LRUCache<string, KnownReader>({ max: MAX_KNOWN })

  async function readReader(
    key: string,
    mark: number | undefined,
    parameters: ValidTokenParameters,
  ): Promise<TokenPrincipal | undefined> {
    const row = await validToken.first(parameters)
    if (!row) return undefined
    const { scopes, teamOfHost, ...facts } = row
    const atHostOfAnotherTeam = teamOfHost !== null && teamOfHost !== row.team
    const reader = { ...facts, scopes: scopesOf(scopes), atHostOfAnotherTeam }
    if (mark !== undefined)
      known.set(key, { reader, expiresAt: row.expiresAt ?? Number.POSITIVE_INFINITY, mark })
    return reader
  }

  return {
    findPrincipal(hash, givenHost, nowMs) {
      const host = givenHost.length > MAX_HOST_LENGTH ? NO_HOST : givenHost
      // Read before the row is, so that a commit in between makes the row old, never the mark new.
      const mark = database.readCommitCounter()
      const key = host + Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('latin1')
      const before = known.get(key)
      if (before && before.mark === mark && before.expiresAt > nowMs) return before.reader
      return readReader(key, mark, { hash, host, nowMs })
    },
  }
}

const MAX_KNOWN = 1000
/** No team has a longer one; a caller may send tens of kilobytes, of which nothing is to be kept. */
const MAX_HOST_LENGTH = 253
const NO_HOST = ''

interface KnownReader {
  reader: TokenPrincipal
  expiresAt: number
  /** What `readCommitMark` said before the reader was read. */
  mark: number
}

interface ValidTokenParameters {
  hash: Uint8Array
  host: string
  nowMs: number
}

/** Tokens have few different lists of scopes; each is read once. */
function createScopeSets(): (list: string) => ReadonlySet<Scope> {
  const known = new Map<string, ReadonlySet<Scope>>()
  return (list) => {
    const scopes = known.get(list) ?? new Set(readScopes(list))
    known.set(list, scopes)
    return scopes
  }
}
