import type { Compilable, RawBuilder, Transaction } from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import type { SearchIndex } from './search-index.ts'
import type { Tables } from './tables.ts'

/** What a transaction writes with. */
export type Write = Transaction<Tables>

/** What both reads and transactions select with. */
export type Select = Pick<ReadonlyKysely<Tables>, 'selectFrom'>

/**
 * The one door to the data, over SQLite or PostgreSQL.
 * Reads are never blocked by writes. Writes wait for each other, those of other processes included.
 */
export interface Database {
  readonly dialect: Dialect
  /** For reads that are not hot; a write does not compile. */
  readonly read: ReadonlyKysely<Tables>
  /** Finds documents by name; written to together with the documents' rows. */
  readonly searchIndex: SearchIndex
  /**
   * Runs `work` in one transaction: committed, and safe on disk, when the promise resolves; undone when `work` throws.
   * Throws a `DatabaseUnavailableError` when the database is lost: during the commit, it may be committed all the same.
   * Keep it short: other writers wait. Calling `transaction` inside of `work` would wait for itself.
   */
  transaction<T>(work: (write: Write) => Promise<T>): Promise<T>
  /**
   * A hot read: built and compiled once, then run on a prepared statement.
   * `build` gets a placeholder for each parameter and puts it where a value goes.
   * Not for LIKE: the plan that PostgreSQL keeps for a prepared statement does not know the pattern.
   */
  prepare<Parameters extends object, Row>(build: BuildRead<Parameters, Row>): PreparedRead<Parameters, Row>
  /** The same for a write that is run often, inside of transactions. */
  prepareWrite<Parameters extends object, Row>(
    build: BuildWrite<Parameters, Row>,
  ): PreparedWrite<Parameters, Row>
  /**
   * A number that is another one after each commit, whichever process made it; undefined when that cannot be told.
   * What was read stays true while it stays. Far cheaper than a query.
   */
  readCommitCounter(): number | undefined
  /**
   * Tells soon of what is committed, whichever process does it: what `announce` said, or undefined when anything may
   * have changed. For who keeps what it read.
   */
  subscribe(tell: Listener): Subscription
  /** Says something, of some hundred letters at most, to all who watch, once `write` is committed. */
  publish(write: Write, said: string): Promise<void>
  /**
   * Resolves when a write would reach the disk. Fails with the reason when none would. Costs a small write; what was
   * read stays true (`readCommitMark` stays, where there is one).
   */
  checkWritable(): Promise<void>
  /** Waits for a write that is under way; nothing may be asked afterwards, and nobody may watch any more. */
  close(): Promise<void>
}

export type Listener = (said: string | undefined) => void

/** Somebody who watches. */
export interface Subscription {
  close(): Promise<void>
}

export type Dialect = 'sqlite' | 'postgres'

export type BuildRead<Parameters, Row> = (read: ReadonlyKysely<Tables>, parameters: Parameters) => Query<Row>

export type BuildWrite<Parameters, Row> = (write: Write, parameters: Parameters) => Query<Row>

/** Built by Kysely, or SQL as it stands: what both databases understand alike. */
export type Query<Row> = Compilable<Row> | RawBuilder<Row>

/** A read that was compiled once. */
export interface PreparedRead<Parameters extends object, Row> {
  all(parameters: Parameters): Promise<Row[]>
  first(parameters: Parameters): Promise<Row | undefined>
}

/** A write that was compiled once: the rows are those of its RETURNING clause. */
export type PreparedWrite<Parameters extends object, Row> = (
  write: Write,
  parameters: Parameters,
) => Promise<Row[]>
