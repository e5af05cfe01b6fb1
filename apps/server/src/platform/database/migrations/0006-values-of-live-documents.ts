import { CompiledQuery } from 'kysely'
import type { Dialect, Write } from '../database.ts'
import type { Migration } from '../migration.ts'
import type { DocumentKey } from '../tables.ts'

/** Which blobs hold large values of live documents, so that they are retained for as long as those refer to them. */
export const valuesOfLiveDocuments: Migration = {
  name: 'values of live documents',
  async up(write, dialect) {
    for (const statement of statements(TYPES[dialect])) {
      await write.executeQuery(CompiledQuery.raw(statement))
    }
    await noteWhatIsThere(write)
  },
}

interface Types {
  /** Integers beyond 32 bits. */
  long: string
  /** Compared by code point, whatever the database's language. */
  text: string
  /** What ends a table. */
  options: string
}

const TYPES: Record<Dialect, Types> = {
  sqlite: { long: 'integer', text: 'text', options: 'strict' },
  postgres: { long: 'bigint', text: 'text collate "C"', options: '' },
}

const statements = ({ long, text, options }: Types) => [
  `create table document_value (
    document_id integer not null references document on delete cascade,
    digest ${text} not null,
    bytes ${long} not null,
    is_tree integer not null,
    -- Since when nothing in the document refers to it, as far as its log was folded.
    unused_at ${long},
    primary key (document_id, digest)
  ) ${options}`,
  'create index document_value_digest on document_value (digest)',
  'create index document_value_unused on document_value (unused_at) where unused_at is not null',
]

/** A reference, as it stands in the text of a fact: which is in UTF-8 in what Yjs stores. */
const REFERENCE = /\{("branches":\[\],)?"\$blob":"([0-9a-f]{64})","bytes":(\d+)\}/g

async function noteWhatIsThere(write: Write): Promise<void> {
  const documents = await write
    .selectFrom('document_snapshot')
    .where('format', '=', 'yjs')
    .select('document_id as id')
    .execute()
  for (const { id } of documents) await noteOf(write, id)
}

async function noteOf(write: Write, document: DocumentKey): Promise<void> {
  const state = await write
    .selectFrom('document_snapshot')
    .where('document_id', '=', document)
    .where('format', '=', 'yjs')
    .select('content as stored')
    .execute()
  const changes = await write
    .selectFrom('document_change')
    .where('document_id', '=', document)
    .select('change as stored')
    .execute()
  const found = new Map<string, { bytes: number; is_tree: 0 | 1 }>()
  for (const { stored } of [...state, ...changes]) {
    for (const [, branches, digest, bytes] of Buffer.from(stored!).toString('latin1').matchAll(REFERENCE)) {
      const isTree = branches !== undefined || found.get(digest!)?.is_tree === 1
      found.set(digest!, { bytes: Number(bytes), is_tree: isTree ? 1 : 0 })
    }
  }
  for (const [digest, facts] of found) {
    await write
      .insertInto('document_value')
      .values({ document_id: document, digest, ...facts, unused_at: null })
      .execute()
  }
}
