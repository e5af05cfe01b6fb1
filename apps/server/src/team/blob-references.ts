import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { SOLVE_BLOB_COLUMNS } from '../platform/database/tables.ts'

/** A column that holds digests of blobs, and what such a blob is, for people. */
interface BlobColumn {
  table: string
  column: string
  /** The integer key that the rows are read in the order of. */
  key: string
  what: string
}

/** Every column that refers to blobs; a test compares it with the tables. `discarded_blob` does not: its blobs may be gone. */
export const BLOB_COLUMNS: readonly BlobColumn[] = [
  { table: 'document', column: 'source_blob', key: 'id', what: 'an imported file' },
  { table: 'document_snapshot', column: 'blob', key: 'document_id', what: 'the content of a document' },
  {
    table: 'document_facts',
    column: 'clusters_blob',
    key: 'document_id',
    what: 'the clusters of a document',
  },
  { table: 'document_value', column: 'digest', key: 'document_id', what: 'a value of a document' },
  { table: 'document_thumbnail', column: 'digest', key: 'document_id', what: 'the picture of a document' },
  { table: 'version_base', column: 'blob', key: 'document_id', what: 'a version of a document' },
  { table: 'version_source', column: 'blob', key: 'document_id', what: 'the imported file of a version' },
  {
    table: 'version_source',
    column: 'clusters_blob',
    key: 'document_id',
    what: 'the clusters of a version',
  },
  { table: 'version_value', column: 'digest', key: 'document_id', what: 'a value of a version' },
  { table: 'team_file', column: 'blob', key: 'id', what: 'a file' },
  { table: 'team_file', column: 'thumbnail', key: 'id', what: 'the picture of a file' },
  ...SOLVE_BLOB_COLUMNS.map((column) => ({
    table: 'solve',
    column,
    key: 'id',
    what: `a solution (${column})`,
  })),
  { table: 'export_file', column: 'digest', key: 'id', what: 'an exported file' },
]

/** A row that refers to a blob. */
export interface BlobReference {
  digest: string
  /** The position in `BLOB_COLUMNS`. */
  column: number
  /** The value of the column's `key`. */
  key: number
}

const PAGE = 1000

/**
 * All references to blobs, in pages: a digest is listed as often as a row refers to it. Needs constant memory. A row
 * that is written meanwhile may be missing.
 */
export async function* listBlobReferences(
  read: Database['read'],
  pageSize = PAGE,
): AsyncGenerator<readonly BlobReference[]> {
  for (const [column, { table, column: name, key }] of BLOB_COLUMNS.entries()) {
    const rows = sql<{ key: number; digest: string | null }>`(
      select ${sql.ref(key)} as key, ${sql.ref(name)} as digest from ${sql.table(table)})`.as('reference')
    for (let last = { key: -1, digest: '' }; ; ) {
      const { key: lastKey, digest: lastDigest } = last
      const page = await read
        .selectFrom(rows)
        .select((reference) => ['key', reference.ref('digest').$notNull().as('digest')])
        .where('digest', 'is not', null)
        .where('key', '>=', lastKey)
        .where((where) => where.or([where('key', '>', lastKey), where('digest', '>', lastDigest)]))
        .orderBy('key')
        .orderBy('digest')
        .limit(pageSize)
        .execute()
      if (page.length > 0) yield page.map((row) => ({ ...row, column }))
      if (page.length < pageSize) break
      last = page.at(-1)!
    }
  }
}
