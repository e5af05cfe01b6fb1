import type { Write } from './database.ts'
import { keepTime } from './database-clock.ts'

const hooks = new WeakMap<Write, (() => Promise<void>)[]>()

/** Runs `work` when everything else of the transaction is done, before it is committed. */
export function beforeCommit(write: Write, work: () => Promise<void>): void {
  const registered = hooks.get(write)
  if (!registered) throw new Error('The transaction has ended, or it is not that of Database.transaction.')
  registered.push(work)
}

/** Runs the work of a transaction, with `clock` for its time, and then what it registered with {@link beforeCommit}. */
export async function runWithHooks<T>(
  write: Write,
  clock: () => number,
  work: (write: Write) => Promise<T>,
): Promise<T> {
  keepTime(write, clock)
  const registered: (() => Promise<void>)[] = []
  hooks.set(write, registered)
  try {
    const result = await work(write)
    for (const hook of registered) await hook()
    return result
  } finally {
    hooks.delete(write)
  }
}
