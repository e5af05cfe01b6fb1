import type { TokenId } from '@meadow/contract'
import type { Database, Write } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'

/**
 * Records the use of API tokens: when each was last used and from where, and what it read, summed by day and endpoint.
 * Requests record it in memory, and it is written once a minute and at the end, so that reading the API causes no writes
 * and does not raise the team's version. A process that is killed loses what was recorded in a minute at most.
 */
export interface TokenUse {
  /** Records a use; `address` is the address of the client, or empty when it is not known. */
  note(token: TokenId, address: string): void
  /** Counts reads; `endpoint` is the pattern of the endpoint's path. */
  count(token: TokenId, endpoint: string, reads?: number): void
  /** Writes what was recorded since the last time. */
  flush(): Promise<void>
  /** Flushes, and stops the timer. */
  close(): Promise<void>
}

const FLUSH_EVERY_MS = 60_000

/** The last use of each token. */
type Uses = Map<TokenId, { at: number; from: string }>
/** Counts of reads by token and endpoint. */
type Counts = Map<TokenId, Map<string, number>>

export function createTokenUse(
  database: Pick<Database, 'transaction'>,
  log: Pick<Log, 'error'>,
  now: () => number = Date.now,
): TokenUse {
  let uses: Uses = new Map()
  let counts: Counts = new Map()

  function count(token: TokenId, endpoint: string, reads = 1): void {
    const ofToken = counts.get(token)
    if (ofToken) ofToken.set(endpoint, (ofToken.get(endpoint) ?? 0) + reads)
    else counts.set(token, new Map([[endpoint, reads]]))
  }

  async function flush(): Promise<void> {
    if (uses.size === 0 && counts.size === 0) return
    const used = uses
    const counted = counts
    uses = new Map()
    counts = new Map()
    const day = new Date(now()).toISOString().slice(0, 'yyyy-mm-dd'.length)
    try {
      // The rows are written in one order, so that processes that write at once cannot deadlock.
      await database.transaction(async (write) => {
        await writeUses(write, used)
        await writeCounts(write, counted, day)
      })
    } catch (error) {
      // All is kept for the next flush; uses that were recorded in the meantime are newer.
      uses = new Map([...used, ...uses])
      for (const [token, endpoint, reads] of listCounts(counted)) count(token, endpoint, reads)
      throw error
    }
  }
  const flushIfPossible = () =>
    flush().catch((error) => log.error({ err: error }, 'the use of tokens could not be noted'))

  const timer = setInterval(flushIfPossible, FLUSH_EVERY_MS).unref()

  return {
    note: (token, from) => void uses.set(token, { at: now(), from }),
    count,
    flush,
    async close() {
      clearInterval(timer)
      await flushIfPossible()
    },
  }
}

async function writeUses(write: Write, uses: Uses): Promise<void> {
  for (const [token, { at, from }] of [...uses].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await write
      .updateTable('token')
      .set({ last_used_at: at, last_used_from: from || null })
      .where('public_id', '=', token)
      .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
      .execute()
  }
}

async function writeCounts(write: Write, counts: Counts, day: string): Promise<void> {
  for (const [token, endpoint, reads] of listCounts(counts).sort(compare)) {
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
