import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** Threads of comments about documents, whom they mention, and what people have read of them. */
export const comments: Migration = {
  name: 'comments',
  isExpansion: true,
  async up(write, dialect) {
    for (const statement of statements(TYPES[dialect])) await write.executeQuery(CompiledQuery.raw(statement))
  },
}

interface Types {
  key: string
  long: string
  options: string
}

const TYPES: Record<Dialect, Types> = {
  sqlite: { key: 'integer primary key', long: 'integer', options: 'strict' },
  postgres: { key: 'integer primary key generated always as identity', long: 'bigint', options: '' },
}

const statements = ({ key, long, options }: Types) => [
  `create table comment_thread (
    id ${key},
    public_id text not null unique,
    team_id integer not null references team (id),
    document_id integer not null references document (id) on delete cascade,
    anchor text not null,
    created_at ${long} not null,
    resolved_at ${long},
    resolved_by text references "user" (id) on delete set null
  ) ${options}`,
  'create index comment_thread_document on comment_thread (document_id)',
  'create index comment_thread_team on comment_thread (team_id)',
  'create index comment_thread_resolved_by on comment_thread (resolved_by) where resolved_by is not null',
  `create table comment (
    id ${key},
    public_id text not null unique,
    document_id integer not null references document (id) on delete cascade,
    thread_id integer not null references comment_thread (id) on delete cascade,
    author_id text references "user" (id) on delete set null,
    text text not null,
    created_at ${long} not null,
    edited_at ${long}
  ) ${options}`,
  'create index comment_document on comment (document_id)',
  'create index comment_thread_comments on comment (thread_id, id)',
  'create index comment_author on comment (author_id, created_at)',
  `create table comment_mention (
    comment_id integer not null references comment (id) on delete cascade,
    user_id text not null references "user" (id) on delete cascade,
    primary key (comment_id, user_id)
  ) ${options}`,
  'create index comment_mention_user on comment_mention (user_id)',
  `create table comment_read (
    thread_id integer not null references comment_thread (id) on delete cascade,
    user_id text not null references "user" (id) on delete cascade,
    seen integer not null,
    primary key (thread_id, user_id)
  ) ${options}`,
  'create index comment_read_user on comment_read (user_id)',
  `create table comment_revision (
    document_id integer primary key references document (id) on delete cascade,
    revision integer not null
  ) ${options}`,
  // 0: no mail when a comment mentions the user.
  'alter table "user" add column mention_mails integer not null default 1',
]
