import { type AppEndpoint, Bytes } from '@meadow/contract/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { negotiateEncoding } from '../encodings.ts'
import { matchesTag } from '../entity-tag.ts'
import { JsonBody } from '../json-body.ts'
import { type StoredBodies, sendStored } from '../send-stored.ts'
import { StoredBody } from '../stored-body.ts'
import { type AppAnswer, Redirection } from './app-route.ts'

const VARY = 'Cookie, Accept-Encoding'

/** Sends what a handler answered. What was read has an entity tag; the answer to a write is not to be kept. */
export async function sendAnswer(
  answer: AppAnswer,
  endpoint: AppEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  stored: StoredBodies,
): Promise<FastifyReply> {
  reply.header('vary', VARY)
  if (answer instanceof StoredBody) return sendStored(answer, request, reply, stored)
  if (answer instanceof Redirection) return reply.header('cache-control', 'no-store').redirect(answer.to, 302)
  if (answer === undefined) return reply.header('cache-control', 'no-store').code(204).send()
  const body = new JsonBody(answer as object)
  await request.share.reserve(body.size)
  const encoding = negotiateEncoding(request.headers['accept-encoding'] as string | undefined)
  if (endpoint.method === 'GET') {
    const tag = body.tagIn(encoding)
    reply.header('etag', tag).header('cache-control', 'private, no-cache')
    if (matchesTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  } else {
    reply.header('cache-control', 'no-store').code(endpoint.status ?? 200)
  }
  const form = await body.in(encoding)
  await request.share.finish(form.bytes.length)
  if (form.encoding) reply.header('content-encoding', form.encoding)
  const isBytes = endpoint.response === Bytes
  return reply.type(isBytes ? 'application/octet-stream' : 'application/json; charset=utf-8').send(form.bytes)
}
