import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/** Finds the API tokens whose end is still to be announced by when they end. */
export const endsOfTokens: Migration = {
  name: 'ends of tokens',
  isExpansion: true,
  async up(write) {
    await write.executeQuery(CompiledQuery.raw(INDEX))
  },
}

const INDEX = `create index token_end on token (expires_at)
  where revoked_at is null and replaced_by is null and notice_sent_at is null`
