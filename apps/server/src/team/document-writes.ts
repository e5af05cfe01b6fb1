import { createHash } from 'node:crypto'
import type { SavedView } from '@meadow/contract/web'
import { sql } from 'kysely'
import type { Dialect, Write } from '../platform/database/database.ts'
import { inBatches } from '../platform/database/in-batches.ts'
import { prepareInTransactions } from '../platform/database/prepared-queries.ts'
import type {
  DocumentFactsTable,
  DocumentKey,
  DocumentTable,
  FolderKey,
} from '../platform/database/tables.ts'
import { readTime } from '../platform/database/times.ts'
import { authorColumns, type ChangeAuthor } from './change-author.ts'
import type { NewContent } from './content-blobs.ts'

/** The change that a content comes from, where it is not in the log of edits. */
export type ContentChange = Pick<ChangeRow, 'seq' | 'at' | 'author'>

/** A row of `document_change`. */
export interface ChangeRow {
  document: DocumentKey
  seq: number
  change: Uint8Array
  /** Milliseconds since 1970. */
  at: number
  author: ChangeAuthor
}

/** A row of `document` that is not in the bin, without its key, which the database assigns. */
export type DocumentRow = Omit<
  DocumentTable,
  | 'id'
  | 'bin_id'
  | 'source_gone'
  | 'uses_seq'
  | 'uses_source'
  | 'shares_player'
  | 'public_until'
  | 'shown_seq'
  | 'shown_until'
>

type AuthorColumns = ReturnType<typeof authorColumns>

interface SnapshotRow extends Omit<ContentChange, 'author'>, AuthorColumns {
  document: DocumentKey
  content: Uint8Array | null
  blob: string | null
}

/** The key of a new document. On SQLite it is one that no document has had: see the migration `keys of documents`. */
const NEW_KEY = {
  sqlite: {
    id: sql<never>`(select 1 + max(highest, coalesce((select max(id) from document), 0)) from deleted_document_key)`,
  },
  postgres: {},
}

// An import runs these statements thousands of times.

const prepareInsert = (dialect: Dialect) =>
  prepareInTransactions((write, row: DocumentRow) =>
    write
      .insertInto('document')
      .values({
        ...NEW_KEY[dialect],
        public_id: row.public_id,
        team_id: row.team_id,
        folder_id: row.folder_id,
        name: row.name,
        name_folded: row.name_folded,
        name_order: row.name_order,
        visibility: row.visibility,
        created_at: row.created_at,
        created_by: row.created_by,
        updated_at: row.updated_at,
        seq: row.seq,
        source_root_id: row.source_root_id,
        source_from: row.source_from,
        source_path: row.source_path,
        source_sha256: row.source_sha256,
        source_size: row.source_size,
        source_mtime: row.source_mtime,
        source_created: row.source_created,
        source_modified: row.source_modified,
        source_blob: row.source_blob,
        source_view: row.source_view,
        source_facts: row.source_facts,
        source_reading: row.source_reading,
        content_bytes: row.content_bytes,
        source_seq: row.source_seq,
      })
      .returning('id'),
  )

const insertRow = { sqlite: prepareInsert('sqlite'), postgres: prepareInsert('postgres') }

export async function insertDocument(
  write: Write,
  dialect: Dialect,
  document: DocumentRow,
): Promise<DocumentKey> {
  const [row] = await insertRow[dialect](write, document)
  return row!.id
}

const putSnapshot = prepareInTransactions((write, row: SnapshotRow) => {
  const { document, seq, content, blob, at, author_kind, user_id } = row
  const columns = { seq, content, blob, at, author_kind, user_id }
  return write
    .insertInto('document_snapshot')
    .values({ document_id: document, format: 'json', ...columns })
    .onConflict((conflict) => conflict.columns(['document_id', 'format']).doUpdateSet(columns))
})

/** Inserts or replaces the content. */
export async function putContent(
  write: Write,
  document: DocumentKey,
  content: NewContent,
  { seq, at, author }: ContentChange,
): Promise<void> {
  const stored =
    content.kind === 'inline'
      ? { content: content.bytes, blob: null }
      : { content: null, blob: content.digest }
  await putSnapshot(write, { document, ...stored, seq, at, ...authorColumns(author) })
}

const putFactsRow = prepareInTransactions((write, row: DocumentFactsTable) => {
  const { digest, file, clusters, clusters_blob } = row
  return write
    .insertInto('document_facts')
    .values({ document_id: row.document_id, digest, file, clusters, clusters_blob })
    .onConflict((conflict) =>
      conflict.column('document_id').doUpdateSet({ digest, file, clusters, clusters_blob }),
    )
})

/** Inserts or replaces what the file of a document says beside its graph. */
export async function putFacts(write: Write, document: DocumentKey, facts: SourceFacts): Promise<void> {
  const { file, clusters } = facts
  await putFactsRow(write, {
    document_id: document,
    digest: digestOf(facts),
    file,
    clusters: clusters.kind === 'inline' ? clusters.bytes : null,
    clusters_blob: clusters.kind === 'blob' ? clusters.digest : null,
  })
}

const insertChange = prepareInTransactions((write, row: Omit<ChangeRow, 'author'> & AuthorColumns) =>
  write.insertInto('document_change').values({
    document_id: row.document,
    seq: row.seq,
    change: row.change,
    at: row.at,
    author_kind: row.author_kind,
    user_id: row.user_id,
    session_id: row.session_id,
  }),
)

/** Appends to the log of edits. */
export async function addChange(write: Write, { author, ...change }: ChangeRow): Promise<void> {
  await insertChange(write, { ...change, ...authorColumns(author) })
}

/** Stores the objects in Rhino models that a document refers to. */
export async function insertReferences(
  write: Write,
  document: DocumentKey,
  references: readonly string[] = [],
): Promise<void> {
  for (const portion of inBatches(references)) {
    const rows = portion.map((object_id) => ({ document_id: document, object_id }))
    await write.insertInto('document_reference').values(rows).execute()
  }
}

export async function replaceReferences(
  write: Write,
  document: DocumentKey,
  references: readonly string[] | undefined,
): Promise<void> {
  await write.deleteFrom('document_reference').where('document_id', '=', document).execute()
  await insertReferences(write, document, references)
}

/** The file that an imported document comes from. */
export interface DocumentSource {
  /** The folder of the team that was imported into. */
  root: FolderKey
  /** The folder on the operator's disk that was last imported. */
  from: string
  /** The file's path below it, with `/` between the names, the file's own name included. */
  path: string
  /** Hexadecimal. */
  sha256: string
  sizeBytes: number
  /** Null when it is too recent to show that a file is unchanged. */
  mtimeMs: number | null
  /** The file's own times; undefined when they are not known. */
  times?: { created: number; modified: number } | undefined
  /** The digest of the blob that holds the original file. */
  blob: string
  /** The view that the file was saved at; undefined when it was not read. */
  view?: SavedView | undefined
  /** What the file says beside its graph; undefined when it was not read. */
  facts?: SourceFacts | undefined
}

/** The imported file of another document, of which this one is a copy. No import finds the copy. */
export interface CopiedSource extends Omit<DocumentSource, 'root' | 'from'> {
  root: null
  from: null
  /** How the content was read from the file. */
  reading: number | null
}

/** What a file says beside its graph, in the form in which it is stored. */
export interface SourceFacts {
  /** JSON of a `DefinitionFacts`. */
  file: string
  /** The contents of its clusters: JSON of a record of `Cluster`. */
  clusters: NewContent
}

/** The reading of files of this version (`Reading` of @meadow/grasshopper). */
export const LATEST_READING = 3

function digestOf({ file, clusters }: SourceFacts): string {
  return createHash('sha256')
    .update(file)
    .update('\n')
    .update(clusters.kind === 'inline' ? clusters.bytes : clusters.digest)
    .digest('hex')
}

/** The columns for the file that a document was imported from. */
export function sourceColumns(source: DocumentSource | CopiedSource | undefined) {
  const latest = source?.facts ? LATEST_READING : null
  return {
    source_root_id: source?.root ?? null,
    source_from: source?.from ?? null,
    source_path: source?.path ?? null,
    source_sha256: source?.sha256 ?? null,
    source_size: source?.sizeBytes ?? null,
    source_mtime: source?.mtimeMs ?? null,
    source_created: source?.times ? readTime(source.times.created) : null,
    source_modified: source?.times ? readTime(source.times.modified) : null,
    source_blob: source?.blob ?? null,
    source_view: source?.view ? JSON.stringify(source.view) : null,
    source_facts: source?.facts ? digestOf(source.facts) : null,
    source_reading: source && 'reading' in source ? source.reading : latest,
  }
}
