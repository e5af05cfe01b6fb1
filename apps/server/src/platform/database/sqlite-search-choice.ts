import { LONGEST_GRAM, type QueryTokens } from './search-tokens.ts'
import type { SqliteSearchReads } from './sqlite-search-reads.ts'

/** From here on it is cheaper to look at each document of a short list than to search a long one for it. */
const MUCH_RARER = 256n

/**
 * Which of a query's tokens to ask the index for. To walk lists together costs what the shortest one costs, times
 * their number; what is not asked for is compared by name, which costs about as much as a step in a second list.
 * Undefined when one of the tokens is nowhere, and so nothing can be found.
 */
export function chooseTokens(
  reads: SqliteSearchReads,
  { grams, folder, team }: QueryTokens,
): string[] | undefined {
  if (folder === undefined && grams.length <= 1) return grams.length > 0 ? grams : [team]
  const sampled = sample(reads, folder === undefined ? grams : [folder, ...grams])
  if (!sampled) return undefined
  const place = folder === undefined ? undefined : sampled.shift()
  const [rarest, ...others] = sampled.sort((a, b) => Number(b.span > a.span) - Number(b.span < a.span))
  if (!rarest) return [folder ?? team]
  if (place) return place.span > MUCH_RARER * rarest.span ? [place.token] : [rarest.token, place.token]
  // Grams that overlap are found together anyway.
  const apart = others.find(({ at }) => Math.abs(at - rarest.at) >= LONGEST_GRAM)
  return apart ? [rarest.token, apart.token] : [rarest.token]
}

interface SampledToken {
  token: string
  /** Its place among the tokens. */
  at: number
  /** The wider the newest few documents lie apart, the fewer there are. */
  span: bigint
}

/** Undefined when one of the tokens is nowhere. */
function sample(reads: SqliteSearchReads, tokens: string[]): SampledToken[] | undefined {
  const sampled: SampledToken[] = []
  for (const [at, token] of tokens.entries()) {
    const span = reads.spanOfNewest(token)
    if (span === undefined) return undefined
    sampled.push({ token, at, span })
  }
  return sampled
}
