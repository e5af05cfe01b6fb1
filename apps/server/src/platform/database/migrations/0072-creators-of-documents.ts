import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/** Who created a document, by which lists are filtered; and which of its last changes its picture does not depend on. */
export const creatorsOfDocuments: Migration = {
  name: 'creators of documents',
  // Of a document that an older process creates, nobody is known as the creator; after its edits, pictures are outdated.
  isExpansion: true,
  async up(write, dialect) {
    const long = dialect === 'sqlite' ? 'integer' : 'bigint'
    for (const column of ['created_by text', `shown_seq ${long}`, `shown_until ${long}`])
      await write.executeQuery(CompiledQuery.raw(`alter table document add column ${column}`))
    await write.executeQuery(CompiledQuery.raw(KNOWN))
  },
}

/** Of older documents, the creator is only known while nothing was changed since. */
const KNOWN = `update document set created_by = (
    select user_id from document_snapshot
    where document_snapshot.document_id = document.id and document_snapshot.format = 'json' and document_snapshot.seq = 1)
  where exists (
    select 1 from document_snapshot
    where document_snapshot.document_id = document.id and document_snapshot.format = 'json' and document_snapshot.seq = 1
      and document_snapshot.user_id is not null)`
