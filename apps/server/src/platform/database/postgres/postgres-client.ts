import pg from 'pg'

/** How long a connection may take to be made. */
const CONNECT_MS = 3000
/** How long PostgreSQL has to close its end. */
const GOODBYE_MS = 500
/** After how long without a word on a connection the system asks whether the other end is still there. */
const KEEP_ALIVE_AFTER_MS = 10_000

/**
 * A connection whose loss ends neither the process nor hangs anything. `pg` emits `error` when a connection breaks,
 * and an `error` without a listener ends the process; pg-pool has none on a client that is lent or connecting.
 */
export class PostgresClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super({
      ...config,
      connectionTimeoutMillis: Math.min(config.connectionTimeoutMillis ?? CONNECT_MS, CONNECT_MS),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    })
    // Each query tells of the loss itself.
    this.on('error', () => {})
  }

  /** Ends the connection at once, whatever it waits for. */
  cut(): void {
    this.connection.stream.destroy()
  }

  override end(): Promise<void>
  override end(callback: (error: Error) => void): void
  override end(callback?: (error: Error) => void): Promise<void> | void {
    // A peer that is gone does not answer the goodbye.
    const late = setTimeout(() => this.cut(), GOODBYE_MS).unref()
    this.once('end', () => clearTimeout(late))
    return callback ? super.end(callback) : super.end()
  }
}
