import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * The highest key of a document that was deleted. SQLite gives it to the next document otherwise, which replicas of the
 * deleted one would be taken for. PostgreSQL never uses a key again.
 */
export const keysOfDocuments: Migration = {
  name: 'keys of documents',
  async up(write, dialect) {
    if (dialect !== 'sqlite') return
    for (const statement of STATEMENTS) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

const STATEMENTS = [
  'create table deleted_document_key (highest integer not null) strict',
  'insert into deleted_document_key (highest) values (0)',
  `create trigger document_key_deleted after delete on document begin
    update deleted_document_key set highest = old.id where highest < old.id;
  end`,
]
