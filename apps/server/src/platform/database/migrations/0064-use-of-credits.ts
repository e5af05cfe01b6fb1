import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/** Sums what solves cost a team in a period, by day and document, without reading the entries themselves. */
export const useOfCredits: Migration = {
  name: 'use of credits',
  isExpansion: true,
  async up(write) {
    await write.executeQuery(CompiledQuery.raw(INDEX))
  },
}

const INDEX = `create index credit_entry_use on credit_entry (team_id, at, document_id, credits)
  where document_id is not null`
