import type { FastifyInstance } from 'fastify'
import { pathOf } from '../../http/connection/address.ts'
import { HttpError, READ_ONLY } from '../../http/http-error.ts'
import type { BlobSource } from '../../http/responses/send-blob.ts'
import { sendFile } from '../../http/responses/send-file.ts'
import { DOWNLOADS, type SignedLinks } from '../../platform/blobs/signed-links.ts'
import type { ExportStore } from './exports.store.ts'

export interface DownloadParts extends BlobSource {
  links: Pick<SignedLinks, 'read'>
  store: Pick<ExportStore, 'isGranted'>
}

/** Serves signed links. Requests with an API token are rejected earlier (decision 12). */
export function mountDownloads(app: FastifyInstance, parts: DownloadParts): void {
  app.route({
    method: app.supportedMethods,
    url: `${DOWNLOADS}/:said/:name`,
    config: { isSecret: true },
    onRequest: ({ method }, _reply, next) => {
      next(method === 'GET' || method === 'HEAD' ? undefined : new HttpError('method_not_allowed', READ_ONLY))
    },
    async handler(request, reply) {
      const found = await parts.links.read(pathOf(request.url), Date.now())
      if (!found) throw new HttpError('page_not_found')
      const { link, state } = found
      if (state === 'expired') throw new HttpError('link_expired')
      const isGranted = state === 'good' && (await parts.store.isGranted(link.token, link.document))
      if (!isGranted) throw new HttpError('link_ended')
      return sendFile(link, request, reply, parts)
    },
  })
}
