import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/** Who made a change of a document, and in which session: the audit log says on whose behalf a solve follows from it. */
export const authorsOfChanges: Migration = {
  name: 'authors of changes',
  // Changes that an older process appends have no author: a solve that follows from them is the service's.
  isExpansion: true,
  async up(write) {
    for (const column of ['user_id', 'session_id'])
      await write.executeQuery(CompiledQuery.raw(`alter table document_change add column ${column} text`))
  },
}
