import type { TokenRecord } from '../catalogue/catalogue.ts'

const showTime = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

/** A token as `--json` shows it: all but its secret. */
export const showToken = (token: TokenRecord, now = Date.now()) => ({
  id: token.id,
  name: token.name,
  hint: token.hint,
  scopes: token.scopes,
  state: stateOf(token, now),
  createdAt: showTime(token.createdAt),
  expiresAt: showTime(token.expiresAt),
  revokedAt: showTime(token.revokedAt),
  endReason: token.endReason,
})

function stateOf({ revokedAt, expiresAt }: TokenRecord, now: number): 'valid' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'valid'
}
