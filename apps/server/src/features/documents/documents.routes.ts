import { readDocument, searchDocuments } from '@meadow/contract'
import type { StoredJson } from '../../content/content.store.ts'
import type { IndexedContent } from '../../content/content-index.ts'
import type { DocumentContents } from '../../content/document-contents.ts'
import { type RequestedParts, readParts } from '../../http/api/requested-parts.ts'
import { serve } from '../../http/api/route.ts'
import { HttpError } from '../../http/http-error.ts'
import {
  BlobJson,
  type BlobPart,
  entityTag,
  JsonBody,
  TaggedJson,
} from '../../http/responses/response-body.ts'
import { type PartSources, writeParts } from './document-parts.ts'
import { type DocumentStore, type StoredDocument, writeFileMembers } from './documents.store.ts'
import type { Search } from './search.store.ts'

export const documentRoutes = (
  documents: DocumentStore,
  search: Search,
  contents: Pick<DocumentContents, 'complete'>,
  partSources: PartSources,
) => [
  serve(
    searchDocuments,
    async ({ query, principal }) => {
      const folderId = query.get('folderId') ?? undefined
      const [q, uses] = [query.get('q') ?? undefined, query.get('uses') ?? undefined]
      const found = await search(principal.resourceScope, { q, folderId, uses })
      if (!found) throw new HttpError(folderId === 'root' ? 'team_without_root' : 'folder_not_found')
      return found
      // The index of uses follows the documents without raising the team's version.
    },
    { uncachedWith: 'uses' },
  ),

  serve(readDocument, async ({ params: { documentId }, principal: { resourceScope }, query, quota }) => {
    const parts = readParts(query)
    const find = async (withContent = true) => {
      const document = await documents.find(resourceScope, documentId, { withContent })
      if (!document) throw new HttpError('document_not_found')
      return document
    }
    const makeBody: MakeBody = parts
      ? async (found, { tag, properties }, content) =>
          new JsonBody(await writeParts(found, properties, content, parts, partSources, quota.reserve), tag)
      : joinBody
    const read = (found: StoredDocument) => ({ document: found, head: headOf(found, parts) })
    const first = read(await find(!parts))
    return new TaggedJson(first.head.tag, async () => {
      const { document, head } = first
      // Parts of a content that is in a blob, or was read before, do not need it from the row.
      const known = parts && (document.content ?? partSources.indexes.findBytes(document))
      if (known) return makeBody(document, head, { key: document.key, seq: document.seq, ...known })
      // While it is edited, its row is read again until it matches the content.
      for (
        let { document, head } = parts ? read(await find()) : first;
        ;
        { document, head } = read(await find())
      ) {
        const content = await contents.complete(document, quota.reserve)
        if (content.seq === document.seq) return makeBody(document, head, { key: document.key, ...content })
      }
    })
  }),
]

type MakeBody = (
  document: StoredDocument,
  head: DocumentHead,
  content: IndexedContent,
) => JsonBody | Promise<JsonBody> | BlobJson

/** The document with its content. */
function joinBody(document: StoredDocument, { tag, properties }: DocumentHead, content: StoredJson) {
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

function headOf(
  { id, name, createdAt, updatedAt, seq, file }: StoredDocument,
  parts: RequestedParts | undefined,
): DocumentHead {
  const properties = JSON.stringify({ id, name, version: 1, createdAt, updatedAt })
  const asked = parts ? ` ${JSON.stringify(parts)}` : ''
  return { properties, tag: entityTag(`${seq} ${properties} ${JSON.stringify(file)}${asked}`) }
}
