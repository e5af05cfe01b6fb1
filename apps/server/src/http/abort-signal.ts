import type { FastifyReply, FastifyRequest } from 'fastify'
import { ClientDisconnected } from './piece-writer.ts'

/** A signal that is raised when the client of this request has gone, with a {@link ClientDisconnected} as its reason. */
export function createDisconnectSignal(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const abort = () => gone.abort(new ClientDisconnected('The client closed the connection.'))
  const { socket } = request.raw
  if (socket.destroyed) abort()
  socket.once('close', abort)
  reply.raw.once('close', () => socket.off('close', abort))
  return gone.signal
}

/** A signal that is raised when the client of this request has gone, or the server is told to stop. */
export const createAbortSignal = (request: FastifyRequest, reply: FastifyReply): AbortSignal =>
  AbortSignal.any([request.server.stopping, createDisconnectSignal(request, reply)])
