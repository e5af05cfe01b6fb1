import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { hostNameOf, pathOf } from '../../http/connection/address.ts'
import { HttpError, READ_ONLY } from '../../http/http-error.ts'
import type { BlobSource } from '../../http/responses/send-blob.ts'
import { attachment, sendFile } from '../../http/responses/send-file.ts'
import { callOf } from '../../http/server.ts'
import type { BlobLink, LinkedFile } from '../../platform/blobs/blob-links.ts'
import { DOWNLOADS, type SignedLinks } from '../../platform/blobs/signed-links.ts'
import { limitEntries } from '../../platform/limit-entries.ts'
import type { ExportStore } from './exports.store.ts'

export interface DownloadParts extends BlobSource {
  links: Pick<SignedLinks, 'read' | 'now'>
  store: Pick<ExportStore, 'checkGrant' | 'recordDownload'>
  /** Whether files are downloaded from the object store itself, where that is possible. */
  redirects: boolean
}

/** Downloads that are remembered, so that they are recorded once. */
const MAX_RECORDED = 10_000

/** Serves signed links. Requests with an API token are rejected earlier (decision 12). */
export function mountDownloads(app: FastifyInstance, parts: DownloadParts): void {
  const recorded = new LRUCache<string, true>(limitEntries(MAX_RECORDED))
  /** Records a download once for a link and an address, since it may be resumed many times. */
  async function record(link: BlobLink, { ip, id, url }: FastifyRequest): Promise<void> {
    const key = `${ip} ${url}`
    if (recorded.has(key)) return
    await parts.store.recordDownload(link, { address: ip, request: id })
    recorded.set(key, true)
  }
  app.route({
    method: app.supportedMethods,
    url: `${DOWNLOADS}/:said/:name`,
    config: { access: 'link', isSecret: true },
    onRequest: ({ method }, _reply, next) => {
      next(method === 'GET' || method === 'HEAD' ? undefined : new HttpError('method_not_allowed', READ_ONLY))
    },
    async handler(request, reply) {
      const found = await parts.links.read(pathOf(request.url), parts.links.now())
      if (!found) throw new HttpError('page_not_found')
      const { link, state } = found
      if (state === 'expired') throw new HttpError('link_expired')
      const host = hostNameOf(request.headers.host)
      const grant = state === 'good' ? await parts.store.checkGrant(link.token, link.document, host) : 'ended'
      if (grant === 'foreign') throw new HttpError('page_not_found')
      if (grant === 'ended') throw new HttpError('link_ended')
      if (request.method === 'GET') await record(link, request)
      const address = parts.redirects && (await findAddress(link, request, parts))
      if (address) return redirectTo(address, reply)
      await sendFile(link, callOf(request, reply), parts)
      return reply.hijack()
    },
  })
}

/** Long enough to follow a redirect, and short beside the hour of a link, which can be ended at any time. */
const REDIRECT_SECONDS = 60

/** Finds where the object store has the file, except for HEAD and for clients that may only validate a copy. */
async function findAddress(
  { digest, mediaType, fileName }: LinkedFile,
  { method, headers }: FastifyRequest,
  { blobs }: DownloadParts,
): Promise<string | undefined> {
  if (method !== 'GET' || headers['if-none-match'] !== undefined || headers['if-match'] !== undefined)
    return undefined
  return blobs.createAddress?.({ digest, mediaType, disposition: attachment(fileName) }, REDIRECT_SECONDS)
}

const redirectTo = (address: string, reply: FastifyReply): FastifyReply =>
  reply
    // The link is a secret too.
    .header('referrer-policy', 'no-referrer')
    .redirect(address, 302)
