import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import { Server as NetServer, Socket } from 'node:net'
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises'

/** How long a connection is kept for its next request. */
export const KEEP_ALIVE_SECONDS = 75

/**
 * When a response is sent before the whole body of its request has arrived, a rest of at most this size is read and
 * dropped, and the connection is used again. When the rest is longer, the connection ends with the response.
 */
const MAX_DRAINED_BYTES = 64 * 1024

/** How long a client may send nothing before a connection that has ended here is closed, as in nginx. */
const LINGER_SILENCE_MS = 5000
/** How long a client may go on sending data on a connection that has ended here, as in nginx. The data is discarded. */
const MAX_LINGER_MS = 30_000

const POLL_MS = 10
/** How long a new connection is kept for its first request. */
const FIRST_REQUEST_MS = 500
/** Listening ends when no connection was made for this time while the event loop was not blocked. */
const QUIET_MS = 10
/** The event loop counts as blocked when a tick takes longer than this. */
const BLOCKED_MS = 0.5
/** Listening ends in any case after this time and `MAX_CLOSING_TICKS` ticks of the event loop. */
const MAX_CLOSING_MS = 250
const MAX_CLOSING_TICKS = 100

/** The open connections of a server: limits their number, orders their requests, and closes them when it stops. */
export interface Connections {
  /**
   * Calls `handle` once the requests before it on the same connection have their responses. Until then nothing is done
   * for the request, and no more is read from the connection.
   */
  handleInOrder(response: ServerResponse, handle: () => void): void
  /** Handles a request as the last one of its connection: all data after it is dropped. */
  handleAsLast(response: ServerResponse, handle: () => void): void
  /** Whether nothing is in progress on the connection, and its next request may be answered like those before. */
  isIdle(socket: Socket): boolean
  /** Makes the connection count as busy between a call with true and one with false. Calls may be nested. */
  setChecking(socket: Socket, isChecking: boolean): void
  /** Whether data that still arrives on the connection is dropped. */
  isClosing(socket: Socket): boolean
  /** Calls back when all complete requests of a connection have their responses; never when it closes before. */
  afterResponses(socket: Socket, then: () => void): void
  /**
   * Sends the text and ends the connection, and discards what still arrives: a connection that is closed with unread
   * data is reset, and its client may lose the response.
   */
  endGently(socket: Socket, text: string): void
  /**
   * Sends `Connection: close` with each response for `noticeMs` milliseconds; then accepts no more connections, and
   * resolves when all responses have been sent. Closing a Node server would cut off connections whose response was
   * written at once, however much of it is still to be sent.
   */
  drain(noticeMs: number): Promise<void>
  /** Closes every connection, also those with a request in progress. */
  destroyAll(): void
}

export interface ConnectionLimits {
  /** How many connections may be open; fewer where the process may not have as many open files. */
  connections: number
  /** How many pipelined requests may wait, on all connections together, for those before them on their connection. */
  pipelined: number
}

/** The share of the allowed open files; the rest is for the database, and for files that are sent. */
const MAX_SHARE_OF_FILES = 0.5

interface Connection {
  sinceMs: number
  /** The requests without a response, in order: the first one is in progress, the others wait with their handlers. */
  requests: Map<ServerResponse, () => void>
  /** Whether data that still arrives is dropped. */
  isClosing: boolean
  isUpgraded: boolean
  /** How often `setChecking` has begun and not ended. */
  checks: number
}

export function trackConnections(server: HttpServer, limits: ConnectionLimits): Connections {
  const maxConnections = Math.min(limits.connections, findMaxFiles() * MAX_SHARE_OF_FILES)
  const open = new Map<Socket, Connection>()
  const byAddress = new Map<string, Set<Socket>>()
  const destroyed = new AbortController()
  let isDraining = false
  /** When the last connection was made. */
  let lastMs = 0
  /** Requests that wait until the server has stopped listening; undefined when none has to. */
  let heldBack: (() => void)[] | undefined
  /** How many requests wait behind others of their connection. */
  let pipelined = 0

  server.on('connection', (socket: Socket) => {
    lastMs = performance.now()
    const connection: Connection = {
      sinceMs: lastMs,
      requests: new Map(),
      isClosing: false,
      isUpgraded: false,
      checks: 0,
    }
    open.set(socket, connection)
    const { remoteAddress = '' } = socket
    const ofAddress = byAddress.get(remoteAddress) ?? new Set()
    byAddress.set(remoteAddress, ofAddress.add(socket))
    socket.once('close', () => {
      open.delete(socket)
      ofAddress.delete(socket)
      if (ofAddress.size === 0) byAddress.delete(remoteAddress)
      pipelined -= countWaiting(connection)
      connection.requests.clear()
    })
    // Node resumes the connection after each response, also when it was paused here.
    socket.on('resume', () => {
      if (countWaiting(connection) > 0 && !socket.writableEnded) socket.pause()
    })
    // Node calls this after the last response of a connection.
    socket.destroySoon = () => {
      if (hasUnreadData(connection)) endGently(socket, '')
      else Socket.prototype.destroySoon.call(socket)
    }
    if (open.size > maxConnections) closeOne(socket)
  })
  server.on('upgrade', ({ socket }: IncomingMessage) => {
    const connection = open.get(socket)
    if (!connection) return
    connection.isUpgraded = true
    // An earlier response is not sent yet, and would be mixed with the data of the other protocol.
    if (connection.requests.size > 0) socket.destroy()
  })

  /**
   * Makes room for a new connection at the cost of the address that has most connections: closes its oldest idle one,
   * or the new one where none is idle.
   */
  function closeOne(newest: Socket): void {
    const most = [...byAddress.values()].reduce((a, b) => (b.size > a.size ? b : a))
    const isIdle = (socket: Socket) => socket !== newest && !socket.destroyed && hasNothingToDo(socket)
    const closed = [...most].find(isIdle) ?? newest
    closed.destroy()
  }

  function hasNothingToDo(socket: Socket): boolean {
    const connection = open.get(socket)
    if (!connection) return false
    const { requests, isUpgraded, checks } = connection
    return requests.size === 0 && !isUpgraded && checks === 0 && socket.writableLength === 0
  }

  function handleInOrder(response: ServerResponse, handle: () => void): void {
    if (isDraining) response.setHeader('connection', 'close')
    const { socket } = response.req
    const connection = open.get(socket)
    if (!connection) {
      handle()
      return
    }
    connection.requests.set(response, handle)
    if (hasBody(response.req)) watchBody(response, connection)
    response.once('close', () => {
      connection.requests.delete(response)
      const [next] = connection.requests
      if (!next || !socket.writable) return
      pipelined--
      if (connection.requests.size === 1) socket.resume()
      begin(next[1])
    })
    if (connection.requests.size === 1) begin(handle)
    else {
      socket.pause()
      if (++pipelined > limits.pipelined) closeLongestQueue()
    }
  }

  /** Drops the rest of the request's body as soon as the head of the response is written, whoever was to read it. */
  function watchBody(response: ServerResponse, connection: Connection): void {
    const { req } = response
    const writeHead = response.writeHead as (...head: unknown[]) => ServerResponse
    response.writeHead = (...head: unknown[]) => {
      response.writeHead = writeHead
      if (!req.complete && !hasShortBody(req)) beLast(response, connection)
      dropBody(req)
      return writeHead.apply(response, head)
    }
  }

  function beLast(response: ServerResponse, connection: Connection): void {
    connection.isClosing = true
    response.setHeader('connection', 'close')
  }

  function endGently(socket: Socket, text: string): void {
    const connection = open.get(socket)
    if (connection) connection.isClosing = true
    // The data that still arrives is not parsed.
    socket.removeAllListeners('data').on('data', () => silence?.refresh())
    let silence: NodeJS.Timeout | undefined
    socket.end(text, () => {
      const close = () => void socket.destroy()
      silence = setTimeout(close, LINGER_SILENCE_MS).unref()
      const longest = setTimeout(close, MAX_LINGER_MS).unref()
      socket.once('close', () => {
        clearTimeout(silence)
        clearTimeout(longest)
      })
    })
    socket.resume()
  }

  function begin(handle: () => void): void {
    if (heldBack) heldBack.push(handle)
    else handle()
  }

  /** Closes the connection on which most requests wait, since these take memory. */
  function closeLongestQueue(): void {
    const longest = [...open].reduce((a, b) => (countWaiting(b[1]) > countWaiting(a[1]) ? b : a))
    longest[0].destroy()
  }

  const isUnused = (socket: Socket) => socket.bytesRead === 0
  const isBusy = (socket: Socket, connection: Connection) =>
    connection.checks > 0 ||
    socket.writableLength > 0 ||
    // The client of a connection that has ended here may still be sending.
    (socket.writableEnded && !connection.isUpgraded) ||
    (isUnused(socket) && performance.now() - connection.sinceMs < FIRST_REQUEST_MS)

  function afterResponses(socket: Socket, then: () => void): void {
    const last = [...(open.get(socket)?.requests.keys() ?? [])].findLast(({ req }) => req.complete)
    if (last) last.once('close', () => afterResponses(socket, then))
    else then()
  }

  /**
   * Accepts the connections that are already in the backlog first, one per tick of the event loop: closing the
   * listening socket would reset them. Requests are held back meanwhile, since a client that has its response connects
   * again.
   */
  async function stopListening(): Promise<void> {
    heldBack = []
    const startMs = performance.now()
    let nowMs = startMs
    for (let ticks = 0; ticks < MAX_CLOSING_TICKS || nowMs < startMs + MAX_CLOSING_MS; ticks++) {
      const checkedMs = nowMs
      await nextTick()
      nowMs = performance.now()
      if (nowMs > lastMs + QUIET_MS && nowMs < checkedMs + BLOCKED_MS) break
    }
    // This only ends the listening; the server's own `close` follows later.
    NetServer.prototype.close.call(server)
    const waiting = heldBack
    heldBack = undefined
    for (const handle of waiting) handle()
  }

  return {
    afterResponses,
    handleInOrder,
    handleAsLast(response, handle) {
      const connection = open.get(response.req.socket)
      if (connection) beLast(response, connection)
      handleInOrder(response, handle)
    },
    isIdle: (socket) => !isDraining && hasNothingToDo(socket) && !open.get(socket)!.isClosing,
    setChecking(socket, isChecking) {
      const connection = open.get(socket)
      if (connection) connection.checks += isChecking ? 1 : -1
    },
    isClosing: (socket) => open.get(socket)?.isClosing === true,
    endGently,
    async drain(noticeMs) {
      isDraining = true
      for (const { requests } of open.values()) {
        const last = [...requests.keys()].at(-1)
        if (last && !last.headersSent) last.setHeader('connection', 'close')
      }
      // A response that has begun leaves its connection open; it then times out at once.
      server.keepAliveTimeout = 1
      const { signal } = destroyed
      await sleep(noticeMs, undefined, { signal }).catch(() => {})
      if (server.listening) await stopListening()
      // The connections are polled, since there is no event for a write below the high-water mark.
      while ([...open].some(([socket, connection]) => isBusy(socket, connection))) await sleep(POLL_MS)
      // Node waits for a request on a connection that was never used.
      for (const socket of open.keys()) if (isUnused(socket)) socket.destroy()
    },
    destroyAll() {
      destroyed.abort()
      for (const socket of open.keys()) socket.destroy()
    },
  }
}

let maxFiles: number | undefined

/**
 * Finds how many files the operating system lets this process have open, which never changes. A connection counts as
 * one.
 */
function findMaxFiles(): number {
  maxFiles ??= readMaxFiles()
  return maxFiles
}

function readMaxFiles(): number {
  const { report } = process as unknown as { report: NodeJS.ProcessReport & { excludeNetwork: boolean } }
  // The report would otherwise look up the host names of the machine's addresses.
  report.excludeNetwork = true
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: unknown } } }
  const max = Number(userLimits?.open_files?.soft)
  return max > 0 ? max : Number.POSITIVE_INFINITY
}

/** Counts the requests that wait behind the one in progress. */
const countWaiting = ({ requests }: Connection): number => Math.max(0, requests.size - 1)

/** Whether data may have arrived that nobody has read: the rest of a body, or requests behind the last response. */
const hasUnreadData = ({ isClosing, requests }: Connection): boolean =>
  isClosing || requests.size > 1 || [...requests.keys()].some(({ req }) => !req.complete)

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Whether a body is short and will be sent: a client that has asked whether to send its body may never send it. */
const hasShortBody = ({ headers }: IncomingMessage): boolean =>
  headers.expect === undefined && Number(headers['content-length']) <= MAX_DRAINED_BYTES

/** Takes the body from whoever reads it, and reads the rest, so that Node goes on reading from the connection. */
function dropBody(request: IncomingMessage): void {
  if (request.readableEnded) return
  request.unpipe()
  request.removeAllListeners('readable')
  request.removeAllListeners('data')
  request.resume()
}
