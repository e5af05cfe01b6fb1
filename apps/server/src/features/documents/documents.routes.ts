import { hash } from 'node:crypto'
import { readDocument, searchDocuments } from '@meadow/contract'
import type { StoredJson } from '../../content/content.store.ts'
import type { DocumentContents } from '../../content/document-contents.ts'
import type { Reserve } from '../../content/stored-json.ts'
import { serve } from '../../http/api/route.ts'
import { HttpError } from '../../http/http-error.ts'
import { BlobJson, type BlobPart, JsonBody, TaggedJson } from '../../http/responses/response-body.ts'
import { type DocumentStore, type StoredDocument, writeFileMembers } from './documents.store.ts'
import type { Search } from './search.store.ts'

export const documentRoutes = (
  documents: DocumentStore,
  search: Search,
  contents: Pick<DocumentContents, 'complete'>,
) => [
  serve(searchDocuments, async ({ query, principal }) => {
    const folderId = query.get('folderId') ?? undefined
    const found = await search(principal.resourceScope, { q: query.get('q') ?? undefined, folderId })
    if (!found) throw new HttpError(folderId === 'root' ? 'team_without_root' : 'folder_not_found')
    return found
  }),

  serve(readDocument, async ({ params: { documentId }, principal: { resourceScope }, quota }) => {
    const find = async () => {
      const document = await documents.find(resourceScope, documentId)
      if (!document) throw new HttpError('document_not_found')
      return document
    }
    const document = await find()
    const head = headOf(document)
    return new TaggedJson(head.tag, () => readBody(document, head, find, contents, quota.reserve))
  }),
]

/** The document with its content. While it is edited, its row is read again until it matches the content. */
async function readBody(
  document: StoredDocument,
  { tag, properties }: DocumentHead,
  find: () => Promise<StoredDocument>,
  contents: Pick<DocumentContents, 'complete'>,
  reserve: Reserve,
): Promise<JsonBody | BlobJson> {
  const content = await contents.complete(document, reserve)
  if (content.seq !== document.seq) {
    const newer = await find()
    return readBody(newer, headOf(newer), find, contents, reserve)
  }
  const parts = listParts(document, properties, content)
  return parts.every((part) => part instanceof Uint8Array)
    ? new JsonBody(Buffer.concat(parts), tag)
    : new BlobJson(tag, parts, document.size)
}

/**
 * The JSON of `{ "document": … }`. The content is stored as a JSON object, so the properties of the document are written
 * in front of its members without parsing it, and so are the facts of its file.
 */
function listParts(
  { file, facts }: StoredDocument,
  properties: string,
  content: StoredJson,
): (Uint8Array | BlobPart)[] {
  const start = `{"document":${properties.slice(0, -1)},`
  const members = partFrom(content, 1)
  const end = Buffer.from('}')
  if (!file) return [Buffer.from(start), members, end]
  const beforeClusters = Buffer.from(start + writeFileMembers(file, facts))
  return [beforeClusters, ...(facts ? [partFrom(facts.clusters, 0)] : []), Buffer.from(','), members, end]
}

const partFrom = (stored: StoredJson, start: number): Uint8Array | BlobPart =>
  'bytes' in stored ? stored.bytes.subarray(start) : { digest: stored.digest, start }

/** What is known of the response without the content. */
interface DocumentHead {
  /** The document without its content, as JSON. */
  properties: string
  /**
   * The entity tag of the response, in every process: the position in the document's log determines the content.
   */
  tag: string
}

function headOf({ id, name, createdAt, updatedAt, seq, file }: StoredDocument): DocumentHead {
  const properties = JSON.stringify({ id, name, version: 1, createdAt, updatedAt })
  const digest = hash('sha256', `${seq} ${properties} ${JSON.stringify(file)}`, 'base64url')
  return { properties, tag: `"${digest.slice(0, 27)}"` }
}
