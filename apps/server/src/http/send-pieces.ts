import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../platform/log.ts'
import { ClientDisconnected, createPieceWriter, type WritePiece } from './piece-writer.ts'

/**
 * Sends what `pour` writes as the body of a reply whose status and headers are set, length included: no more of it is
 * held than a piece, however slow the client. What Fastify sends by itself goes through streams that take a new buffer
 * for each piece.
 */
export async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
  pour: (write: WritePiece) => Promise<void>,
): Promise<FastifyReply> {
  await request.share.finish(Number(reply.getHeader('content-length')))
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  try {
    await pour(createPieceWriter(reply.raw, request.socket))
    reply.raw.end()
  } catch (error) {
    reply.raw.destroy()
    const gone = error instanceof ClientDisconnected
    log[gone ? 'info' : 'error'](
      { requestId: request.id, ...(!gone && { err: error }) },
      gone ? 'client went away' : 'answer broken off',
    )
  }
  return reply
}
