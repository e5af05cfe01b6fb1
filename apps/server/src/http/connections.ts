import type { Server as HttpServer } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 10

/** The open connections of a server, watched so that none loses an answer when the server closes. */
export interface Connections {
  /**
   * Stops taking connections, and resolves when all that was answered so far has left. Closing a Node server cuts
   * off every connection whose answer was written in one piece, however much of it still waits to be sent.
   */
  finishAnswers(): Promise<void>
}

export function watchConnections(server: HttpServer): Connections {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return {
    async finishAnswers() {
      // Only the listening ends here; the server's own `close` is for later.
      NetServer.prototype.close.call(server)
      // Asked again and again, since no event tells when a write below the high-water mark has left.
      while ([...open].some((socket) => socket.writableLength > 0)) await sleep(POLL_MS)
    },
  }
}
