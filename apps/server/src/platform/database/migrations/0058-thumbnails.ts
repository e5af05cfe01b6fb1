import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** The pictures of documents. */
export const thumbnails: Migration = {
  name: 'thumbnails',
  // What an older process solves has its picture when somebody looks at it.
  isExpansion: true,
  async up(write, dialect) {
    for (const statement of statements(TEXTS[dialect])) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

const TEXTS: Record<Dialect, { text: string; options: string }> = {
  sqlite: { text: 'text', options: 'strict' },
  postgres: { text: 'text collate "C"', options: '' },
}

const statements = ({ text, options }: { text: string; options: string }) => [
  `create table document_thumbnail (
    document_id integer primary key references document on delete cascade,
    digest ${text} not null,
    kind ${text} not null check (kind in ('geometry', 'graph')),
    is_partial integer not null check (is_partial in (0, 1)),
    seq integer not null,
    solve_id integer
  ) ${options}`,
  'create index document_thumbnail_digest on document_thumbnail (digest)',
]
