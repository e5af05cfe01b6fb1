import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'

const POLL_MS = 10
/** So long a connection on which nothing has arrived yet may still bring its first request. */
const FIRST_REQUEST_MS = 500
/** The door closes when nobody came for so long, … */
const QUIET_MS = 10
/** … and not when the process was held up since it looked last, … */
const HELD_UP_MS = 0.5
/** … but in any case after this, and so many turns of the event loop. */
const DOOR_CLOSES_MS = 250
const DOOR_CLOSES_TURNS = 100

/** The open connections of a server: their limits, the order of their requests, and that none loses its answer. */
export interface Connections {
  /**
   * Has a request answered once those before it on the same connection have their answers. Until then nothing is done
   * for it, and no more is read from the connection.
   */
  answer(response: ServerResponse, handle: () => void): void
  /** Answers a request as the last one of its connection: whatever follows it there is dropped. */
  answerLast(response: ServerResponse, handle: () => void): void
  /** Whether whatever arrives on the connection is to be dropped. */
  isOver(socket: Socket): boolean
  /** Calls back when the answers under way there have left whose requests had arrived whole; not when it closes first. */
  afterAnswers(socket: Socket, then: () => void): void
  /** Whether a request there was answered before the whole of it had arrived: what cannot be read now is its rest. */
  isAnswered(socket: Socket): boolean
  /**
   * Answers on for `noticeMs`, each answer telling its client to use another connection from now on; then takes no
   * more connections, and resolves when all that was answered has left. Closing a Node server cuts off every
   * connection whose answer was written in one piece, however much of it still waits to be sent.
   */
  finish(noticeMs: number): Promise<void>
  /** Closes every connection, whatever is under way there. */
  cutOff(): void
}

export interface ConnectionLimits {
  /** How many connections are open at once; fewer where the process may not have so many files open. */
  connections: number
  /** How many requests that were read wait, on all connections together, for those before them on their connection. */
  pipelined: number
}

/** Of the files that the process may have open; the others are for the database, and for what is sent. */
const MAX_SHARE_OF_FILES = 0.5

interface Connection {
  sinceMs: number
  /** The requests that have no answer yet, in order: the first one is under way, the others wait with their handlers. */
  requests: Map<ServerResponse, () => void>
  /** The last request that has its answer. */
  answered: IncomingMessage | undefined
  /** Nothing that still arrives counts. */
  isOver: boolean
  isUpgraded: boolean
}

export function trackConnections(server: HttpServer, limits: ConnectionLimits): Connections {
  const maxConnections = Math.min(limits.connections, findMaxFiles() * MAX_SHARE_OF_FILES)
  const open = new Map<Socket, Connection>()
  const byAddress = new Map<string, Set<Socket>>()
  const over = new AbortController()
  let finishing = false
  /** When the last connection was made. */
  let lastMs = 0
  /** Requests that wait until the server has stopped listening. */
  let held: (() => void)[] | undefined
  /** How many requests wait behind others of their connection. */
  let pipelined = 0

  server.on('connection', (socket: Socket) => {
    lastMs = performance.now()
    const connection: Connection = {
      sinceMs: lastMs,
      requests: new Map(),
      answered: undefined,
      isOver: false,
      isUpgraded: false,
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
    // Node reads on after each answer, whoever paused the connection.
    socket.on('resume', () => {
      if (countWaiting(connection) > 0) socket.pause()
    })
    if (open.size > maxConnections) closeOne(socket)
  })
  server.on('upgrade', ({ socket }: IncomingMessage) => {
    const connection = open.get(socket)
    if (!connection) return
    connection.isUpgraded = true
    // The answer before it has not left yet: the two would run into each other.
    if (connection.requests.size > 0) socket.destroy()
  })

  /**
   * Makes room for a new connection at the cost of the address that has most of them: its oldest one on which no
   * request is under way goes. Where there is none, the new one does.
   */
  function closeOne(newest: Socket): void {
    const most = [...byAddress.values()].reduce((a, b) => (b.size > a.size ? b : a))
    for (const socket of most) {
      const { requests, isUpgraded } = open.get(socket)!
      const isIdle = requests.size === 0 && !isUpgraded && socket.writableLength === 0
      if (isIdle && socket !== newest) return void socket.destroy()
    }
    newest.destroy()
  }

  function answer(response: ServerResponse, handle: () => void): void {
    if (finishing) response.setHeader('connection', 'close')
    const { socket } = response.req
    const connection = open.get(socket)
    if (!connection) {
      handle()
      return
    }
    connection.requests.set(response, handle)
    response.once('close', () => {
      connection.requests.delete(response)
      connection.answered = response.req
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

  function begin(handle: () => void): void {
    if (held) held.push(handle)
    else handle()
  }

  /** What was read and waits takes memory. Nobody who has a few requests waiting is to suffer for who has thousands. */
  function closeLongestQueue(): void {
    const longest = [...open].reduce((a, b) => (countWaiting(b[1]) > countWaiting(a[1]) ? b : a))
    longest[0].destroy()
  }

  const isUnused = (socket: Socket) => socket.bytesRead === 0
  const isBusy = (socket: Socket, { sinceMs }: Connection) =>
    socket.writableLength > 0 || (isUnused(socket) && performance.now() - sinceMs < FIRST_REQUEST_MS)

  function afterAnswers(socket: Socket, then: () => void): void {
    const last = [...(open.get(socket)?.requests.keys() ?? [])].findLast(({ req }) => req.complete)
    if (last) last.once('close', () => afterAnswers(socket, then))
    else then()
  }

  /**
   * Whoever waits to be let in is let in first, one a turn of the event loop: closing the door resets them. Nobody is
   * answered meanwhile, since who is answered comes back and waits again.
   */
  async function closeDoor(): Promise<void> {
    held = []
    const startMs = performance.now()
    let nowMs = startMs
    for (let turns = 0; turns < DOOR_CLOSES_TURNS || nowMs < startMs + DOOR_CLOSES_MS; turns++) {
      const lookedMs = nowMs
      await turn()
      nowMs = performance.now()
      if (nowMs > lastMs + QUIET_MS && nowMs < lookedMs + HELD_UP_MS) break
    }
    // Only the listening ends here; the server's own `close` is for later.
    NetServer.prototype.close.call(server)
    const waiting = held
    held = undefined
    for (const handle of waiting) handle()
  }

  return {
    afterAnswers,
    answer,
    answerLast(response, handle) {
      const connection = open.get(response.req.socket)
      if (connection) connection.isOver = true
      response.setHeader('connection', 'close')
      answer(response, handle)
    },
    isOver: (socket) => open.get(socket)?.isOver === true,
    isAnswered: (socket) => open.get(socket)?.answered?.complete === false,
    async finish(noticeMs) {
      finishing = true
      for (const { requests } of open.values()) {
        const last = [...requests.keys()].at(-1)
        if (last && !last.headersSent) last.setHeader('connection', 'close')
      }
      // An answer that has begun already leaves its connection open; not for long.
      server.keepAliveTimeout = 1
      await sleep(noticeMs, undefined, { signal: over.signal }).catch(() => {})
      await closeDoor()
      // Asked again and again, since no event tells when a write below the high-water mark has left.
      while ([...open].some(([socket, connection]) => isBusy(socket, connection))) await sleep(POLL_MS)
      // Node takes a connection that was never used for one with a request on its way, and would wait for it.
      for (const socket of open.keys()) if (isUnused(socket)) socket.destroy()
    },
    cutOff() {
      over.abort()
      for (const socket of open.keys()) socket.destroy()
    },
  }
}

/** How many files the operating system lets this process have open; a connection counts as one. */
function findMaxFiles(): number {
  const { report } = process as unknown as { report: NodeJS.ProcessReport & { excludeNetwork: boolean } }
  // It would look up the names of the machine's addresses.
  report.excludeNetwork = true
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: unknown } } }
  const max = Number(userLimits?.open_files?.soft)
  return max > 0 ? max : Number.POSITIVE_INFINITY
}

/** How many requests wait behind the one that is under way. */
const countWaiting = ({ requests }: Connection): number => Math.max(0, requests.size - 1)
