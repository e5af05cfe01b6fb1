import type { TokenId } from '@meadow/contract'
import type { Database } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'

/**
 * Sums what API tokens read: by token, day and endpoint. Requests are counted in memory and written once a minute and
 * at the end, so that reading the API causes no writes. A process that is killed loses the counts of a minute at most.
 */
export interface TokenReads {
  /** Counts reads; `endpoint` is the pattern of the endpoint's path. */
  count(token: TokenId, endpoint: string, reads?: number): void
  /** Writes what was counted since the last time. */
  flush(): Promise<void>
  /** Flushes, and stops the timer. */
  close(): Promise<void>
}

const FLUSH_EVERY_MS = 60_000

/** Counts by token and endpoint. */
type Counts = Map<TokenId, Map<string, number>>

export function createTokenReads(
  database: Pick<Database, 'transaction'>,
  log: Pick<Log, 'error'>,
  now: () => number = Date.now,
): TokenReads {
  let counts: Counts = new Map()

  function count(token: TokenId, endpoint: string, reads = 1): void {
    const ofToken = counts.get(token)
    if (ofToken) ofToken.set(endpoint, (ofToken.get(endpoint) ?? 0) + reads)
    else counts.set(token, new Map([[endpoint, reads]]))
  }

  async function flush(): Promise<void> {
    if (counts.size === 0) return
    const counted = counts
    counts = new Map()
    const day = new Date(now()).toISOString().slice(0, 'yyyy-mm-dd'.length)
    try {
      await database.transaction(async (write) => {
        // The rows are written in one order, so that processes that write at once cannot deadlock.
        for (const [token, endpoint, reads] of listCounts(counted).sort(compare)) {
          await write
            .insertInto('token_reads')
            .columns(['token_id', 'day', 'endpoint', 'reads'])
            // No row is written for a token that was deleted with its team.
            .expression(({ selectFrom, val }) =>
              selectFrom('token')
                .where('public_id', '=', token)
                .select(['id', val(day).as('day'), val(endpoint).as('endpoint'), val(reads).as('reads')]),
            )
            .onConflict((conflict) =>
              conflict.columns(['token_id', 'day', 'endpoint']).doUpdateSet(({ eb, ref }) => ({
                reads: eb('token_reads.reads', '+', ref('excluded.reads')),
              })),
            )
            .execute()
        }
      })
    } catch (error) {
      for (const [token, endpoint, reads] of listCounts(counted)) count(token, endpoint, reads)
      throw error
    }
  }
  const flushIfPossible = () =>
    flush().catch((error) => log.error({ err: error }, 'the reads of tokens could not be noted'))

  const timer = setInterval(flushIfPossible, FLUSH_EVERY_MS).unref()

  return {
    count,
    flush,
    async close() {
      clearInterval(timer)
      await flushIfPossible()
    },
  }
}

const listCounts = (counts: Counts): [TokenId, string, number][] =>
  [...counts].flatMap(([token, ofToken]) =>
    [...ofToken].map(([endpoint, reads]): [TokenId, string, number] => [token, endpoint, reads]),
  )

function compare([a, x]: [TokenId, string, number], [b, y]: [TokenId, string, number]): number {
  if (a !== b) return a < b ? -1 : 1
  if (x === y) return 0
  return x < y ? -1 : 1
}
