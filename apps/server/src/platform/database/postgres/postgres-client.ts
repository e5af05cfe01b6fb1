import pg from 'pg'

/** How long connecting may take. */
const CONNECT_MS = 3000
/** How long PostgreSQL has to close its end. */
const TERMINATE_MS = 500
/** After how long without traffic the system sends TCP keep-alive probes. */
const KEEP_ALIVE_AFTER_MS = 10_000

/**
 * A connection whose loss neither ends the process nor leaves a query hanging. `pg` emits `error` when a connection
 * breaks, and an `error` without a listener ends the process; pg-pool has none on a client that is borrowed or
 * connecting.
 */
export class PostgresClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super({
      ...config,
      connectionTimeoutMillis: Math.min(config.connectionTimeoutMillis ?? CONNECT_MS, CONNECT_MS),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    })
    // Each query fails by itself.
    this.on('error', () => {})
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
