import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Resolves when the piece has left for the client, so that its bytes may be overwritten. */
export type WritePiece = (piece: Uint8Array) => Promise<void>

/** The connection closed before the answer was whole. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientGone'
}

/**
 * A client that takes nothing at all for so long has forgotten us: its connection is closed, and the file that is
 * open for it.
 */
const STALLED_AFTER_MS = 120_000

/** Writes an answer piece by piece, no faster than the client takes it. Fails with a {@link ClientDisconnected}. */
export function createPieceWriter(response: ServerResponse, socket: Socket): WritePiece {
  response.setTimeout(STALLED_AFTER_MS, () => response.destroy())
  // The socket tells it for every request, also for one whose turn to answer had not come yet.
  const gone = new Promise<never>((_, reject) => {
    const tell = () => reject(new ClientDisconnected('The client closed the connection.'))
    if (socket.destroyed) tell()
    socket.once('close', tell)
    response.once('close', () => {
      socket.off('close', tell)
      tell()
    })
  })
  gone.catch(() => {})
  return (piece) =>
    Promise.race([
      gone,
      new Promise<void>((resolve) => {
        response.write(piece, (error) => {
          // Otherwise the connection closes, whatever the reason was.
          if (!error) resolve()
        })
      }),
    ])
}
