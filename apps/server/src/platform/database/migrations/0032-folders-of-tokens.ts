import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/** Tokens that are limited to folders (decision record 0068). */
export const foldersOfTokens: Migration = {
  name: 'folders of tokens',
  // To processes of an older Meadow, a limited token has no scopes (`writeScopes`).
  isExpansion: true,
  async up(write, dialect) {
    for (const statement of statements(dialect === 'sqlite' ? 'strict, without rowid' : ''))
      await write.executeQuery(CompiledQuery.raw(statement))
  },
}

const statements = (options: string) => [
  'alter table token add column is_limited integer not null default 0',
  // A folder that is deleted permanently leaves the token with fewer folders, and not with the whole team.
  `create table token_folder (
    token_id integer not null references token on delete cascade,
    folder_id integer not null references folder on delete cascade,
    primary key (token_id, folder_id)
  ) ${options}`,
  'create index token_folder_folder on token_folder (folder_id)',
]
