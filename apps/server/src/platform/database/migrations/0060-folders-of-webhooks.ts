import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/** Webhooks that are told of one folder's documents only. */
export const foldersOfWebhooks: Migration = {
  name: 'folders of webhooks',
  isExpansion: true,
  async up(write) {
    for (const statement of STATEMENTS) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

const STATEMENTS = [
  // Beside the folder, which may be deleted: then the webhook is told of nothing, and not of everything.
  'alter table webhook add column is_limited integer not null default 0',
  'alter table webhook add column folder_id integer references folder on delete set null',
  'create index webhook_folder on webhook (folder_id) where folder_id is not null',
]
