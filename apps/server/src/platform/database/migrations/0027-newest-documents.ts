import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * The newest documents of a team with what a search looks at, so that it reads the index alone. PostgreSQL only: SQLite's
 * index has an order. Takes three seconds for a million documents.
 */
export const newestDocuments: Migration = {
  name: 'newest documents',
  // The index that goes has no use beside the new one, also for older processes.
  isExpansion: true,
  async up(write, dialect) {
    if (dialect !== 'postgres') return
    for (const statement of STATEMENTS) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

const STATEMENTS = [
  `create index document_newest_names on document (team_id, updated_at desc, public_id)
    include (id, folder_id, name_folded) where bin_id is null`,
  'drop index document_newest',
]
