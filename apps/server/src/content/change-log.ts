import type { Database } from '../platform/database/database.ts'
import { createAppendBatch } from './append-batch.ts'
import type { KeptChange, NewChange } from './change.ts'

/**
 * The log of edits. What was appended is committed, and safe on the disk, when the promise resolves; changes that come
 * while others are written are written together, in one transaction, in their order.
 */
export interface ChangeLog {
  /**
   * Throws a {@link ClientTakenError}, {@link ValueMissingError}, {@link DocumentGoneError}, {@link SessionEndedError} or
   * {@link EditForbiddenError}, or what the database says.
   */
  append(change: NewChange): Promise<KeptChange>
  /** Resolves when all that was appended so far is written, or has failed to be. */
  settle(): Promise<void>
}

/** What waits to be written. */
export interface WaitingChange extends NewChange {
  resolve(kept: KeptChange): void
  reject(error: unknown): void
}

/** In one transaction, for which all others of the database wait on SQLite. */
const MAX_AT_ONCE = 500
const MAX_BYTES_AT_ONCE = 8 * 2 ** 20

export function createChangeLog(database: Database): ChangeLog {
  const appendBatch = createAppendBatch(database)
  let waiting: WaitingChange[] = []
  let writing: Promise<void> | undefined

  async function writeAll(): Promise<void> {
    // Once round the event loop: what other sockets have sent by now goes into the same transaction.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const batch = takeBatch(waiting)
      waiting = waiting.slice(batch.length)
      await writeBatch(batch)
    }
    writing = undefined
  }

  async function writeBatch(batch: readonly WaitingChange[]): Promise<void> {
    try {
      const outcomes = await appendBatch(batch)
      batch.forEach((change, at) => {
        const outcome = outcomes[at]!
        if (outcome instanceof Error) change.reject(outcome)
        else change.resolve(outcome)
      })
    } catch (error) {
      for (const change of batch) change.reject(error)
    }
  }

  return {
    append(change) {
      const { promise, resolve, reject } = Promise.withResolvers<KeptChange>()
      waiting.push({ ...change, resolve, reject })
      writing ??= writeAll()
      return promise
    },
    async settle() {
      while (writing) await writing
    },
  }
}

function takeBatch(waiting: readonly WaitingChange[]): WaitingChange[] {
  let bytes = 0
  const end = waiting.findIndex(({ update }, at) => {
    bytes += update.length
    return at > 0 && (at >= MAX_AT_ONCE || bytes > MAX_BYTES_AT_ONCE)
  })
  return waiting.slice(0, end === -1 ? waiting.length : end)
}
