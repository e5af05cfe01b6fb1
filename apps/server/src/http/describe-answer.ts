import type { FastifyReply } from 'fastify'

/** The headers that every answer with a body, and its 304, has (decision 10). */
export const describeAnswer = (reply: FastifyReply, tag: string): FastifyReply =>
  reply
    .header('etag', tag)
    .header('cache-control', 'private, no-cache')
    .header('vary', 'Authorization, Accept-Encoding')
