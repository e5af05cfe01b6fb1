import type { FastifyReply, FastifyRequest } from 'fastify'

/** A signal that is raised when the client of this request has gone, or the server is told to stop. */
export function createHurry(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const tell = () => gone.abort()
  if (request.socket.destroyed) tell()
  request.socket.once('close', tell)
  reply.raw.once('close', () => request.socket.off('close', tell))
  return AbortSignal.any([request.server.stopping, gone.signal])
}
