import { CompiledQuery } from 'kysely'
import type { Dialect } from '../database.ts'
import type { Migration } from '../migration.ts'

/** What documents use: components, plug-ins, scripts, objects of models (decision 0040). */
export const usesOfDocuments: Migration = {
  name: 'uses of documents',
  async up(write, dialect) {
    for (const statement of statements(TYPES[dialect])) {
      await write.executeQuery(CompiledQuery.raw(statement))
    }
  },
}

interface Types {
  key: string
  /** Integers beyond 32 bits. */
  long: string
  /** Compared by code point, whatever the database's language. */
  text: string
  /** What ends a table. */
  options: string
  /** What ends a table without other columns than its key and a few numbers. */
  small: string
}

const TYPES: Record<Dialect, Types> = {
  sqlite: {
    key: 'integer primary key',
    long: 'integer',
    text: 'text',
    options: 'strict',
    small: 'strict, without rowid',
  },
  postgres: {
    key: 'integer primary key generated always as identity',
    long: 'bigint',
    text: 'text collate "C"',
    options: '',
    small: '',
  },
}

const statements = ({ key, long, text, options, small }: Types) => [
  // What the index was made of. A document is pending while its row says something else.
  'alter table document add column uses_seq integer',
  `alter table document add column uses_source ${text}`,
  `create index document_uses_pending on document (team_id, id)
    where bin_id is null and (uses_seq is distinct from seq or uses_source is distinct from source_blob)`,

  // One row for each thing that documents of a team use, or have used until recently.
  `create table used_thing (
    id ${key},
    team_id integer not null references team on delete cascade,
    kind ${text} not null,
    key ${text} not null,
    version ${text} not null,
    name ${text} not null,
    words_folded ${text} not null,
    detail ${text} not null,
    -- Of a script: its text in lower case.
    script ${text},
    check ((kind = 'script') = (script is not null))
  ) ${options}`,
  'create unique index used_thing_identity on used_thing (team_id, kind, key, version)',

  `create table document_use (
    document_id integer not null references document on delete cascade,
    thing_id integer not null references used_thing on delete cascade,
    nodes integer not null,
    -- Nodes inside clusters.
    nested integer not null,
    primary key (thing_id, document_id)
  ) ${small}`,
  'create index document_use_document on document_use (document_id)',

  `create table document_graph (
    document_id integer primary key references document on delete cascade,
    nodes integer not null,
    graph_hash ${text},
    -- Equal for equal rows of document_use.
    uses_hash ${text} not null,
    -- Why a part of the document is not in the index, or all of it.
    gap ${text},
    is_read integer not null,
    indexed_at ${long} not null
  ) ${options}`,
  'create index document_graph_gap on document_graph (document_id) where gap is not null',

  // What made the index: another Meadow may read more of the same documents.
  `create table uses_reader (
    id integer primary key check (id = 1),
    version ${text} not null
  ) ${options}`,
]
