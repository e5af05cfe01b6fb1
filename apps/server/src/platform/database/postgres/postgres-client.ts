import pg from 'pg'

/** How long connecting, and a reply to `ask`, may take by default, in the time of {@link startOwnTimer}. */
const CONNECT_MS = 3000
/** How long PostgreSQL has to close its end. */
const TERMINATE_MS = 500
/** After how long without traffic the system sends TCP keep-alive probes. */
const KEEP_ALIVE_AFTER_MS = 10_000

/** The message of the error for a late reply to `ask`. `pg` uses the same for its own limit. */
export const LATE_REPLY = 'Query read timeout'

/** The time of {@link startOwnTimer} passes in steps of this. */
const STEP_MS = 50

/**
 * Calls `late` when this process has had `ms` of its own time to handle what arrives. While it is busy, or gets no
 * processor time, no more than a step passes: a reply that waits in its buffers is not late. Returns a function that
 * stops the timer.
 */
export function startOwnTimer(ms: number, late: () => void): () => void {
  let steps = Math.ceil(ms / STEP_MS)
  let isStopped = false
  const timer = setInterval(() => {
    if (--steps > 0) return
    clearInterval(timer)
    // What has arrived by now is handled first.
    setImmediate(() => {
      if (!isStopped) late()
    })
  }, STEP_MS).unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

/**
 * A connection whose loss neither ends the process nor leaves a query hanging. `pg` emits `error` when a connection
 * breaks, and an `error` without a listener ends the process; pg-pool has none on a client that is borrowed or
 * connecting.
 */
export class PostgresClient extends pg.Client {
  readonly #patienceMs: number

  /** `patienceMs` is how long connecting, and a reply to `ask`, may take, in the time of {@link startOwnTimer}. */
  constructor({ patienceMs = CONNECT_MS, ...config }: pg.ClientConfig & { patienceMs?: number }) {
    super({
      ...config,
      // The limits of `pg` are off, since they count the time in which this process is busy.
      connectionTimeoutMillis: 0,
      query_timeout: 0,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    })
    // The error is ignored here, since each query fails by itself.
    this.on('error', () => {})
    this.#patienceMs = patienceMs
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error) => void): void
  // biome-ignore lint/suspicious/noConfusingVoidType: as in the class of `pg`.
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    const stop = startOwnTimer(this.#patienceMs, () =>
      this.connection.stream.destroy(new Error('timeout expired')),
    )
    this.once('connect', stop)
    this.once('end', stop)
    return callback ? super.connect(callback) : super.connect()
  }

  /**
   * Sends a statement without values. Rejects when there is no reply in time, after which the connection is of no use.
   */
  async ask<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const stop = startOwnTimer(this.#patienceMs, () => reject(new Error(LATE_REPLY)))
    try {
      return (await Promise.race([this.query<Row>(statement), late])).rows
    } finally {
      stop()
    }
  }

  /** The process of PostgreSQL, or what a connection pooler says in its place. */
  get processId(): number {
    return (this as unknown as { processID: number }).processID
  }

  /** Closes the connection at once, whatever it waits for. */
  cut(): void {
    this.connection.stream.destroy()
  }

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | void {
    // A lost peer does not reply to the termination message.
    const late = setTimeout(() => this.cut(), TERMINATE_MS).unref()
    this.once('end', () => clearTimeout(late))
    return callback ? super.end(callback) : super.end()
  }
}
