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

/** The open connections of a server, watched so that none loses an answer. */
export interface Connections {
  /** Has an answer made, and watches it. */
  answer(response: ServerResponse, make: () => void): void
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

interface Open {
  sinceMs: number
  /** Under way, the first one first. */
  answers: Set<ServerResponse>
  /** The last request that has its answer. */
  answered: IncomingMessage | undefined
}

export function watchConnections(server: HttpServer): Connections {
  const open = new Map<Socket, Open>()
  const over = new AbortController()
  let finishing = false
  /** When somebody came last. */
  let lastMs = 0
  /** Answers that wait until the door is closed. */
  let held: (() => void)[] | undefined

  server.on('connection', (socket: Socket) => {
    lastMs = performance.now()
    open.set(socket, { sinceMs: lastMs, answers: new Set(), answered: undefined })
    socket.once('close', () => open.delete(socket))
  })

  const isUnused = (socket: Socket) => socket.bytesRead === 0
  const isBusy = (socket: Socket, { sinceMs }: Open) =>
    socket.writableLength > 0 || (isUnused(socket) && performance.now() - sinceMs < FIRST_REQUEST_MS)

  function afterAnswers(socket: Socket, then: () => void): void {
    const last = [...(open.get(socket)?.answers ?? [])].findLast(({ req }) => req.complete)
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
    for (const make of waiting) make()
  }

  return {
    afterAnswers,
    answer(response, make) {
      if (finishing) response.setHeader('connection', 'close')
      const { req: request } = response
      const connection = open.get(request.socket)
      if (connection) {
        connection.answers.add(response)
        response.once('close', () => {
          connection.answers.delete(response)
          connection.answered = request
        })
      }
      if (held) held.push(make)
      else make()
    },
    isAnswered: (socket) => open.get(socket)?.answered?.complete === false,
    async finish(noticeMs) {
      finishing = true
      for (const { answers } of open.values()) {
        for (const answer of answers) if (!answer.headersSent) answer.setHeader('connection', 'close')
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
