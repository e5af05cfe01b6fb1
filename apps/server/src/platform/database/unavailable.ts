import { setTimeout as sleep } from 'node:timers/promises'
import { findCode, findSystemReason, OBJECT_STORE_UNAVAILABLE } from '../system-errors.ts'

/**
 * The database cannot be used at the moment; the same call may succeed later. When the connection was lost during
 * COMMIT, it is unknown whether the transaction was committed.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
  /** `unreachable`: there is no connection, or it was lost. `unwritable`: the database replies, but rejects writes. */
  readonly kind: 'unreachable' | 'unwritable'
  /** The reason, which completes a sentence such as "…: the disk is full". */
  readonly reason: string

  constructor(
    kind: DatabaseUnavailableError['kind'],
    reason: string,
    { database = 'database', cause }: { database?: string; cause?: unknown } = {},
  ) {
    super(`The ${database} cannot be ${kind === 'unwritable' ? 'written' : 'reached'}: ${reason}.`, { cause })
    this.kind = kind
    this.reason = reason
  }
}

/** The codes of writes to a file that may succeed later. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/**
 * Returns the error, or the one of its causes, that says that the database is unavailable. A file store that is not
 * writable is treated alike: its system errors, also those from a child process, become such an error.
 */
export function findUnavailable(error: unknown): DatabaseUnavailableError | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof DatabaseUnavailableError) return one
    if (findCode(one) === OBJECT_STORE_UNAVAILABLE) return toStoreOutage(one)
    if (NO_ROOM.has(findCode(one) ?? ''))
      return new DatabaseUnavailableError('unwritable', findSystemReason(one)!, {
        database: 'file store',
        cause: one,
      })
  }
  return undefined
}

/** Makes the error from the message of its cause, which a child process passes on too. */
function toStoreOutage(cause: Error): DatabaseUnavailableError {
  const reason = /cannot be reached: (.*)\.$/.exec(cause.message)?.[1] ?? 'it does not answer'
  return new DatabaseUnavailableError('unreachable', reason, { database: 'object store', cause })
}

/** The codes of system calls that fail when a server cannot be reached; ENOENT stands for a missing Unix socket. */
const LOST = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENOTFOUND EAI_AGAIN ENOENT'.split(
    ' ',
  ),
)

/** Messages of `pg` for connections that it has closed; these errors have no code. */
const LOST_MESSAGES =
  /^(Connection terminated|timeout (expired|exceeded)|Query read timeout|Client (has encountered a connection error|was closed))/

/** The kinds and reasons of outages by SQLSTATE (PostgreSQL's Appendix A). */
const STATES: Record<string, [DatabaseUnavailableError['kind'], reason: string]> = {
  '25006': ['unwritable', 'it is read-only'],
  '25P03': ['unreachable', 'it ended a transaction that was idle for too long'],
  '53100': ['unwritable', 'its disk is full'],
  '53300': ['unreachable', 'it takes no more connections'],
  '57P01': ['unreachable', 'it ended the connection'],
  '57P02': ['unreachable', 'it crashed'],
  '57P03': ['unreachable', 'it is starting or stopping'],
  '57P05': ['unreachable', 'it ended an idle connection'],
  '58030': ['unwritable', 'its disk reports an error'],
}

/**
 * The SQLSTATE with which PgBouncer reports all errors, such as that PostgreSQL is away, or that all connections are in
 * use.
 */
const POOLER = '08P01'

/** Returns the outage that an error of `pg` stands for; undefined for other errors, such as a wrong statement. */
export function explainPostgresFailure(cause: unknown): DatabaseUnavailableError | undefined {
  if (cause instanceof DatabaseUnavailableError) return cause
  const code = findCode(cause)
  const known = STATES[code ?? '']
  if (known) return new DatabaseUnavailableError(...known, { cause })
  const isLost =
    code === undefined
      ? cause instanceof Error && LOST_MESSAGES.test(cause.message)
      : LOST.has(code) || /^08...$/.test(code)
  if (!isLost) return undefined
  const reason =
    code === POOLER
      ? `it says "${(cause as Error).message}"`
      : code === 'ENOENT'
        ? undefined
        : findSystemReason(cause)
  return new DatabaseUnavailableError('unreachable', reason ?? 'the connection was lost', { cause })
}

/**
 * Result codes of SQLite, in the low byte, after which the same write may succeed later: busy, disk full and the like.
 */
const SQLITE_PASSING = new Set([5, 8, 10, 13, 14])

/**
 * Returns the outage that a failed write to the SQLite database in `dataDir` stands for, and other errors as they are.
 */
export function explainSqliteFailure(cause: unknown, dataDir: string): unknown {
  const reason = findSystemReason(cause)
  if (!(cause instanceof Error) || !('errcode' in cause) || reason === undefined) return cause
  const database = `database in "${dataDir}"`
  return SQLITE_PASSING.has(Number(cause.errcode) & 0xff)
    ? new DatabaseUnavailableError('unwritable', reason, { database, cause })
    : new Error(`The ${database} cannot be written: ${reason}.`, { cause })
}

const RETRY_EVERY_MS = 250

/**
 * Repeats `work` while the database is unavailable; rejects with the last error once `signal` aborts. The work has to
 * be repeatable after a COMMIT whose reply was lost.
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !findUnavailable(error)) throw error
      await sleep(RETRY_EVERY_MS, undefined, { signal }).catch(() => {})
    }
  }
}

/** How long a failed write counts as the state of the database if no newer write follows. */
const REMEMBERED_MS = 3000

/** Remembers the last write that failed because the database is not writable. */
export interface WriteOutcomes {
  /** Returns the result of `write`, and records its outcome. */
  watch<T>(write: Promise<T>): Promise<T>
  /** Throws the error of the last write, when it failed a moment ago. */
  check(): void
}

export function createWriteOutcomes(): WriteOutcomes {
  let failed: { at: number; error: DatabaseUnavailableError } | undefined
  return {
    async watch(write) {
      try {
        const result = await write
        failed = undefined
        return result
      } catch (error) {
        const unavailable = findUnavailable(error)
        if (unavailable?.kind === 'unwritable') failed = { at: performance.now(), error: unavailable }
        throw error
      }
    },
    check() {
      if (failed && performance.now() - failed.at < REMEMBERED_MS) throw failed.error
    },
  }
}
