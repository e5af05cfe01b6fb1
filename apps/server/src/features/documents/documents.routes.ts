import { readDocument, searchDocuments } from '@meadow/contract'
import type { DocumentContents } from '../../content/document-contents.ts'
import type { Reserve } from '../../content/stored-json.ts'
import { serve } from '../../http/api/route.ts'
import { HttpError } from '../../http/http-error.ts'
import { JsonBody, TaggedJson } from '../../http/responses/response-body.ts'
import { documentJson, documentTag } from './document-json.ts'
import type { DocumentStore, StoredDocument } from './documents.store.ts'

export const documentRoutes = (documents: DocumentStore, contents: Pick<DocumentContents, 'read'>) => [
  serve(searchDocuments, async ({ query, principal }) => {
    const folderId = query.get('folderId') ?? undefined
    const found = await documents.search(principal.team, { q: query.get('q') ?? undefined, folderId })
    if (!found) throw new HttpError(folderId === 'root' ? 'team_without_root' : 'folder_not_found')
    return found
  }),

  serve(readDocument, async ({ params: { documentId }, principal: { team }, share }) => {
    const find = async () => {
      const document = await documents.find(team, documentId)
      if (!document) throw new HttpError('document_not_found')
      return document
    }
    const document = await find()
    return new TaggedJson(documentTag(document), () => readBody(document, find, contents, share.reserve))
  }),
]

/** The document as it is now, in one piece: while it is edited, its facts are looked up until they fit its content. */
async function readBody(
  document: StoredDocument,
  find: () => Promise<StoredDocument>,
  contents: Pick<DocumentContents, 'read'>,
  reserve: Reserve,
): Promise<JsonBody> {
  const content = await contents.read(document.key, { seq: document.seq, reserve })
  if (content?.seq !== document.seq) return readBody(await find(), find, contents, reserve)
  return new JsonBody(documentJson(document, content.value), documentTag(document))
}
