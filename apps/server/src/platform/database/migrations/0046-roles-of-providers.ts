import { CompiledQuery } from 'kysely'
import type { Migration } from '../migration.ts'

/** Which memberships rules of the OpenID provider have given, and what people had given before. */
export const rolesOfProviders: Migration = {
  name: 'roles of providers',
  // Where an older process changes a role that a rule gave, the next sign-in through the provider changes it back.
  isExpansion: true,
  async up(write) {
    for (const statement of STATEMENTS) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

const STATEMENTS = [
  'alter table membership add column by_provider integer not null default 0 check (by_provider in (0, 1))',
  "alter table membership add column own_role text check (own_role in ('owner', 'member', 'viewer'))",
]
