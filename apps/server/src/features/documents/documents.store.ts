import { basename } from 'node:path/posix'
import type { DocumentId, Timestamp } from '@meadow/contract'
import { type RawBuilder, sql } from 'kysely'
import { prepareInScope, type ResourceScope } from '../../access/resource-scope.ts'
import type { StoredJson } from '../../content/content.store.ts'
import type { Database, Dialect } from '../../platform/database/database.ts'
import type { DocumentKey, DocumentTable, TeamKey } from '../../platform/database/tables.ts'
import { toTimestamp } from '../../platform/database/times.ts'
import { isPublicId } from '../../platform/public-ids.ts'

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

/** A document as one statement reads it. */
export interface StoredDocument {
  key: DocumentKey
  id: DocumentId
  name: string
  createdAt: Timestamp
  updatedAt: Timestamp
  /** The head of the log of changes: grows with every change of the content. */
  seq: number
  /** Null when the document was made here. */
  file: SourceFile | null
  /** What that file says beside its graph; undefined when this was not read. */
  facts: { file: string; clusters: StoredJson } | undefined
  /** The content, as of `seq`; undefined when what is stored is older, so that it has to be made from the log. */
  content: StoredJson | undefined
  /** The size of the content in bytes, roughly: that of an older one while it is edited. */
  size: number
}

/** The queries of the API about documents, except for the search (`search.store.ts`). */
export interface DocumentStore {
  /**
   * Resolves with undefined when no document in scope has this id, which is what the caller sent. Without `withContent`, a
   * content in the row is not read.
   */
  find(
    resourceScope: ResourceScope,
    id: string,
    options?: { withContent: boolean },
  ): Promise<StoredDocument | undefined>
}

export function createDocumentStore(database: Database): DocumentStore {
  const prepare = (withContent: boolean) =>
    prepareInScope(database, (read, { team, id }: { team: TeamKey; id: DocumentId }, isInScope) =>
      read
        .selectFrom('document')
        .leftJoin('document_snapshot', (join) =>
          join
            .onRef('document_snapshot.document_id', '=', 'document.id')
            .on('document_snapshot.format', '=', 'json')
            .onRef('document_snapshot.seq', '=', 'document.seq'),
        )
        .leftJoin('document_facts', (join) =>
          join
            .onRef('document_facts.document_id', '=', 'document.id')
            .onRef('document_facts.digest', '=', 'document.source_facts'),
        )
        .where('document.public_id', '=', id)
        .where('document.team_id', '=', team)
        .where('document.bin_id', 'is', null)
        .where(isInScope('document.folder_id'))
        .select([
          'document.id',
          'public_id',
          'name',
          'created_at',
          'updated_at',
          'document.seq',
          'content_bytes',
        ])
        .select((withContent ? CONTENT[database.dialect] : sql<null>`null`).as('content'))
        .select(['blob', 'document_facts.file as facts', 'clusters', 'clusters_blob'])
        .select(SOURCE_FILE_COLUMNS),
    )
  const [readHead, readDocument] = [prepare(false), prepare(true)]
  return {
    async find(resourceScope, id, { withContent } = { withContent: true }) {
      const read = withContent ? readDocument : readHead
      const row = isPublicId('doc', id) ? await read.first(resourceScope, { id }) : undefined
      return (
        row && {
          key: row.id,
          id: row.public_id,
          name: row.name,
          createdAt: toTimestamp(row.created_at),
          updatedAt: toTimestamp(row.updated_at),
          seq: row.seq,
          file: toSourceFile(row),
          facts:
            row.facts === null
              ? undefined
              : { file: row.facts, clusters: toStored(row.clusters, row.clusters_blob)! },
          content: toStored(row.content, row.blob),
          size: row.content_bytes,
        }
      )
    },
  }
}

/** The stored content. Bytes arrive from PostgreSQL as digits, which take four times as long to read as a text. */
const CONTENT: Record<Dialect, RawBuilder<Uint8Array | string | null>> = {
  sqlite: sql.ref('content'),
  postgres: sql`convert_from(content, 'UTF8')`,
}

/** One of the two is set: a check of the tables. Neither when there is no row. */
const toStored = (content: Uint8Array | string | null, digest: string | null): StoredJson | undefined => {
  if (content !== null) return { bytes: typeof content === 'string' ? Buffer.from(content) : content }
  return digest === null ? undefined : { digest }
}

/** The JSON of the member `file`. */
export function writeFileMember(file: SourceFile, facts: { file: string } | undefined): string {
  const { name, createdAt, modifiedAt } = file
  const own = JSON.stringify({ name, createdAt, modifiedAt })
  return facts ? `${own.slice(0, -1)},${facts.file.slice(1)}` : own
}

/** The JSON of `"file":…`, and if the file was read, of `"clusters":`, which its clusters follow. */
export const writeFileMembers = (file: SourceFile, facts: { file: string } | undefined): string =>
  `"file":${writeFileMember(file, facts)}${facts ? ',"clusters":' : ''}`
