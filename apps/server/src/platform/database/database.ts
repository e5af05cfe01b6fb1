import type { Compilable, RawBuilder, Transaction } from 'kysely'
import type { ReadonlyKysely } from 'kysely/readonly'
import type { Metric } from 'prom-client'
import type { SearchIndex } from './search-index.ts'
import type { Tables } from './tables.ts'

/** The handle that a transaction writes with. */
export type Write = Transaction<Tables>

/** What reads and transactions have in common. */
export type Select = Pick<ReadonlyKysely<Tables>, 'selectFrom'>

/**
 * The only access to the data, in SQLite or PostgreSQL. Reads are never blocked by writes. Writes wait for each other,
 * even across processes.
 */
export interface Database {
  readonly dialect: Dialect
  /** Runs reads that are not frequent; a write does not compile. */
  readonly read: ReadonlyKysely<Tables>
  /** Finds documents by name; updated together with the documents' rows. */
  readonly searchIndex: SearchIndex
  /**
   * Runs `work` in one transaction, which is durable when the promise resolves, and rolled back when `work` throws.
   * Throws a `DatabaseUnavailableError` when the connection is lost; if that happens during the commit, the transaction
   * may have been committed. Keep it short, since other writers wait. Calling `transaction` inside `work` deadlocks.
   */
  transaction<T>(work: (write: Write) => Promise<T>): Promise<T>
  /**
   * Runs `work` over one moment of the database: commits that come later are not seen. It is meant for long reads,
   * which delay nobody. Throws a `DatabaseUnavailableError` when the connection is lost.
   */
  snapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T>
  /**
   * Prepares a frequent read, which is built and compiled once, then run as a prepared statement. `build` receives a
   * placeholder for each parameter and uses it as a value. It is not meant for LIKE, since the plan of a prepared
   * statement in PostgreSQL does not take the pattern into account.
   */
  prepare<Parameters extends object, Row>(build: BuildRead<Parameters, Row>): PreparedRead<Parameters, Row>
  /** Prepares a frequent write inside transactions, like `prepare`. */
  prepareWrite<Parameters extends object, Row>(
    build: BuildWrite<Parameters, Row>,
  ): PreparedWrite<Parameters, Row>
  /**
   * Returns a number that changes with every commit of any process; undefined when that cannot be determined. Data that
   * was read is up to date while the number is the same. On SQLite the number comes at once, far cheaper than a query;
   * on PostgreSQL as a promise, with one small statement for all calls at the same time. Never throws nor rejects.
   */
  readCommitCounter(): MaybePromise<number | undefined>
  /**
   * Notifies `listener` soon after commits of any process, with a message of `publish`, or with undefined when anything
   * may have changed: always on SQLite, and on PostgreSQL when it begins to listen, and every half second while it
   * cannot. It is meant for code that caches what it has read.
   */
  subscribe(listener: Listener): Subscription
  /** Rejects with a sentence for the operator when messages do not arrive at `subscribe`. */
  checkNotifications(): Promise<void>
  /**
   * Resolves with the number of connections that the server has for all processes together; undefined where that does
   * not limit them, as with SQLite and behind a pooler.
   */
  readConnectionLimit(): Promise<number | undefined>
  /** Sends a message of a few hundred characters at most to all subscribers when `write` is committed. */
  publish(write: Write, message: string): Promise<void>
  /**
   * Sends messages to all subscribers of all processes at once, in this order: each has fewer than 8000 bytes, and may
   * get lost. On SQLite, nothing is sent.
   */
  broadcast(messages: readonly string[]): Promise<void>
  /**
   * Resolves when writing is possible, and otherwise rejects with the reason. Makes a small write that does not change
   * the commit counter.
   */
  checkWritable(): Promise<void>
  /** What the database measures, for `/metrics`. */
  readonly instruments: readonly Metric[]
  /** Waits for a running write. There may be no calls afterwards, and no open subscriptions. */
  close(): Promise<void>
}

/** One moment of the database. */
export interface Snapshot {
  /** Runs SQL that only reads, and yields its rows, as arrays of values, in portions of at most `portion` rows. */
  stream(sql: string, portion: number): AsyncIterable<unknown[][]>
}

/** A value, or a promise only where something has to be waited for. */
export type MaybePromise<T> = T | Promise<T>

export type Listener = (message: string | undefined) => void

export interface Subscription {
  close(): Promise<void>
}

export type Dialect = 'sqlite' | 'postgres'

export type BuildRead<Parameters, Row> = (read: ReadonlyKysely<Tables>, parameters: Parameters) => Query<Row>

export type BuildWrite<Parameters, Row> = (write: Write, parameters: Parameters) => Query<Row>

/** A query that Kysely has built, or SQL that both databases understand. */
export type Query<Row> = Compilable<Row> | RawBuilder<Row>

/** A read that was compiled once. */
export interface PreparedRead<Parameters extends object, Row> {
  all(parameters: Parameters): Promise<Row[]>
  first(parameters: Parameters): Promise<Row | undefined>
}

/** A write that was compiled once; it resolves with the rows of its RETURNING clause. */
export type PreparedWrite<Parameters extends object, Row> = (
  write: Write,
  parameters: Parameters,
) => Promise<Row[]>
