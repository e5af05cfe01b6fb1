import { basename } from 'node:path/posix'
import type { Timestamp } from '@meadow/contract'
import type { Reserve } from '../../content/stored-json.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Database } from '../../platform/database/database.ts'
import type { DocumentKey, DocumentTable } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'

/** The file that a document was imported from, as its row says. */
export interface SourceFile {
  name: string
  createdAt: Timestamp | null
  modifiedAt: Timestamp | null
  /** The digest of its facts; null when they were not read. */
  facts: string | null
}

/** The columns that `toSourceFile` reads. */
export const SOURCE_FILE_COLUMNS = [
  'document.source_path',
  'document.source_created',
  'document.source_modified',
  'document.source_facts',
] as const

type SourceFileRow = Pick<
  DocumentTable,
  'source_path' | 'source_created' | 'source_modified' | 'source_facts'
>

/** Returns null for a document that was made here. */
export const toSourceFile = (row: SourceFileRow): SourceFile | null =>
  row.source_path === null
    ? null
    : {
        name: basename(row.source_path),
        createdAt: row.source_created === null ? null : toTimestamp(row.source_created),
        modifiedAt: row.source_modified === null ? null : toTimestamp(row.source_modified),
        facts: row.source_facts,
      }

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

/** The JSON of `"file":…`, and if the file was read, of `"clusters":`, which its clusters follow. */
export function writeFileMembers(file: SourceFile, facts: Pick<FileFacts, 'file'> | undefined): string {
  const { name, createdAt, modifiedAt } = file
  const own = JSON.stringify({ name, createdAt, modifiedAt })
  return facts ? `"file":${own.slice(0, -1)},${facts.file.slice(1)},"clusters":` : `"file":${own}`
}
