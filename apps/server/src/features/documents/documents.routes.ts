import { createHash } from 'node:crypto'
import { readDocument, searchDocuments } from '@meadow/contract'
import type { DocumentContents } from '../../content/document-contents.ts'
import type { Reserve } from '../../content/stored-json.ts'
import { serve } from '../../http/api/route.ts'
import { HttpError } from '../../http/http-error.ts'
import { JsonBody, TaggedJson } from '../../http/responses/response-body.ts'
import type { DocumentStore, StoredDocument } from './documents.store.ts'
import { type FileFacts, type FileFactsStore, writeFileMembers } from './file-facts.store.ts'
import type { Search } from './search.store.ts'

export const documentRoutes = (
  documents: DocumentStore,
  search: Search,
  contents: Pick<DocumentContents, 'read'>,
  facts: FileFactsStore,
) => [
  serve(searchDocuments, async ({ query, principal }) => {
    const folderId = query.get('folderId') ?? undefined
    const found = await search(principal.team, { q: query.get('q') ?? undefined, folderId })
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
    return new TaggedJson(documentTag(document), () =>
      readBody(document, find, { contents, facts }, share.reserve),
    )
  }),
]

/**
 * The document with its content and the facts of its file. While it is edited or imported, its properties are read again
 * until they match these.
 */
async function readBody(
  document: StoredDocument,
  find: () => Promise<StoredDocument>,
  parts: { contents: Pick<DocumentContents, 'read'>; facts: FileFactsStore },
  reserve: Reserve,
): Promise<JsonBody> {
  const { key, seq, file } = document
  const content = await parts.contents.read(key, { seq, reserve })
  const facts = file?.facts == null ? undefined : await parts.facts.read(key, reserve)
  if (content?.seq !== seq || facts?.digest !== (file?.facts ?? undefined))
    return readBody(await find(), find, parts, reserve)
  return new JsonBody(documentJson(document, content.value, facts), documentTag(document))
}

/**
 * The JSON of `{ "document": … }`. The content is stored as a JSON object, so the properties of the document are written
 * in front of its members without parsing it, and so are the facts of its file.
 */
export function documentJson(
  document: StoredDocument,
  content: Uint8Array,
  facts?: FileFacts | undefined,
): Uint8Array {
  const file = document.file ? [...writeFileMembers(document.file, facts), Buffer.from(',')] : []
  return Buffer.concat([
    Buffer.from(`{"document":${writeProperties(document).slice(0, -1)},`),
    ...file,
    content.subarray(1),
    Buffer.from('}'),
  ])
}

/**
 * The entity tag of that JSON, computed without the content: the position in the document's log determines the content, in
 * every process.
 */
function documentTag(document: StoredDocument): string {
  const digest = createHash('sha256')
    .update(`${document.seq} ${writeProperties(document)} ${JSON.stringify(document.file)}`)
    .digest('base64url')
  return `"${digest.slice(0, 27)}"`
}

const writeProperties = ({ id, name, createdAt, updatedAt }: StoredDocument): string =>
  JSON.stringify({ id, name, version: 1, createdAt, updatedAt })
