import { ALL_SCOPES, DEFAULT_TOKEN_DAYS, type Scope } from '@meadow/contract/terms'
import type { Select } from '../platform/database/database.ts'
import { timeOf } from '../platform/database/database-clock.ts'
import type { TeamKey } from '../platform/database/tables.ts'
import type { TeamTransaction } from '../team/team-transaction.ts'
import { readScopes, writeScopes } from './tokens.ts'

/** What a team allows its tokens, those that exist included. */
export interface TokenPolicy {
  /** The longest life in days; null: any, and tokens may have no end. */
  longestDays: number | null
  scopes: Scope[]
  /** The networks that all tokens work from; none: any. */
  addresses: string[]
}

/** How many of the existing tokens got an earlier end, lost scopes, or ended because they had no other. */
export interface TokenPolicyEffect {
  shortened: number
  narrowed: number
  ended: number
}

/** The team's policy does not allow the token. The code is that of the `HttpError`. */
export class TokenPolicyError extends Error {
  readonly code: 'expiry_beyond_policy' | 'scope_not_in_policy'
  constructor(code: TokenPolicyError['code'], sentence: string) {
    super(sentence)
    this.code = code
  }
}

const DAY_MS = 86_400_000
/** The clocks of those who choose a time may differ from the server's. */
const CLOCK_DIFFERENCE_MS = 3_600_000

export async function readTokenPolicy(read: Select, team: TeamKey): Promise<TokenPolicy> {
  const row = await read
    .selectFrom('team')
    .where('id', '=', team)
    .select(['token_longest_days', 'token_scopes', 'token_addresses'])
    .executeTakeFirstOrThrow()
  return {
    longestDays: row.token_longest_days,
    scopes: row.token_scopes === null ? [...ALL_SCOPES] : readScopes(row.token_scopes),
    addresses: readList(row.token_addresses),
  }
}

/** Returns when a token ends whose maker chose no end, in milliseconds since 1970. */
export const defaultExpiry = ({ longestDays }: TokenPolicy, now: number): number =>
  now + Math.min(DEFAULT_TOKEN_DAYS, longestDays ?? DEFAULT_TOKEN_DAYS) * DAY_MS

/** The end of a token within the policy. Throws a {@link TokenPolicyError} when it lasts longer, or has another scope. */
export function applyTokenPolicy(
  { longestDays, scopes: allowed }: TokenPolicy,
  { expiresAt, scopes }: { expiresAt: number | null; scopes: readonly Scope[] },
  now: number,
): number | null {
  const other = scopes.find((scope) => !allowed.includes(scope))
  if (other) {
    throw new TokenPolicyError(
      'scope_not_in_policy',
      `The team's policy does not allow API tokens with the scope ${other}.`,
    )
  }
  if (longestDays === null) return expiresAt
  const latest = now + longestDays * DAY_MS
  if (expiresAt === null || expiresAt > latest + CLOCK_DIFFERENCE_MS) {
    throw new TokenPolicyError(
      'expiry_beyond_policy',
      `The team's policy allows API tokens to last ${longestDays} ${longestDays === 1 ? 'day' : 'days'} at most.`,
    )
  }
  return Math.min(expiresAt, latest)
}

/**
 * Changes the members of the policy that are given, and what it takes from existing tokens: one that would last longer
 * than a new token ends as a new one would, and scopes that are no longer allowed are taken away for good.
 */
export async function setTokenPolicy(
  { write, team, record }: TeamTransaction,
  changes: Partial<TokenPolicy>,
  now = timeOf(write),
): Promise<{ policy: TokenPolicy; effect: TokenPolicyEffect }> {
  const policy = { ...(await readTokenPolicy(write, team)), ...changes }
  const isAll = ALL_SCOPES.every((scope) => policy.scopes.includes(scope))
  await write
    .updateTable('team')
    .set({
      token_longest_days: policy.longestDays,
      token_scopes: isAll ? null : writeScopes(policy.scopes),
      token_addresses: writeList(policy.addresses),
    })
    .where('id', '=', team)
    .execute()
  const tokens = await write
    .selectFrom('token')
    .where('team_id', '=', team)
    .where('revoked_at', 'is', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .select(['id', 'public_id', 'name', 'scopes', 'expires_at'])
    .execute()
  const latest = policy.longestDays === null ? Number.POSITIVE_INFINITY : now + policy.longestDays * DAY_MS
  const effect = { shortened: 0, narrowed: 0, ended: 0 }
  for (const { id, public_id, name, scopes: list, expires_at } of tokens) {
    const scopes = readScopes(list)
    const kept = scopes.filter((scope) => policy.scopes.includes(scope))
    const isEnded = kept.length === 0
    const isNarrowed = kept.length < scopes.length
    const isShortened = (expires_at ?? Number.POSITIVE_INFINITY) > latest
    if (!isNarrowed && !isShortened) continue
    await write
      .updateTable('token')
      .set(
        isEnded
          ? { revoked_at: now, end_reason: 'policy' }
          : {
              scopes: writeScopes(kept),
              ...(isShortened && { expires_at: latest }),
            },
      )
      .where('id', '=', id)
      .execute()
    if (isEnded) {
      effect.ended++
      const target = { kind: 'token', id: public_id, name }
      record({ action: 'token.ended', target, details: { reason: 'policy' } })
    } else {
      if (isNarrowed) effect.narrowed++
      if (isShortened) effect.shortened++
    }
  }
  record({
    action: 'token.policy_changed',
    details: { ...policy, ...effect },
  })
  return { policy, effect }
}

/** Networks or origins as they are stored: separated by spaces, null for none. */
export const writeList = (list: readonly string[]): string | null =>
  list.length === 0 ? null : list.join(' ')

export const readList = (text: string | null): string[] => text?.split(' ') ?? []
