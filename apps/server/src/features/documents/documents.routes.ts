import { readDocument, searchDocuments } from '@meadow/contract'
import { refuse } from '../../http/refusal.ts'
import { serve } from '../../http/serve.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import { documentJson } from './document-json.ts'
import type { DocumentStore } from './documents.store.ts'

export const documentRoutes = (documents: DocumentStore, blobs: BlobStore) => [
  serve(searchDocuments, async ({ query, reader }) => {
    const folderId = query.get('folderId') ?? undefined
    const found = await documents.search(reader.team, { q: query.get('q') ?? undefined, folderId })
    if (!found) throw refuse(folderId === 'root' ? 'team_without_root' : 'folder_not_found')
    return found
  }),

  serve(readDocument, async ({ params: { documentId }, reader }) => {
    const document = await documents.find(reader.team, documentId)
    if (!document) throw refuse('document_not_found')
    return documentJson(document, blobs)
  }),
]
