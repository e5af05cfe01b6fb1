import type { Scope, TeamId, TokenId } from '@meadow/contract'
import { LRUCache } from 'lru-cache'
import { leadOf } from '../platform/database/clock-record.ts'
import type { Database, MaybePromise } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import { createNetworkMatcher } from '../platform/networks.ts'
import type { ResourceScope } from './resource-scope.ts'
import { hashToken, looksLikeToken, readScopes } from './tokens.ts'

/** A valid API token and its team. */
export interface TokenPrincipal {
  tokenId: TokenId
  scopes: ReadonlySet<Scope>
  /** The team, or the part of it that the token is limited to. */
  resourceScope: ResourceScope
  teamId: TeamId
  teamName: string
  /** The version of the team. Data that was read of the team is up to date while it is the same. */
  teamVersion: number
  /** Whether the request came under the host name of the team. */
  atHostOfTeam: boolean
  /** Whether the request came under the host name of another team (decision 3). */
  atHostOfAnotherTeam: boolean
  /** Whether the token works from a client's address; undefined when it works from any. */
  allowsAddress: ((address: string) => boolean) | undefined
  /** The origins whose pages may read the responses to the token; undefined for none. */
  origins: ReadonlySet<string> | undefined
  /** When the token expires, in milliseconds since 1970 by the clock as it is now; null when it never does. */
  expiresAt: number | null
  /** The database's commit counter before all of this was read; undefined when commits cannot be distinguished. */
  commitCounter: number | undefined
}

export interface TokenPrincipalStore {
  /**
   * Finds the principal of this secret, which may be any text; undefined when there is no such token, or it has expired
   * or was revoked. It is called for every request, so that the next request with a revoked token is rejected. The
   * result is cached until the next commit. `host` is the request's host name in lower case, without the port.
   */
  findPrincipal(secret: string, host: string, nowMs?: number): MaybePromise<TokenPrincipal | undefined>
  /** Whether a token that was not revoked has this origin. A browser asks so before it sends the token of a page. */
  knowsOrigin(origin: string): Promise<boolean>
}

/**
 * An origin as browsers send it: https, or http of this machine; `null` for a page in a sandbox. A name with an asterisk is
 * none: it would look like a pattern, and match no page.
 */
export const isOrigin = (text: string): boolean =>
  text === 'null' ||
  (URL.parse(text)?.origin === text &&
    /^(https:\/\/[^*]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?)$/.test(text))

/** Reads an origin that a person wrote, as a browser sends it: without the default port, and names as ASCII. */
export function readOrigin(text: string): string | undefined {
  const written = text.trim().toLowerCase()
  const url = URL.parse(written)
  const origin = url && url.href === `${url.origin}/` ? url.origin : written
  return isOrigin(origin) ? origin : undefined
}

export function createTokenPrincipalStore(database: Database): TokenPrincipalStore {
  const validToken = database.prepare((read, { hash, host }: { hash: Uint8Array; host: string }) =>
    read
      .selectFrom('token')
      .innerJoin('team', 'team.id', 'token.team_id')
      .leftJoin('service_clock as clock', (join) => join.onTrue())
      .leftJoin('team as team_of_host', (join) => join.on('team_of_host.host', '=', host))
      .where('token.hash', '=', hash)
      .where('token.revoked_at', 'is', null)
      .where('team.deleted_at', 'is', null)
      .select([
        'token.id as token',
        'token.is_limited as isLimited',
        'token.public_id as tokenId',
        'token.scopes',
        'token.expires_at as expiresAt',
        'clock.seen_at',
        'clock.lead_ms as leadMs',
        'token.addresses',
        'token.origins',
        'team.token_addresses as teamAddresses',
        'team.id as team',
        'team.public_id as teamId',
        'team.name as teamName',
        'team.version as teamVersion',
        'team_of_host.id as teamOfHost',
      ]),
  )
  const withOrigins = database.prepare((read, _: object) =>
    read
      .selectFrom('token')
      .where('origins', 'is not', null)
      .where('revoked_at', 'is', null)
      .select('origins')
      .distinct(),
  )
  const originsOf = cached((list) => new Set(list.split(' ')))
  const scopesOf = cached((list) => new Set(readScopes(list)))
  const matcherOf = cached((list) => createNetworkMatcher(list.split(' ')))
  const cache = new LRUCache<string, TokenPrincipal>({ max: MAX_CACHED })

  async function readPrincipal(
    key: string,
    commitCounter: number | undefined,
    { secret, host, nowMs = timeOf(database.read) }: Wanted,
  ): Promise<TokenPrincipal | undefined> {
    const row = await validToken.first({ hash: hashToken(secret), host })
    if (!row) return undefined
    const { scopes, teamOfHost, team, token, isLimited, addresses, origins, teamAddresses, ...others } = row
    const { seen_at, leadMs, ...rest } = others
    // The lead of a clock that has jumped does not make a token expire.
    const leadOfClock = seen_at === null ? 0 : leadOf({ seen_at, leadMs: leadMs! }, nowMs)
    const expiresAt = rest.expiresAt === null ? null : rest.expiresAt + leadOfClock
    if (expiresAt !== null && expiresAt <= nowMs) return undefined
    const matchers = [addresses, teamAddresses].filter((list) => list !== null).map(matcherOf)
    const principal = {
      ...rest,
      expiresAt,
      resourceScope: isLimited === 1 ? { team, token } : team,
      scopes: scopesOf(scopes),
      origins: origins === null ? undefined : originsOf(origins),
      atHostOfTeam: teamOfHost === team,
      atHostOfAnotherTeam: teamOfHost !== null && teamOfHost !== team,
      allowsAddress:
        matchers.length === 0
          ? undefined
          : (address: string) => matchers.every((isWithin) => isWithin(address)),
      commitCounter,
    }
    if (commitCounter !== undefined) cache.set(key, principal)
    return principal
  }

  /** Returns the principal as of this commit counter, or later; `cached` is what was read of it before. */
  function findAt(
    commitCounter: number | undefined,
    key: string,
    cached: TokenPrincipal | undefined,
    wanted: Wanted,
  ): MaybePromise<TokenPrincipal | undefined> {
    if (cached && cached.commitCounter === commitCounter) {
      const { expiresAt } = cached
      if (expiresAt === null || expiresAt > (wanted.nowMs ?? timeOf(database.read))) return cached
    }
    return readPrincipal(key, commitCounter, wanted)
  }

  return {
    async knowsOrigin(origin) {
      if (!isOrigin(origin)) return false
      const lists = await withOrigins.all({})
      return lists.some(({ origins }) => originsOf(origins!).has(origin))
    },
    findPrincipal(secret, requestHost, nowMs) {
      const host = requestHost.length > MAX_HOST_LENGTH ? NO_HOST : requestHost
      const key = `${host} ${secret}`
      const cached = cache.get(key)
      if (!cached && !looksLikeToken(secret)) return undefined
      const wanted = { secret, host, nowMs }
      // The counter is read before the row, so that after a commit in between the cached row counts as outdated.
      const commitCounter = database.readCommitCounter()
      return commitCounter instanceof Promise
        ? commitCounter.then((counter) => findAt(counter, key, cached, wanted))
        : findAt(commitCounter, key, cached, wanted)
    },
  }
}

const MAX_CACHED = 1000
/** No team has a longer host name. A caller may send a host name of tens of kilobytes, which is not cached. */
const MAX_HOST_LENGTH = 253
const NO_HOST = ''

interface Wanted {
  secret: string
  host: string
  /** The time by which the token has to be valid, in milliseconds since 1970; by default that of the database. */
  nowMs: number | undefined
}

/** Caches parsed lists. Tokens have few different lists of scopes and of addresses, and each is parsed once. */
function cached<T extends object>(parse: (list: string) => T): (list: string) => T {
  const parsed = new LRUCache<string, T>({ max: MAX_CACHED })
  return (list) => {
    const value = parsed.get(list) ?? parse(list)
    parsed.set(list, value)
    return value
  }
}
