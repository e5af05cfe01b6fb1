import type { Reserve } from '../../content/stored-json.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey } from '../../platform/database/tables.ts'

/** What a file says beside its graph, as JSON text and bytes that are sent as they are stored. */
export interface FileFacts {
  /** JSON of a `DefinitionFacts`, which has a member at least. */
  file: string
  /** JSON of the contents of its clusters. */
  clusters: Uint8Array
}

export interface FileFactsStore {
  /** Reads the facts; undefined when there are none. `reserve` is called first, with the memory that they take. */
  read(document: DocumentKey, reserve: Reserve): Promise<FileFacts | undefined>
}

/** The bytes themselves, and the response that is made of them. */
const COPIES = 2

export function createFileFactsStore(database: Database, blobs: BlobStore): FileFactsStore {
  const find = database.prepare((read, { document }: { document: DocumentKey }) =>
    read
      .selectFrom('document_facts')
      .where('document_id', '=', document)
      .select(['file', 'clusters', 'clusters_blob']),
  )
  return {
    async read(document, reserve) {
      const row = await find.first({ document })
      if (!row) return undefined
      const { file, clusters, clusters_blob } = row
      const size = clusters_blob === null ? clusters!.length : ((await blobs.size(clusters_blob)) ?? 0)
      await reserve(COPIES * (file.length + size))
      const bytes = clusters_blob === null ? clusters! : await blobs.read(clusters_blob)
      if (!bytes) throw new Error(`The blob ${clusters_blob} of a document's clusters is missing.`)
      return { file, clusters: bytes }
    },
  }
}
