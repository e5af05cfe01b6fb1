import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** Who tokens belong to, where they work, how they are replaced, and what a team allows its tokens. */
export const livesOfTokens: Migration = {
  name: 'lives of tokens',
  // Older processes accept tokens from any address for as long as they run.
  isExpansion: 'postgres',
  async up(write, dialect) {
    for (const statement of [...COLUMNS[dialect], ...REASONS[dialect]])
      await write.executeQuery(CompiledQuery.raw(statement))
  },
}

const columns = (long: string) => [
  "alter table token add column kind text not null default 'personal' check (kind in ('personal', 'service'))",
  // The operator's.
  "update token set kind = 'service' where created_by is null and revoked_at is null",
  'alter table token add column addresses text',
  'alter table token add column last_used_from text',
  'alter table token add column replaced_by text',
  `alter table token add column notice_sent_at ${long}`,
  'alter table team add column token_longest_days integer check (token_longest_days > 0)',
  'alter table team add column token_scopes text',
  'alter table team add column token_addresses text',
]

const COLUMNS: Record<Dialect, string[]> = { sqlite: columns('integer'), postgres: columns('bigint') }

const CHECK = "check (end_reason in ('maker_left', 'maker_role', 'policy', 'leaked'))"

/** Further reasons why the server ends a token. SQLite changes no check, so there the column is another one. */
const REASONS: Record<Dialect, string[]> = {
  sqlite: [
    'alter table token rename column end_reason to former_reason',
    `alter table token add column end_reason text ${CHECK}`,
    'update token set end_reason = former_reason',
    'alter table token drop column former_reason',
  ],
  postgres: [
    'alter table token drop constraint token_end_reason_check',
    `alter table token add constraint token_end_reason_check ${CHECK}`,
  ],
}
