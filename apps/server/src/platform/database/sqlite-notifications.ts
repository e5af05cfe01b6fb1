import type { Listener, Subscription } from './database.ts'

/** To look costs a microsecond; this long is what another process may lag behind. */
const LOOK_EVERY_MS = 15

/** `Database.watch` on SQLite, which tells nobody of a commit: the commit mark is looked at again and again. */
export function watchSqlite(readCommitMark: () => number | undefined, tell: Listener): Subscription {
  let seen = readCommitMark()
  const timer = setInterval(() => {
    const mark = readCommitMark()
    if (mark !== undefined && mark === seen) return
    seen = mark
    tell(undefined)
  }, LOOK_EVERY_MS)
  timer.unref()
  return { close: async () => clearInterval(timer) }
}
