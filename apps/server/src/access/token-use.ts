import type { TokenId } from '@meadow/contract'
import type { Database } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'

/**
 * Remembers when API tokens were used last. Each request notes it in memory; what was noted is written once a minute,
 * so that reading costs no write, and does not tell others that the team changed.
 */
export interface TokenUse {
  note(token: TokenId): void
  /** Writes what was noted since. */
  flush(): Promise<void>
  /** Flushes, and notes nothing any more. */
  close(): Promise<void>
}

const EVERY_MS = 60_000

export function createTokenUse(
  database: Pick<Database, 'transaction'>,
  log: Pick<Log, 'error'>,
  now: () => number = Date.now,
): TokenUse {
  let noted = new Map<TokenId, number>()

  async function flush(): Promise<void> {
    if (noted.size === 0) return
    const used = noted
    noted = new Map()
    try {
      await database.transaction(async (write) => {
        for (const [token, at] of used) {
          await write
            .updateTable('token')
            .set({ last_used_at: at })
            .where('public_id', '=', token)
            .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
            .execute()
        }
      })
    } catch (error) {
      // For the next time, and what was noted meanwhile is newer.
      noted = new Map([...used, ...noted])
      throw error
    }
  }
  const flushIfPossible = () =>
    flush().catch((error) => log.error({ err: error }, 'the use of tokens could not be noted'))

  const timer = setInterval(flushIfPossible, EVERY_MS).unref()

  return {
    note: (token) => void noted.set(token, now()),
    flush,
    async close() {
      clearInterval(timer)
      await flushIfPossible()
    },
  }
}
