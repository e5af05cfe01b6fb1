import type { MemberRole } from './members.ts'

/** Whether someone with this role may create API tokens, and keep their own. */
export const canMakeTokens = (role: MemberRole): boolean => role !== 'viewer'

/**
 * Who an API token belongs to: a personal one to its creator, with whose membership it ends; a service token to the team,
 * until an owner ends it (decision 38).
 */
export const TOKEN_KINDS = ['personal', 'service'] as const
export type TokenKind = (typeof TOKEN_KINDS)[number]

/**
 * Why the server ended an API token: its creator left the team, their role may not make tokens any more, the team's policy
 * left it no scope, or its secret was reported as known to others.
 */
export const TOKEN_END_REASONS = ['maker_left', 'maker_role', 'policy', 'leaked'] as const
export type TokenEndReason = (typeof TOKEN_END_REASONS)[number]

/** How long a token lasts unless its maker picks another end, in days. */
export const DEFAULT_TOKEN_DAYS = 90

/** The lives that are offered, in days. */
export const TOKEN_LIVES = [7, 30, 90, 365] as const

/** The longest life that a date can give a token, in days: ten years. */
export const MAX_TOKEN_DAYS = 3653

/** How long before its end a token is said to end soon, in days. */
export const TOKEN_NOTICE_DAYS = 7

/** The offered numbers of hours for which a token stays valid beside the token that replaces it. */
export const TOKEN_OVERLAPS = [0, 1, 24, 168] as const
export type TokenOverlap = (typeof TOKEN_OVERLAPS)[number]

/** How many addresses and networks a list may have. */
export const MAX_TOKEN_ADDRESSES = 50
/** How many origins a token may have. */
export const MAX_TOKEN_ORIGINS = 20

const DAY_MS = 86_400_000

/** What determines whether a token ends soon. Times are in milliseconds since 1970. */
interface Life {
  createdAt: number
  expiresAt: number | null
}

/**
 * Whether a valid token ends within `TOKEN_NOTICE_DAYS`. Tokens whose whole life is not longer than that are not
 * announced.
 */
export const endsSoon = ({ createdAt, expiresAt }: Life, now: number): boolean =>
  expiresAt !== null &&
  expiresAt > now &&
  expiresAt - now <= TOKEN_NOTICE_DAYS * DAY_MS &&
  expiresAt - createdAt > TOKEN_NOTICE_DAYS * DAY_MS
