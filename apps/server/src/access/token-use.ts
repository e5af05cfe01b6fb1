import type { TokenId } from '@meadow/contract'
import type { Database } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'

/**
 * Records when API tokens were last used, and from where. Requests record it in memory, and it is written once a
 * minute, so that reading the API causes no writes and does not raise the team's version.
 */
export interface TokenUse {
  /** Records a use; `address` is the address of the client, or empty when it is not known. */
  note(token: TokenId, address: string): void
  /** Writes what was recorded since the last time. */
  flush(): Promise<void>
  /** Flushes, and stops the timer. */
  close(): Promise<void>
}

const FLUSH_EVERY_MS = 60_000

export function createTokenUse(
  database: Pick<Database, 'transaction'>,
  log: Pick<Log, 'error'>,
  now: () => number = Date.now,
): TokenUse {
  let recorded = new Map<TokenId, { at: number; from: string }>()

  async function flush(): Promise<void> {
    if (recorded.size === 0) return
    const used = recorded
    recorded = new Map()
    try {
      await database.transaction(async (write) => {
        // The rows are written in one order, so that processes that write at once cannot deadlock.
        for (const [token, { at, from }] of [...used].sort(([a], [b]) => (a < b ? -1 : 1))) {
          await write
            .updateTable('token')
            .set({ last_used_at: at, last_used_from: from || null })
            .where('public_id', '=', token)
            .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
            .execute()
        }
      })
    } catch (error) {
      // The uses are kept for the next flush; those recorded in the meantime are newer.
      recorded = new Map([...used, ...recorded])
      throw error
    }
  }
  const flushIfPossible = () =>
    flush().catch((error) => log.error({ err: error }, 'the use of tokens could not be noted'))

  const timer = setInterval(flushIfPossible, FLUSH_EVERY_MS).unref()

  return {
    note: (token, from) => void recorded.set(token, { at: now(), from }),
    flush,
    async close() {
      clearInterval(timer)
      await flushIfPossible()
    },
  }
}
