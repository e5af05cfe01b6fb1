import type pg from 'pg'

/**
 * How many statements are under way on a connection before another connection is used: PostgreSQL runs them one by one.
 */
const MAX_UNDER_WAY = 4
/** No statement is sent after one that has been running for this time. */
const LONG_RUNNING_MS = 5
/** How long an unused connection is kept, unless somebody waits for one. */
const LINGER_MS = 100

/** Connections on which short statements of several callers are under way at once (pipelining). */
export interface SharedConnections {
  /**
   * Sends a statement without waiting for those before it; returns undefined when it would have to wait for long ones.
   */
  query(config: pg.QueryConfig): Promise<pg.QueryResult> | undefined
  /** Gives back the connections on which nothing is under way. */
  releaseIdle(): void
  /** Gives back connections, from now on, as soon as nothing is under way on them. */
  end(): void
}

/** A connection that can be shared. */
export interface SharableClient {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>
  /** Whether the connection is lost, so that it is closed when it is released. */
  readonly isLost: boolean
  /** Returns how long the running statement has been running; 0 when there is no such statement. */
  runningMs(): number
  release(): void
}

interface Shared {
  readonly opening: Promise<SharableClient>
  client: SharableClient | undefined
  underWay: number
  usedAt: number
}

/**
 * Creates at most `max` shared connections. A statement takes a third of the processor time when it shares a
 * connection, since borrowing and waking up are paid once for all that are under way.
 */
export function createSharedConnections(
  connect: () => Promise<SharableClient>,
  max: number,
): SharedConnections {
  const open = new Set<Shared>()
  let isEnding = false
  let isLingering = false

  function find(): Shared | undefined {
    for (const shared of open) {
      if (shared.underWay < MAX_UNDER_WAY && isQuick(shared)) return shared
    }
    return open.size < max ? borrow() : undefined
  }

  function borrow(): Shared {
    const shared: Shared = { opening: connect(), client: undefined, underWay: 0, usedAt: 0 }
    open.add(shared)
    shared.opening.then(
      (client) => {
        shared.client = client
      },
      () => open.delete(shared),
    )
    return shared
  }

  /** Gives back the connections that have not been used since `sinceMs`. */
  function releaseUnused(sinceMs = Number.POSITIVE_INFINITY): void {
    for (const shared of open) {
      if (shared.underWay > 0 || shared.usedAt > sinceMs) continue
      open.delete(shared)
      shared.client!.release()
    }
  }

  function linger(): void {
    if (isLingering) return
    isLingering = true
    setTimeout(() => {
      isLingering = false
      releaseUnused(performance.now() - LINGER_MS)
      if (open.size > 0) linger()
    }, LINGER_MS).unref()
  }

  async function queryOn(shared: Shared, config: pg.QueryConfig): Promise<pg.QueryResult> {
    shared.underWay++
    try {
      return await (shared.client ?? (await shared.opening)).query(config)
    } finally {
      shared.underWay--
      shared.usedAt = performance.now()
      if (isEnding || shared.client?.isLost) releaseUnused()
      else linger()
    }
  }

  return {
    query(config) {
      const shared = find()
      return shared && queryOn(shared, config)
    },
    releaseIdle: () => releaseUnused(),
    end() {
      isEnding = true
      releaseUnused()
    },
  }
}

/** Whether another statement would run soon on the connection. */
const isQuick = ({ client }: Shared): boolean =>
  client === undefined || (!client.isLost && client.runningMs() < LONG_RUNNING_MS)
