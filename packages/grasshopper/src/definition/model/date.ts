const TICKS_PER_MS = 10_000n
/** 1970 in ticks since the year 1. */
const UNIX_EPOCH = 621_355_968_000_000_000n
/** The last tick of the year 9999, after which .NET has no dates. */
const MAX_TICKS = 3_155_378_975_999_999_999n

/** Formats a date without `Z`, because no time zone is recorded. */
export function formatDate(ticks: bigint | undefined): string | undefined {
  if (ticks === undefined || ticks < 0n || ticks > MAX_TICKS) return undefined
  return new Date(Number((ticks - UNIX_EPOCH) / TICKS_PER_MS)).toISOString().slice(0, -1)
}

/** The ticks of a date in ISO 8601; undefined for any other text. */
export function toTicks(text: string): bigint | undefined {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) return undefined
  const ticks = BigInt(ms) * TICKS_PER_MS + UNIX_EPOCH
  return ticks >= 0n && ticks <= MAX_TICKS ? ticks : undefined
}
